package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
)

// Spec is a whole analysis.
type Spec struct {
	Design    frame.Design
	Contrasts []compare.Contrast
	Trends    []study.Trend
	Figures   []study.Figure
	Controls  *Controls // nil: none
	// Only are metrics of the design that statistics and comparisons are of; nil: all.
	Only []string
}

// Result holds the results of an analysis.
type Result struct {
	Design frame.Design // with its defaults filled in
	// Statistics and Comparisons, one list a contrast, are complete where there are at most [compare.MostKept]; else they are of
	// the points that an overview shows. The tables have all.
	Statistics  []Summary
	Comparisons [][]compare.Comparison
	Trends      [][]compare.Trend // one list a trend of the specification
	// Controlled are the means by the controls named Controls.
	Controlled []ControlledMean
	Controls   []string
	// Sensitivities are those of the knobs of a sample.
	Sensitivities []compare.Sensitivity
	Questions     []Inquired // see [Result.Ask]
	Figures       []*plot.Drawing
	// Verdicts counts the comparisons by theirs; Regressions are the comparisons that are shown to be worse, by more
	// than a margin where there is one, the first [shownRegressions] of Regressed. Doubtful are comparisons that are not shown to
	// be no worse than by the margin, the first [shownRegressions] of NotShown.
	Verdicts    map[compare.Verdict]int
	Regressions []compare.Comparison
	Regressed   int
	Doubtful    []compare.Comparison
	NotShown    int
	Undecided   int            // comparisons that more replications might decide
	Claims      []claim.Result // of [claim.Evaluate]; Analyse leaves them out
	// Valueless are the metrics of the design that no run has, where no mean says why.
	Valueless []string
	// Warnings are about the dataset as a whole; those of a single statistic are with it.
	Warnings []stats.Warning

	statistics  *table.Table
	comparisons []*table.Table     // one a contrast; nil where it has no rows
	partial     bool               // Statistics and Comparisons are of some points only
	families    []compare.Families // one a contrast
	across      []string           // axes whose levels are columns in an overview
	more        int                // rows of an overview that Statistics lack
}

// Analyse computes all that the specification asks for. A baseline without rows is a warning, not an error: a sweep may be
// looked at before its end. Statistics and comparisons go to their tables as they are computed, and take no memory with
// their number.
func Analyse(f *frame.Frame, s Spec) (*Result, error) {
	d, err := s.Design.Resolved(f)
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	f = f.WithoutShort(&d).Labelled(d.Labels)
	r := &Result{Design: d, Warnings: frame.Count(frame.Every(f), d.Answered(f), d.PlannedTotal).Lost(), statistics: newStatisticsTable(d),
		Verdicts: map[compare.Verdict]int{}}
	most, read := 0, multiples{}
	valueless := map[string]bool{} // of the metrics with answers
	err = eachSummary(f, d, s.Only, func(s Summary) {
		if s.OK > 0 {
			known, seen := valueless[s.Metric]
			valueless[s.Metric] = (known || !seen) && !s.shown() && !stats.Finite(s.Log)
		}
		r.statistics.Add(statisticsRow(d, read, &s))
		most++
		r.Statistics = compare.Keep(r.Statistics, s, most)
	})
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	r.Valueless = slices.DeleteFunc(slices.Clone(d.Metrics), func(metric string) bool { return !valueless[metric] })
	if s.Controls != nil {
		r.Controls = s.Controls.Names
		if r.Controlled, err = controlled(f, d, s.Controls); err != nil {
			return nil, fmt.Errorf("analysis: controls: %w", err)
		}
	}
	contrasts := slices.Clone(s.Contrasts)
	for i := range contrasts {
		if s.Only != nil {
			contrasts[i].Metrics = s.Only
		}
	}
	for _, c := range contrasts {
		var t *table.Table
		var list []compare.Comparison
		n, read := 0, multiples{}
		all, err := compare.EachJudged(f, d, c, func(one compare.Comparison) {
			if t == nil {
				t = newComparisonsTable(d, &one, c.Gate)
			}
			t.Add(comparisonsRow(d, read, &one))
			r.count(&one)
			n++
			list = compare.Keep(list, one, n)
		})
		var missing *compare.NoBaselineError
		switch {
		case errors.As(err, &missing):
			r.Warnings = append(r.Warnings, stats.Warnf(stats.NoBaseline, "%v", err))
		case err != nil:
			return nil, fmt.Errorf("analysis: %w", err)
		}
		r.comparisons, r.families = append(r.comparisons, t), append(r.families, all)
		r.Comparisons = append(r.Comparisons, list)
		most = max(most, n)
	}
	if r.across = r.acrossOf(f, contrasts); most > compare.MostKept {
		r.partial = true
		if err := r.keepShown(f, contrasts, s.Only); err != nil {
			return nil, fmt.Errorf("analysis: %w", err)
		}
	}
	for _, t := range s.Trends {
		list, err := compare.Trends(f, d, t)
		if err != nil {
			return nil, fmt.Errorf("analysis: %w", err)
		}
		for i := range list {
			list[i].Height = nil // it holds the rows, and tables do not ask for it
		}
		r.Trends = append(r.Trends, list)
	}
	var few []stats.Warning
	if r.Sensitivities, few, err = compare.Sensitivities(f, d); err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	r.Warnings = append(r.Warnings, few...)
	if few, err = withoutEffect(f, d, contrasts); err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	r.Warnings = append(r.Warnings, few...)
	for _, spec := range s.Figures {
		drawing, err := plot.Draw(f, d, spec, s.Contrasts...)
		if err != nil {
			return nil, fmt.Errorf("analysis: %w", err)
		}
		r.Figures = append(r.Figures, drawing)
	}
	if err := f.Err(); err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	return r, nil
}

// Draw draws one figure as [Analyse] draws it, with the warnings about the dataset as a whole among its own. The specification's own
// figures and trends do not matter.
func Draw(f *frame.Frame, s Spec, of study.Figure) (*plot.Drawing, error) {
	d, err := s.Design.Resolved(f)
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	drawing, err := plot.Draw(f.WithoutShort(&d).Labelled(d.Labels), d, of, s.Contrasts...)
	if err = cmp.Or(err, f.Err()); err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	drawing.Warnings = append(drawing.Warnings, frame.Count(frame.Every(f), d.Answered(f), d.PlannedTotal).Lost()...)
	return drawing, nil
}

// Complete reports that Statistics and Comparisons hold all.
func (r *Result) Complete() bool { return !r.partial }

// Tables lays the results out: statistics, then a table for each contrast and each trend that has rows.
func (r *Result) Tables() []*table.Table {
	tables := append([]*table.Table{r.statistics}, questionTables(r.Questions)...)
	if r.Controls != nil {
		tables = append(tables, controlsTable(r.Design, r.Controls, r.Controlled))
	}
	number := func(t *table.Table, i, of int) {
		if of > 1 {
			t.ID = fmt.Sprintf("%s-%d", t.ID, i+1)
		}
		tables = append(tables, t)
	}
	for i, t := range r.comparisons {
		if t != nil {
			number(t, i, len(r.comparisons))
		}
	}
	alike, before := map[string]int{}, map[string]int{} // by fit, which names the table
	for _, list := range r.Trends {
		if len(list) > 0 {
			alike[list[0].Fit]++
		}
	}
	for _, list := range r.Trends {
		if len(list) > 0 {
			number(TrendsTable(r.Design, list), before[list[0].Fit], alike[list[0].Fit])
			before[list[0].Fit]++
		}
	}
	if len(r.Sensitivities) > 0 {
		tables = append(tables, sensitivityTable(r.Design, r.Sensitivities, true))
	}
	return append(tables, claim.Tables(r.Design, r.Claims)...)
}

const shownRegressions = 20

func (r *Result) count(c *compare.Comparison) {
	r.Verdicts[c.Verdict]++
	if !c.Decided() {
		r.Undecided++
	}
	if !c.NotWorse {
		if r.NotShown++; r.NotShown <= shownRegressions {
			r.Doubtful = append(r.Doubtful, *c)
		}
	}
	if !c.Regressed {
		return
	}
	if r.Regressed++; r.Regressed <= shownRegressions {
		r.Regressions = append(r.Regressions, *c)
	}
}

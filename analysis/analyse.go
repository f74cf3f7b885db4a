package analysis

import (
	"errors"
	"fmt"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
)

// Spec is a whole analysis.
type Spec struct {
	Design    Design
	Contrasts []Contrast
	Trends    []study.Trend
	Figures   []study.Figure
}

// Result is what an analysis gives.
type Result struct {
	Design      Design // with its defaults filled in
	Statistics  []Summary
	Comparisons [][]Comparison // one list a contrast
	Trends      [][]Trend      // one list a trend of the specification
	Figures     []*Drawing
	Claims      []ClaimResult // of [EvaluateClaims]; Analyse leaves them out
	// Warnings are about the dataset as a whole; those of a single statistic are with it.
	Warnings []stats.Warning
}

// Analyse computes all that the specification asks for. A baseline without rows is a warning, not an error: a sweep may be
// looked at before its end.
func Analyse(f *Frame, s Spec) (*Result, error) {
	d, err := s.Design.resolved(f)
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	f = f.labelled(d.Labels)
	r := &Result{Design: d, Warnings: counted(every(f), d.ok(f), d.plannedTotal()).warnings()}
	if r.Statistics, err = Summarise(f, d); err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	for _, c := range s.Contrasts {
		list, err := Compare(f, d, c)
		var missing *NoBaselineError
		switch {
		case errors.As(err, &missing):
			r.Warnings = append(r.Warnings, stats.Warnf(stats.NoBaseline, 0, "%v", err))
		case err != nil:
			return nil, fmt.Errorf("analysis: %w", err)
		}
		r.Comparisons = append(r.Comparisons, list)
	}
	for _, t := range s.Trends {
		list, err := Trends(f, d, t)
		if err != nil {
			return nil, fmt.Errorf("analysis: %w", err)
		}
		for i := range list {
			list[i].Height = nil // it holds the rows, and tables do not ask for it
		}
		r.Trends = append(r.Trends, list)
	}
	for _, spec := range s.Figures {
		drawing, err := Plot(f, d, spec, s.Contrasts...)
		if err != nil {
			return nil, fmt.Errorf("analysis: %w", err)
		}
		r.Figures = append(r.Figures, drawing)
	}
	return r, nil
}

// every lists all rows.
func every(f *Frame) []int32 {
	rows := make([]int32, f.Rows)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// Tables lays the results out: statistics, then a table for each contrast and each trend that has rows.
func (r *Result) Tables() []*table.Table {
	tables := []*table.Table{StatisticsTable(r.Design, r.Statistics)}
	number := func(t *table.Table, i, of int) {
		if of > 1 {
			t.ID = fmt.Sprintf("%s-%d", t.ID, i+1)
		}
		tables = append(tables, t)
	}
	for i, list := range r.Comparisons {
		if len(list) > 0 {
			number(ComparisonsTable(r.Design, list), i, len(r.Comparisons))
		}
	}
	for i, list := range r.Trends {
		if len(list) > 0 {
			number(TrendsTable(r.Design, list), i, len(r.Trends))
		}
	}
	return append(tables, ClaimTables(r.Design, r.Claims)...)
}

// Package compare sets points of a sweep against one another: paired comparisons with a baseline and their verdicts,
// the knobs of a sample, trendlines.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Contrast asks for a comparison of the values of some axes with a baseline: one combination of them.
type Contrast struct {
	Axes     []string
	Baseline []frame.Value // the baseline's values, one an axis
	Metrics  []string      // nil: all of the design
	// Over names axes that a comparison averages over. Pairs are still formed at equal values of them; within a
	// replication they are then averaged, because values that share a workload are not independent: n is the number of
	// replications.
	Over []string
	// Gate reports that all comparisons of all metrics are one family, whose error rate is that of the gate.
	Gate bool
	// DropLost judges by the complete pairs, though others are lost.
	DropLost bool
	// Independent reports that the replications of the levels are of other random numbers, and no pairs.
	Independent bool
}

// Comparison is one combination of the contrast's axes against the baseline in one metric, other axes fixed.
type Comparison struct {
	Axes            []string          // of the contrast
	Level, Baseline []frame.Value     // values of Axes
	By              []string          // the other axes that are fixed
	Point           []frame.Value     // their values
	Units           map[string]string // of axes
	Metric, Unit    string
	frame.Counts    // of the level's instances
	BaselineCounts  frame.Counts
	Independent     bool    // of unrelated replications, not of pairs
	Confidence      float64 // of the intervals, and of the verdicts of a table
	Looks           []int   // at which verdicts are looked at; nil for one look
	Look            int     // the one of them that decided; 0 where none has
	Ahead           int     // replications with rows that are in no look yet
	Unpaired        int     // instances of either side without a partner
	// Lost is the number of missing pairs: an instance failed or has not run, or one of both has no finite value. What
	// they would have shown is not known, so that there is no verdict.
	Lost         int
	Most         int // replications of a log that share no jobs; 0 where there is no such bound
	stats.Paired     // N counts the pairs; warnings of all kinds are in Warnings
	Judged           // but for P and PSame only within a table, see [Analyse]
	// Equivalence is the basis of PSame; zero without a margin.
	Equivalence stats.Equivalence
	// LogBase and Log are the values of the log itself at the baseline and at the level, which no statistic contains; NaN for unknown.
	LogBase, Log float64
}

// NoBaselineError reports that the baseline of a contrast has no row.
type NoBaselineError struct {
	Axes, Baseline []string
	Have           string // the levels that occur instead
}

func (e *NoBaselineError) Error() string {
	return fmt.Sprintf("comparison along %s: the baseline %s does not occur; there are %s", frame.List(e.Axes), frame.List(e.Baseline),
		cmp.Or(e.Have, "no rows"))
}

// Paired pairs every level of the contrast's axes with the baseline: same replication, same other axes (common random
// numbers). The baseline itself is not compared. Results come by point, level and metric. Of several looks they are of the last one.
func Paired(f *frame.Frame, d frame.Design, c Contrast) ([]Comparison, error) {
	var out []Comparison
	err := Each(f, d, c, func(r Comparison) { out = append(out, r) })
	return out, err
}

// Each calls fn with the results of [Paired], one after the other. Memory: what [Frame.eachGroup] takes, and the
// comparisons of one combination of the axes that are not the contrast's.
func Each(f *frame.Frame, d frame.Design, c Contrast, fn func(Comparison)) error {
	d, err := d.Resolved(f)
	if err != nil {
		return fmt.Errorf("comparison: %w", err)
	}
	if c.Metrics == nil {
		c.Metrics = d.Metrics
	}
	var errs []error
	for _, m := range c.Metrics {
		errs = append(errs, f.HasNumbers("metric", m))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("comparison along %s: %w", frame.List(c.Axes), err)
	}
	ahead := 0
	if len(d.Looks) > 0 {
		var rows []int32
		if d, rows, ahead = d.LastLook(f); ahead > 0 {
			f = f.Take(rows)
		}
	}
	along := frame.GroupBy(f, c.Axes, d.Order)
	base := slices.IndexFunc(along.Groups, func(g frame.Group) bool { return slices.EqualFunc(g.Key, c.Baseline, frame.Value.Equal) })
	if base < 0 {
		return &NoBaselineError{Axes: c.Axes, Baseline: frame.Printed(c.Baseline), Have: listed(along.Groups)}
	}
	for i := range along.Groups {
		along.Groups[i].Rows = nil // the groups of each row are all that pairs need
	}
	by := d.Without(append(slices.Clone(c.Over), c.Axes...)...)
	replications := frame.NewReplications(f, &d, c.Over...)
	p := pairing{
		frame: f, design: &d, contrast: c, along: along, base: int32(base), ok: replications.OK,
		replications: replications, replication: replications.All(), cell: replications.All(), place: make([]int32, f.Rows),
		shares: frame.NewSharers(f, &d, replications), drifts: frame.NewDrifts(f, &d, replications),
	}
	if len(c.Over) > 0 {
		p.cell = frame.GroupBy(f, append([]string{d.Replication}, c.Over...), d.Order).Of
		p.over, p.points = frame.GroupBy(f, c.Over, d.Order).Of, frame.GroupBy(f, d.Axes, d.Order)
	}
	var compared int
	p.metrics, compared = d.Only(c.Metrics)
	log := frame.NewLogItself(&d)
	own := log.Over(f, d.Axes)
	return f.EachGroup(frame.GroupBy(f, by, d.Order).Groups, p.metrics, compared, func(g *frame.Group, values frame.ValuesOf) {
		for _, r := range p.compare(g, values) {
			r.By, r.Units, r.Ahead, r.LogBase, r.Log = by, d.Units, ahead, math.NaN(), math.NaN()
			if own != nil {
				r.LogBase, r.Log = own(p.rowsOf(g, c.Baseline), r.Metric), own(p.rowsOf(g, r.Level), r.Metric)
				r.Warnings = append(r.Warnings, log.Remark(r.Ratio, r.Log/r.LogBase)...)
			}
			fn(r)
		}
	})
}

func (p *pairing) rowsOf(g *frame.Group, level []frame.Value) []int32 {
	return text.Those(g.Rows, func(row int32) bool {
		return slices.EqualFunc(p.along.Groups[p.along.Of[row]].Key, level, frame.Value.Equal)
	})
}

// listed prints the keys of the first groups for a message.
func listed(groups []frame.Group) string {
	keys := text.Each(groups[:min(len(groups), 20)], func(g frame.Group) string { return frame.List(frame.Printed(g.Key)) })
	if len(groups) > 20 {
		keys = append(keys, fmt.Sprintf("... (%d in all)", len(groups)))
	}
	return strings.Join(keys, "; ")
}

package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// Trend is one line through all instances of a group, all replications; where points have unequal numbers of them, each
// point weighs the same.
type Trend struct {
	study.Trend
	Point        []Value // the values of By
	XUnit, YUnit string
	Counts
	stats.Line
	// SlopeInterval is the slope's over replications: instances of one share their workload, so that they count as one. It
	// is that of a claim's slope. Infinite where there are fewer than two replications, or no replication column.
	SlopeInterval stats.Interval
	Replications  int // that the interval rests on
}

// drawnTrend is a trend with the interval of the line's height at any x.
type drawnTrend struct {
	Trend
	band func(x float64) stats.Interval
}

// Trends fits one line to each group. Groups come in the order of the values of By.
func Trends(f *Frame, d Design, t study.Trend) ([]Trend, error) {
	drawn, err := drawnTrends(f, d, t)
	out := make([]Trend, len(drawn))
	for i := range drawn {
		out[i] = drawn[i].Trend
	}
	return out, err
}

func drawnTrends(f *Frame, d Design, t study.Trend) ([]drawnTrend, error) {
	d, err := d.resolved(f)
	if err != nil {
		return nil, fmt.Errorf("trend: %w", err)
	}
	x, errX := f.needNumbers("x", t.X)
	y, errY := f.needNumbers("y", t.Y)
	errs := []error{errX, errY}
	for _, by := range t.By {
		if !slices.Contains(d.Axes, by) {
			errs = append(errs, fmt.Errorf("%q is no axis of the design", by))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("trend of %q over %q: %w", t.Y, t.X, err)
	}
	if t.By == nil {
		t.By = d.without(t.X)
	}
	pooled := poolable(f, d, append(slices.Clone(t.By), t.X))
	run := prepare(&Run{Frame: f, Design: d})
	if run.replication.codes == nil {
		run.replication = levels{values: []Value{Number(0)}, codes: make([]int32, f.Rows)}
	}
	if d.PlannedOf != nil && !slices.ContainsFunc(groupBy(f, d.Axes, nil).groups, func(g group) bool { return len(g.rows) != d.PlannedOf(g.key) }) {
		run.classify()
		if slices.Contains(run.class, -1) {
			run.class = nil
		}
	}
	var out []drawnTrend
	for _, g := range groupBy(f, t.By, d.Order).groups {
		r := drawnTrend{Trend: Trend{Trend: t, Point: g.key, XUnit: x.Unit, YUnit: y.Unit, Counts: counted(g.rows, run.ok, -1)}}
		r.fit(run, g.rows, x, y)
		if names := differing(f, g.rows, pooled); len(names) > 0 {
			r.Warnings = append(r.Warnings, stats.Warnf(stats.Pooled, len(g.rows), "rows that differ in %s are in one line", commas(names)))
		}
		out = append(out, r)
	}
	return out, nil
}

// fit computes the line and its intervals from the replications that are complete.
func (r *drawnTrend) fit(run *claimRun, rows []int32, x, y *Column) {
	s := &claimSample{run: run, metric: y.Name}
	s.observe(rows, y, x, nil)
	s.finiteX(x.Name)
	lost := s.notFinite()
	s.withoutLostPoints()
	ls := newLines(s)
	t := &test{drop: true, samples: []*claimSample{s}}
	t.statistic = statistic{value: ls.number(func(l stats.Line) float64 { return l.Slope }), rule: stats.MayBeNegative}
	e := t.estimate()
	r.Line = ls.without(left{})
	r.Warnings = append(r.Counts.warnings(), r.Warnings...)
	if lost > 0 {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.NotFinite, lost, "%d of %d points are missing or not finite and were left out", lost, r.OK))
	}
	r.SlopeInterval, r.Replications = e.interval(run.Design.Confidence), e.replications
	r.SlopeInterval.Estimate = r.Slope
	r.Warnings = append(r.Warnings, s.jobs().remarks()...)
	for _, remark := range e.remarks {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.Unpaired, len(rows), "%s", remark))
	}
	if e.reason != "" {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.TooFew, e.replications, "%s", e.reason))
	}
	r.band = func(x float64) stats.Interval {
		at := &test{drop: true, samples: t.samples}
		at.statistic = statistic{value: ls.number(func(l stats.Line) float64 { return l.At(x) }), rule: stats.MayBeNegative}
		return at.estimate().interval(run.Design.Confidence)
	}
}

// poolable is the axes of the design that are not named: rows may differ in them unseen.
func poolable(f *Frame, d Design, named []string) []*Column {
	var out []*Column
	for _, a := range d.without(named...) {
		out = append(out, f.Column(a))
	}
	return out
}

// differing names the columns in which the rows do not all agree.
func differing(f *Frame, rows []int32, columns []*Column) []string {
	var names []string
	for _, c := range columns {
		for _, r := range rows[1:] {
			if compareValues(c.At(int(r)), c.At(int(rows[0]))) != 0 {
				names = append(names, c.Name)
				break
			}
		}
	}
	return names
}

func commas(names []string) string { return strings.Join(names, ", ") }

package claim

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// Fitter fits lines through rows of a run, by the rules of a claim's slope.
type Fitter struct{ run *prepared }

// Fitted is the line through some rows: all instances, all replications; where points have unequal numbers of them, each
// point weighs the same.
type Fitted struct {
	stats.Line // its warnings are about the rows, too
	// SlopeInterval is the slope's over replications: instances of one share their workload, so that they count as one.
	// Infinite where there are fewer than two replications, or no replication column.
	SlopeInterval stats.Interval
	Replications  int // that the interval rests on
	// Height is the interval of the line's height at any x.
	Height func(x float64) stats.Interval
}

// NewFitter prepares the rows of a frame.
func NewFitter(f *frame.Frame, d frame.Design) *Fitter {
	run := prepare(&frame.Run{Frame: f, Design: d})
	if run.replication.Codes == nil {
		run.replication = frame.Levels{Values: []frame.Value{frame.Number(0)}, Codes: make([]int32, f.Rows)}
	}
	if d.PlannedOf != nil && !slices.ContainsFunc(frame.GroupBy(f, d.Axes, nil).Groups, func(g frame.Group) bool { return len(g.Rows) != d.PlannedOf(g.Key) }) {
		run.classify()
		if slices.Contains(run.class, -1) {
			run.class = nil
		}
	}
	return &Fitter{run}
}

// Fit computes the line and its intervals from the replications that are complete.
func (f *Fitter) Fit(rows []int32, x, y *frame.Column) Fitted {
	s := &sample{run: f.run, metric: y.Name}
	s.observe(rows, y, x, nil)
	s.finiteX(x.Name)
	lost := s.notFinite()
	s.withoutLostPoints()
	ls := newLines(s)
	estimate := func(of func(stats.Line) float64) estimated {
		t := &test{drop: true, samples: []*sample{s}}
		t.statistic = statistic{value: ls.number(of), rule: stats.MayBeNegative}
		return t.estimate()
	}
	e := estimate(func(l stats.Line) float64 { return l.Slope })
	out := Fitted{Line: ls.without(left{}), SlopeInterval: e.interval(f.run.Design.Confidence), Replications: e.replications}
	out.SlopeInterval.Estimate = out.Slope
	if counts := frame.Count(rows, f.run.ok, -1); lost > 0 {
		out.Warnings = append(out.Warnings, stats.Warnf(stats.NotFinite, "%d of %d points are missing or not finite and were left out", lost, counts.OK))
	}
	out.Warnings = append(out.Warnings, s.jobs().Remarks()...)
	for _, remark := range e.remarks {
		out.Warnings = append(out.Warnings, stats.Warnf(stats.Unpaired, "%s", remark))
	}
	if e.reason != "" {
		out.Warnings = append(out.Warnings, stats.Warnf(stats.TooFew, "%s", e.reason))
	}
	out.Height = func(x float64) stats.Interval {
		return estimate(func(l stats.Line) float64 { return l.At(x) }).interval(f.run.Design.Confidence)
	}
	return out
}

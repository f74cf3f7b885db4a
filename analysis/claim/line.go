package claim

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Fitter fits trendlines through rows of a run, lines by the rules of a claim's slope.
type Fitter struct{ run *prepared }

// Fitted is the trendline through some rows. By least squares it is that of all instances, all replications; where points
// have unequal numbers of them, each point weighs the same. By Theil and Sen it is the median of those of the replications.
type Fitted struct {
	stats.Line // its warnings are about the rows, too
	// SlopeInterval is the slope's over replications: instances of one share their workload, so that they count as one.
	// Infinite where there are fewer than two replications. SlopeP is the p-value that inverts it, that the slope is not 0; NaN where
	// there is none.
	SlopeInterval stats.Interval
	SlopeP        float64
	// Bend is the same of the curvature of a parabola; NaN of others.
	Bend         stats.Interval
	BendP        float64
	Rule         stats.Rule // of the intervals
	Replications int        // that the intervals rest on
	// Height is the interval of the line's height at any x.
	Height func(x float64) stats.Interval
}

func NewFitter(f *frame.Frame, d frame.Design) *Fitter {
	run := prepare(&frame.Run{Frame: f, Design: d})
	if d.PlannedOf != nil && !slices.ContainsFunc(frame.GroupBy(f, d.Axes, nil).Groups, func(g frame.Group) bool {
		return len(g.Rows) != d.PlannedOf(g.Key)
	}) {
		run.classify()
		if slices.Contains(run.class, -1) {
			run.class = nil
		}
	}
	return &Fitter{run}
}

// Fit computes the trendline and its intervals from the replications that are complete.
func (f *Fitter) Fit(rows []int32, x, y *frame.Column, fit string) Fitted {
	s := &sample{run: f.run, metric: y.Name}
	s.observe(rows, y, x, nil)
	s.finiteX(x.Name)
	lost := s.notFinite()
	s.withoutLostPoints()
	ls := newLines(s)
	ls.bent = fit == study.FitQuadratic
	of := func(number func(stats.Line) float64) statistic {
		return statistic{value: ls.number(number), rule: stats.MayBeNegative}
	}
	line := func() stats.Line { return ls.without(left{}) }
	if fit == study.FitTheilSen {
		of, line = s.medianOf, func() stats.Line { return stats.MedianLine(s.linesOfReplications()) }
	}
	confidence := f.run.Design.Confidence
	estimate := func(number func(stats.Line) float64) (stats.Interval, estimated) {
		t := &test{drop: true, samples: []*sample{s}, statistic: of(number)}
		t.pairs = t.statistic.rule == stats.Ordered // their lines are of the same points
		e := t.estimate()
		return e.interval(confidence), e
	}
	i, e := estimate(func(l stats.Line) float64 { return l.Slope })
	out := Fitted{Line: line(), SlopeInterval: i, SlopeP: e.p, Bend: stats.NoInterval(nan), BendP: nan, Rule: of(nil).rule,
		Replications: e.replications}
	out.SlopeInterval.Estimate = out.Slope
	said := math.IsNaN(out.Slope) && len(out.Warnings) > 0 // the reason for having no line
	if ls.bent {
		bend, e := estimate(func(l stats.Line) float64 { return l.Curvature })
		out.Bend, out.BendP = bend, e.p
		out.MinX, out.MaxX = ls.all.MinX, ls.all.MaxX
	}
	if counts := frame.Count(rows, f.run.ok, frame.Amount{}); lost > 0 {
		out.Warnings = append(out.Warnings, stats.Warnf(stats.NotFinite, "%d of %d points are missing or not finite and were left out", lost,
			counts.OK))
	}
	out.Warnings = slices.Concat(out.Warnings, s.jobs().Remarks(), s.drifts())
	unpaired := func(remark string) stats.Warning { return stats.Warning{Code: stats.Unpaired, Text: remark} }
	out.Warnings = append(out.Warnings, text.Each(e.remarks, unpaired)...)
	if e.reason != "" && !said {
		out.Warnings = append(out.Warnings, stats.Warnf(stats.TooFew, "%s", e.reason))
	}
	out.Height = func(x float64) stats.Interval {
		i, _ := estimate(func(l stats.Line) float64 { return l.At(x) })
		return i
	}
	return out
}

func (s *sample) linesOfReplications() []stats.Line {
	points := map[int32][]stats.XY{}
	for i := range s.obs {
		o := &s.obs[i]
		points[o.replication] = append(points[o.replication], stats.XY{X: o.x, Y: o.y})
	}
	return text.Each(slices.Sorted(maps.Keys(points)), func(r int32) stats.Line { return stats.TheilSen(points[r]) })
}

func (s *sample) medianOf(number func(stats.Line) float64) statistic {
	each := func() stats.Sample { return stats.TakeSample(text.Each(s.linesOfReplications(), number)) }
	value := func(left) (float64, string) {
		if v := each(); v.N() > 0 && v.NotFinite() == 0 {
			return v.Median(), ""
		}
		return nan, fmt.Sprintf("a replication has no slope by Theil and Sen: it has fewer than 2 different abscissas, or more than %d points",
			stats.MostTheilSen)
	}
	return statistic{value: value, rule: stats.Ordered, each: each}
}

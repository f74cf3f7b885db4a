package claim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// crossing is the x at which the curves of two sides cross. A curve joins the points (mean x, mean metric) of the values
// of an axis by straight lines. Where log is set, the points are the logarithms of the means. A side that has no two
// different x is a horizontal line at its mean.
type crossing struct {
	of, to *sample
	metric string
	log    bool
}

func (t *test) crossing(s *study.Statistic, of, to side) (statistic, string) {
	c := &crossing{of: t.points(s, of), to: t.points(s, to), metric: s.Metric, log: s.Scale == "log"}
	lost := append(c.of.incomplete(), c.to.incomplete()...)
	c.of.without(s, lost)
	c.to.without(s, lost)
	return statistic{value: c.value, rule: stats.Crossing, curves: c}, of.unit(s.X)
}

func (c *crossing) pair(l left) (of, to curve, reason string) {
	of, to = c.of.curve(l), c.to.curve(l)
	if c.log && !(of.logarithmic() && to.logarithmic()) {
		return nil, nil, fmt.Sprintf("scale: log, and a mean of %s is not positive", c.metric)
	}
	return of, to, ""
}

func (c *crossing) value(l left) (float64, string) {
	of, to, reason := c.pair(l)
	if reason != "" {
		return nan, reason
	}
	found, from, until, reason := crossings(of, to)
	switch {
	case reason != "":
		return nan, reason
	case len(found) == 0:
		return nan, fmt.Sprintf("the curves do not cross between %.4g and %.4g", from, until)
	case len(found) > 1:
		at := text.Each(found, func(x float64) string { return fmt.Sprintf("%.4g", x) })
		return nan, fmt.Sprintf("the curves cross %d times, at %s; where: chooses points around one", len(found), frame.List(at))
	}
	return found[0], ""
}

func (t *test) points(s *study.Statistic, from side) *sample {
	f := from.run.Frame
	if f == nil || f.Head(s.By) == nil {
		sm := t.sample(from, s.Metric, s.X, nil)
		sm.seek()
		return sm
	}
	l := frame.LevelsOf(f.Held(s.By), nil)
	sm := t.sample(from, s.Metric, s.X, l.Codes)
	sm.cells, sm.rowCell = l.Values, l.Codes
	if slices.ContainsFunc(sm.obs, func(o observation) bool { return stats.Finite(o.x) }) {
		sm.finiteX(s.X) // without any x it is a horizontal line
	}
	return sm
}

// incomplete lists the values of the axis at which an instance has no answer.
func (s *sample) incomplete() []frame.Value {
	var out []frame.Value
	for _, h := range s.holes {
		if s.cells != nil && !slices.ContainsFunc(out, func(v frame.Value) bool { return v == s.cells[h.cell] }) {
			out = append(out, s.cells[h.cell])
		}
	}
	return out
}

// without leaves points out whole, on both sides of the crossing: a mean of the replications that have an answer would be
// another quantity, and a line drawn across a gap would meet a curve that has the point.
func (s *sample) without(c *study.Statistic, lost []frame.Value) {
	if s.cells == nil || s.reason != "" {
		return
	}
	used := make([]bool, len(s.cells))
	curved := 0
	for _, r := range s.chosen {
		if code := s.rowCell[r]; !used[code] {
			used[code] = true
			curved++
		}
	}
	gone := make([]bool, len(s.cells))
	var names []string
	for i, v := range s.cells {
		own := slices.ContainsFunc(s.holes, func(h hole) bool { return h.cell == int32(i) })
		// A side at one value of the axis is no curve, and keeps it independent of the other's losses.
		gone[i] = used[i] && (own || curved > 1 && slices.ContainsFunc(lost, v.Is))
		if gone[i] {
			names = append(names, v.String())
		}
	}
	if names == nil {
		return
	}
	n := len(s.holes)
	s.obs = slices.DeleteFunc(s.obs, func(o observation) bool { return gone[o.cell] })
	s.holes = nil
	clear(s.whole)
	for _, r := range s.chosen {
		if !gone[s.rowCell[r]] {
			s.whole[s.run.replication.Codes[r]]++
		}
	}
	remark := fmt.Sprintf("points where an instance failed or has no finite %s were left out: %s = %s", s.metric, c.By,
		strings.Join(names, ", "))
	if n > 0 {
		remark += fmt.Sprintf(" (%d of %d rows; %s)", n, len(s.chosen), s.selected)
	} else {
		remark += fmt.Sprintf(" (%s, as on the other side)", s.selected)
	}
	s.remarks = append(s.remarks, remark)
	if len(s.obs) == 0 {
		s.reason = "at every point an instance failed or has no finite " + s.metric + s.tooShort()
	}
}

// curve is points in ascending x; of a horizontal line it is one point without an x.
type curve []stats.XY

func (s *sample) curve(l left) curve {
	var out curve
	var all, allWeights, xs, ys, weights []float64
	for i := 0; i < len(s.obs); {
		cell := s.obs[i].cell
		xs, ys, weights = xs[:0], ys[:0], weights[:0]
		for ; i < len(s.obs) && s.obs[i].cell == cell; i++ {
			if o := &s.obs[i]; s.usesOf(o.replication, s.run.classOf(o.row), l) {
				xs, ys, weights = append(xs, o.x), append(ys, o.y), s.weigh(weights, o, l)
			}
		}
		all, allWeights = append(all, ys...), append(allWeights, weights...)
		// A mean over the finite ones of several x would belong to no point.
		if x := stats.NewSample(xs); x.N() > 0 && x.NotFinite() == 0 {
			out = append(out, stats.XY{X: meanBy(xs, weights), Y: meanBy(ys, weights)})
		}
	}
	slices.SortFunc(out, func(a, b stats.XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	out = out.merged()
	if len(out) < 2 {
		return curve{{X: nan, Y: meanBy(all, allWeights)}}
	}
	return out
}

// logarithmic takes the logarithm of every height and reports whether all have one.
func (c curve) logarithmic() bool {
	for i := range c {
		if c[i].Y <= 0 {
			return false
		}
		c[i].Y = math.Log(c[i].Y)
	}
	return true
}

func (c curve) merged() curve {
	var out curve
	for i := 0; i < len(c); {
		var ys []float64
		x := c[i].X
		for ; i < len(c) && c[i].X == x; i++ {
			ys = append(ys, c[i].Y)
		}
		out = append(out, stats.XY{X: x, Y: stats.TakeSample(ys).Mean()})
	}
	return out
}

func (c curve) at(x float64) float64 {
	if len(c) == 1 {
		return c[0].Y
	}
	i, exact := slices.BinarySearchFunc(c, x, func(p stats.XY, x float64) int { return cmp.Compare(p.X, x) })
	if exact {
		return c[i].Y
	}
	a, b := c[i-1], c[i]
	return a.Y + (b.Y-a.Y)*((x-a.X)/(b.X-a.X))
}

// crossings lists where one curve passes from one side of the other to the other side, in ascending x, and the range in
// which both are known. Where they touch without passing they do not cross; where they run together between two sides
// the crossing is the middle of that stretch.
func crossings(a, b curve) (found []float64, from, until float64, reason string) {
	xs, reason := knots(a, b)
	if reason != "" {
		return nil, nan, nan, reason
	}
	from, until = xs[0], xs[len(xs)-1]
	last, gap := -1, 0.0 // the last point where they differ, and by how much
	for i, x := range xs {
		d := a.at(x) - b.at(x)
		if d == 0 {
			continue
		}
		if last >= 0 && (d > 0) != (gap > 0) {
			if i == last+1 {
				found = append(found, xs[last]+(x-xs[last])*(gap/(gap-d)))
			} else {
				found = append(found, (xs[last+1]+xs[i-1])/2)
			}
		}
		last, gap = i, d
	}
	return found, from, until, ""
}

// knots are the x of the points of two curves, from the first to the last at which both are known, in ascending order.
func knots(a, b curve) (xs []float64, reason string) {
	from, until := math.Inf(-1), math.Inf(1)
	for _, c := range []curve{a, b} {
		if len(c) < 2 {
			continue
		}
		from, until = max(from, c[0].X), min(until, c[len(c)-1].X)
		xs = append(xs, text.Each(c, func(p stats.XY) float64 { return p.X })...)
	}
	if xs == nil {
		return nil, "neither side has two different x"
	}
	xs = slices.DeleteFunc(xs, func(x float64) bool { return x < from || x > until })
	slices.Sort(xs)
	xs = slices.Compact(xs)
	if len(xs) < 2 {
		return nil, "the curves have no range of x in common"
	}
	return xs, ""
}

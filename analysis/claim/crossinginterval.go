package claim

import (
	"math"
	"slices"

	"schedsweep/analysis/stats"
)

// gap is the distance between the curves of a crossing at any x, with its jackknife error over replications.
type gap struct {
	test   *test
	active []activity
	curves map[left][2]curve // of all replications, and without each
	within [2]float64        // range of x in which all of these curves are known
	knots  []float64         // of the curves of all, inside that range
}

// interval is the set of x at which the paired t-test over replications accepts that the curves are equally high (a
// crossing's own error is not normal: its jackknife covers .80 of the time with any number of replications), made one by its
// hull. An end is infinite where equality is accepted as far as both curves are known.
func (c *crossing) interval(t *test, active []activity) func(confidence float64) stats.Interval {
	at, _ := c.value(left{})
	g, ok := c.gap(t, active)
	if !ok {
		return func(float64) stats.Interval { return stats.NoInterval(at) }
	}
	xs := g.grid(at)
	return func(confidence float64) stats.Interval {
		xs := g.refined(xs, confidence)
		from := 0
		for from < len(xs)-1 && xs[from] < at { // it may lie where it is not known without some replication
			from++
		}
		until := from
		for i, x := range xs {
			if g.accepts(x, confidence) {
				from, until = min(from, i), max(until, i)
			}
		}
		i := stats.NoInterval(at)
		if from > 0 {
			i.Low = g.border(xs[from-1], xs[from], confidence)
		}
		if until < len(xs)-1 {
			i.High = g.border(xs[until+1], xs[until], confidence)
		}
		return i
	}
}

func (c *crossing) gap(t *test, active []activity) (*gap, bool) {
	g := &gap{test: t, active: active, curves: map[left][2]curve{}, within: [2]float64{math.Inf(-1), math.Inf(1)}}
	_, reason := t.jackknife(active, func(l left) (float64, string) {
		of, to, reason := c.pair(l)
		xs, none := knots(of, to)
		if reason != "" || none != "" {
			return nan, reason + none
		}
		g.within = [2]float64{max(g.within[0], xs[0]), min(g.within[1], xs[len(xs)-1])}
		g.curves[l] = [2]curve{of, to}
		return 0, ""
	})
	if reason != "" {
		return nil, false
	}
	all := g.curves[left{}]
	g.knots, _ = knots(all[0], all[1])
	return g, g.within[0] < g.within[1]
}

func (g *gap) at(x float64) stats.Estimate {
	e, _ := g.test.jackknife(g.active, func(l left) (float64, string) {
		if p, ok := g.curves[l]; ok {
			return p[0].at(x) - p[1].at(x), ""
		}
		return nan, ""
	})
	return e
}

// accepts reports whether the test accepts equality at x. Where no replication differs, as at a common origin, there is
// nothing to test.
func (g *gap) accepts(x, confidence float64) bool {
	e := g.at(x)
	return e.SE > 0 && e.Student(confidence).Contains(0)
}

// gridSteps is into how many parts the grid divides what lies between two knots. There the gap is straight and its variance
// a parabola, so that the accepted x are one stretch or two: few parts find it, and the crossing itself is one of the grid.
const gridSteps = 12

// grid returns the places where the test is tried first: from end to end of the range, the crossing among them.
func (g *gap) grid(at float64) []float64 {
	ends := []float64{g.within[0]}
	for _, x := range append(g.knots, g.within[1]) {
		if x > g.within[0] && x <= g.within[1] && x > ends[len(ends)-1] {
			ends = append(ends, x)
		}
	}
	var out []float64
	for i, x := range ends {
		if i > 0 {
			before := ends[i-1]
			for k := 1; k < gridSteps; k++ {
				out = append(out, before+(x-before)*float64(k)/gridSteps)
			}
		}
		out = append(out, x)
	}
	out = append(out, min(max(at, g.within[0]), g.within[1]))
	slices.Sort(out)
	return slices.Compact(out)
}

// refined adds where, between two knots, the squared gap less t^2 times its variance is least or largest: a parabola;
// the grid would overlook a narrower stretch of it.
func (g *gap) refined(xs []float64, confidence float64) []float64 {
	f := func(x float64) float64 {
		e := g.at(x)
		t := stats.TQuantile(confidence, max(e.DF, 1)) * e.SE
		return e.Value*e.Value - t*t
	}
	out := slices.Clone(xs)
	for i := 2; i < len(xs); i++ {
		a, b, c := xs[i-2], xs[i-1], xs[i]
		fa, fb, fc := f(a), f(b), f(c)
		if (fa > 0) != (fb > 0) || (fb > 0) != (fc > 0) {
			continue
		}
		u, v := b-a, c-b
		bend := v*(fa-fb) + u*(fc-fb)
		x := b + (v*v*(fa-fb)-u*u*(fc-fb))/(2*bend)
		if bend != 0 && x > a && x < c {
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// border finds where acceptance begins between an x at which equality is rejected and one at which it is accepted.
func (g *gap) border(rejected, accepted, confidence float64) float64 {
	for range 60 {
		middle := rejected + (accepted-rejected)/2
		if middle == rejected || middle == accepted {
			break
		}
		if g.accepts(middle, confidence) {
			accepted = middle
		} else {
			rejected = middle
		}
	}
	return accepted
}

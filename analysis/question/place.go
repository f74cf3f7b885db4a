package question

import (
	"math"

	"schedsweep/analysis/stats"
)

// place is a point of the axis: how far the sides are apart, by replication.
type place struct {
	at   float64 // on the axis that is chosen
	x    float64 // on the axis that is asked about
	gaps []float64
	gap  float64   // their mean
	off  []float64 // X of each replication less x, where it is measured
}

// place computes the gaps of a point. Those of logarithms are linear in the rows (delta method).
func (d *decision) place(at float64, of, to []Row) (place, bool) {
	p := place{at: at, x: at, gaps: metric(of)}
	base := func(int) float64 { return d.Bound }
	if d.Against {
		base = func(i int) float64 { return to[i].Y }
	}
	if d.Log {
		m, b := stats.NewSample(p.gaps).Mean(), d.Bound
		if d.Against {
			b = stats.NewSample(metric(to[:len(of)])).Mean()
		}
		if !(m > 0 && b > 0) {
			return p, false
		}
		for i := range p.gaps {
			p.gaps[i] = math.Log(m/b) + p.gaps[i]/m - base(i)/b
		}
	} else {
		for i := range p.gaps {
			p.gaps[i] -= base(i)
		}
	}
	p.gap = stats.NewSample(p.gaps).Mean()
	if d.Measured {
		p.off = make([]float64, len(of))
		for i, r := range of {
			p.off[i] = r.X
		}
		p.x = stats.NewSample(p.off).Mean()
		for i := range p.off {
			p.off[i] -= p.x
		}
	}
	return p, true
}

// sign is that of a point's gap, 0 where the rows do not tell.
func (p place) sign() int {
	i := stats.NewSample(p.gaps).Estimate().Interval(signConfidence)
	switch {
	case i.Low > 0:
		return 1
	case i.High < 0:
		return -1
	}
	return 0
}

// crossed is the set of places at which the paired t-test accepts equal means on the line
// through two points, unbounded where it is no stretch.
func crossed(a, b place) stats.Interval {
	n, slope := len(a.gaps), (b.gap-a.gap)/(b.x-a.x)
	var aa, ab, bb stats.Total
	for i := range n {
		u, v := a.gaps[i]-a.gap, b.gaps[i]-b.gap
		if a.off != nil { // a place is to the right of where its replication was
			u, v = u-slope*a.off[i], v-slope*b.off[i]
		}
		aa.Add(u * u)
		ab.Add(u * v)
		bb.Add(v * v)
	}
	t := stats.TQuantile(crossingConfidence, max(n-1, 1))
	k := t * t / float64(n) / float64(max(n-1, 1))
	rise := b.gap - a.gap
	// (a.gap + s rise)^2 <= k (aa + 2 s (ab - aa) + s^2 (aa - 2 ab + bb)), at the share s of the way
	q2 := rise*rise - k*(aa.Value()-2*ab.Value()+bb.Value())
	q1 := a.gap*rise - k*(ab.Value()-aa.Value())
	q0 := a.gap*a.gap - k*aa.Value()
	at := func(s float64) float64 { return a.x + s*(b.x-a.x) }
	i := stats.NoInterval(at(-a.gap / rise))
	if root := q1*q1 - q2*q0; q2 > 0 && root >= 0 && n > 1 {
		low, high := at((-q1-math.Sqrt(root))/q2), at((-q1+math.Sqrt(root))/q2)
		i.Low, i.High = min(low, high), max(low, high)
	}
	return i
}

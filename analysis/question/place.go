package question

import (
	"math"
	"slices"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// place is a point of the axis: how far the sides are apart, by replication.
type place struct {
	at    float64   // on the axis that is chosen
	x     float64   // on the axis of the question
	gaps  []float64 // the first of these are pairs, the others have no partner
	pairs int
	gap   float64        // their mean
	told  stats.Interval // of the mean, with the confidence of signs
	log   bool           // the gaps are of logarithms
	off   []float64      // X of each replication less x, where it is measured
	to    float64        // the mean of the gaps that is compared with, 1 of logarithms
	used  int            // controls that the values are without
	r2    float64        // the share of the first side's variance that they explain
	// even is the ratio of partners to replications at which one of either narrows the gap as much.
	even  float64
	short bool // the mean is undefined, and has no sign
}

// place computes the gaps of a point. Those of logarithms are linear in the rows (delta method). If a mean has no logarithm, the gaps are
// those of the means, which have the sign too.
func (d *decision) place(at float64, of, to []Row) place {
	n := len(of)
	p := place{at: at, x: at, pairs: n, even: 1, r2: math.NaN()}
	ours, used := controlled(of, metric(of))
	if p.used = used; used > 0 {
		p.r2 = 1 - math.Pow(stats.NewSample(ours).SD()/stats.NewSample(metric(of)).SD(), 2)
	}
	theirs, bound := []float64(nil), d.Bound
	if d.Against {
		p.pairs = min(n, len(to))
		theirs, used = controlled(to[:p.pairs], metric(to[:p.pairs]))
		p.used = max(p.used, used)
		scale(theirs, 1/(1+d.Growth))
		bound = stats.NewSample(theirs).Mean()
	}
	shift, mean := -bound, stats.NewSample(ours).Mean()
	if p.log = d.Log && mean > 0 && bound > 0; p.log {
		shift = math.Log(mean/bound) - 1
		scale(ours, mean)
		scale(theirs, bound)
		bound = 1
	}
	p.to = bound
	p.gaps = make([]float64, n)
	for i := range ours {
		p.gaps[i] = ours[i] + shift
	}
	for i, v := range theirs {
		p.gaps[i] -= (v - bound) * float64(n) / float64(p.pairs)
	}
	p.gap = stats.NewSample(p.gaps).Mean()
	if d.Against && d.Fixed {
		p.even = even(ours[:p.pairs], theirs)
	}
	if d.Measured {
		p.off, _ = controlled(of, text.Refs(of, func(r *Row) float64 { return r.X }))
		p.x = stats.NewSample(p.off).Mean()
		for i := range p.off {
			p.off[i] -= p.x
		}
	}
	p.told = p.interval()
	return p
}

// Measured is a point by its rows, without the part that their controls explain.
type Measured struct {
	X float64        // the mean of Row.X
	Y stats.Interval // the mean of Row.Y with its 95 % confidence interval over replications
}

// Measure returns the means of the rows that have a value; both are NaN where none has, and where the mean is undefined.
func Measure(rows []Row) Measured {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !stats.Finite(r.Y) || !stats.Finite(r.X) })
	if by, spread := stats.Transient(text.Refs(rows, growth)); by+spread > stats.MostTransient {
		rows = nil
	}
	x, _ := controlled(rows, text.Refs(rows, func(r *Row) float64 { return r.X }))
	y, used := controlled(rows, metric(rows))
	if used == 0 {
		return Measured{stats.NewSample(x).Mean(), stats.NewSample(y).MeanInterval(0.95)}
	}
	e := stats.NewSample(y).Estimate()
	e.DF -= used
	return Measured{stats.NewSample(x).Mean(), e.Interval(0.95)}
}

// controlled returns a copy of the rows' values without the part that controls explain, and the number of such controls.
func controlled(rows []Row, values []float64) ([]float64, int) {
	if len(rows) == 0 || len(rows[0].Controls) == 0 {
		return values, 0
	}
	return stats.Adjust(values, text.Refs(rows, func(r *Row) []float64 { return r.Controls }))
}

func scale(values []float64, by float64) {
	for i := range values {
		values[i] /= by
	}
}

// even is the ratio m/n at which n + m replications of two sides (m of them pairs) give the least variance of the difference of
// their means: vary/n + varb/m - 2 cov/n; 1 at most.
func even(ours, theirs []float64) float64 {
	y, b := stats.NewSample(ours), stats.NewSample(theirs)
	var both stats.Total
	for i := range ours {
		both.Add((ours[i] - y.Mean()) * (theirs[i] - b.Mean()))
	}
	alone := y.SD()*y.SD() - 2*both.Value()/float64(len(ours)-1)
	if ratio := b.SD() / math.Sqrt(alone); ratio < 1 {
		return ratio
	}
	return 1
}

// interval is that of a point's gap, with the confidence of signs.
func (p place) interval() stats.Interval {
	i := p.estimate(p.gaps).Interval(signConfidence)
	if p.pairs < len(p.gaps) {
		half := p.halfWidth(0, signConfidence)
		i.Low, i.High = p.gap-half, p.gap+half
	}
	return i
}

// shareOf is a gap as a share of the mean that is compared with.
func (p place) shareOf(gap float64) float64 {
	if p.log {
		return math.Expm1(gap)
	}
	return gap / math.Abs(p.to)
}

// sign is that of a point's gap, 0 where the rows do not tell.
func (p place) sign() int {
	switch i := p.told; {
	case i.Low > 0:
		return 1
	case i.High < 0:
		return -1
	}
	return 0
}

// skewed reports whether a point has no sign for its skewness alone.
func (p place) skewed() bool {
	i := p.estimate(p.gaps).Student(signConfidence)
	return p.sign() == 0 && (i.Low > 0 || i.High < 0)
}

// estimate is the mean of a number for each replication, with the degrees of freedom that controls leave.
func (p place) estimate(values []float64) stats.Estimate {
	e := stats.NewSample(values).Estimate()
	e.DF -= p.used
	return e
}

// gapAt is the gap of a replication: its place is shifted to the right by its error.
func (p place) gapAt(i int, slope float64) float64 {
	if p.off == nil {
		return p.gaps[i]
	}
	return p.gaps[i] - slope*p.off[i]
}

// halfWidth is that of the t interval of the gap. Replications with and without a partner are
// samples of their own, and the smaller one gives the degrees of freedom.
func (p place) halfWidth(slope, confidence float64) float64 {
	n := len(p.gaps)
	gaps := make([]float64, n)
	for i := range gaps {
		gaps[i] = p.gapAt(i, slope)
	}
	squares, df := 0.0, n-1
	for _, part := range [][]float64{gaps[:p.pairs], gaps[p.pairs:]} {
		if len(part) > 0 {
			sd := stats.NewSample(part).SD()
			squares += sd * sd * float64(len(part))
			df = min(df, len(part)-1)
		}
	}
	if df -= p.used; df < 1 {
		return math.Inf(1)
	}
	return stats.TQuantile(confidence, df) * math.Sqrt(squares) / float64(n)
}

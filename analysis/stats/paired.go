package stats

import (
	"cmp"
	"math"
	"slices"
)

// Pair holds two measurements of the same thing: Base under the baseline, Other under its rival.
// On common random numbers both come from the same workload, so that their difference varies less than either.
type Pair struct{ Base, Other float64 }

// Paired compares Other with Base over a set of pairs.
type Paired struct {
	N         int     // complete pairs used
	BaseMean  float64 // over the pairs used
	OtherMean float64
	// Difference is the mean of Other - Base with the interval of [Estimate.Interval] over the differences.
	Difference Interval
	Error      Estimate // of the difference
	// Tested is the quantity that decides whether the means differ, by its distance from 0: the logarithm of the ratio
	// where no value is negative, whose interval covers better and sees what every pair shows, else the difference.
	Tested      Estimate
	TestedRatio bool // it is that logarithm
	// Ratio is mean(Other) / mean(Base) with the interval of [LogRatio] or, where a value is negative, of [Fieller].
	Ratio     Interval
	RatioRule Rule
	Warnings  []Warning
}

// ComparePaired compares over pairs; a pair with a value that is not finite is left out and counted.
func ComparePaired(pairs []Pair, confidence float64) Paired {
	ps := make([]Pair, 0, len(pairs))
	for _, p := range pairs {
		if Finite(p.Base) && Finite(p.Other) {
			ps = append(ps, Pair{p.Base + 0, p.Other + 0})
		}
	}
	slices.SortFunc(ps, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.Base, b.Base), cmp.Compare(a.Other, b.Other)) })
	r := Paired{N: len(ps), Ratio: NoInterval(math.NaN()), RatioRule: Logarithm}
	if left := len(pairs) - len(ps); left > 0 {
		r.Warnings = append(r.Warnings, Warnf(NotFinite, "%d of %d pairs hold a value that is missing or not finite and were left out", left,
			len(pairs)))
	}
	if len(ps) < 2 {
		r.Warnings = append(r.Warnings, Warnf(TooFew, "a paired interval needs at least 2 pairs, there %s %d", are(len(ps)), len(ps)))
	}
	base, other, diff := make([]float64, len(ps)), make([]float64, len(ps)), make([]float64, len(ps))
	for i, p := range ps {
		base[i], other[i], diff[i] = p.Base, p.Other, p.Other-p.Base
	}
	r.BaseMean, r.OtherMean = NewSample(base).Mean(), NewSample(other).Mean()
	r.Error = TakeSample(diff).Estimate()
	r.Tested = r.Error
	r.Difference = r.Error.Interval(confidence)
	switch {
	case len(ps) == 0:
	case r.BaseMean == 0:
		r.doubt(noRatio)
	case slices.Min(base) >= 0 && slices.Min(other) >= 0:
		r.Ratio = Interval{Estimate: r.OtherMean / r.BaseMean, High: math.Inf(1)}
		if log := logRatioOfPairs(base, other, r.Ratio.Estimate); !Finite(log.Value) || math.IsNaN(log.SE) {
			r.doubt(noBounds)
		} else {
			r.testRatio(log, confidence)
		}
	default:
		r.RatioRule = Quotient
		r.fiellerOfPairs(base, other, confidence)
	}
	return r
}

// The reasons why there is no ratio, or no bounded interval of one.
const (
	noRatio  = "the baseline's mean is 0: there is no ratio"
	noBounds = "a mean is 0, or is without one of the replications: the ratio of means has no bounded interval"
)

// doubt warns about the ratio. Fewer than two replications have a warning of their own.
func (r *Paired) doubt(why string) {
	if r.N >= 2 {
		r.Warnings = append(r.Warnings, Warnf(NearZero, "%s", why))
	}
}

// testRatio makes the logarithm of the ratio decide whether the means differ.
func (r *Paired) testRatio(log Estimate, confidence float64) {
	i := log.Exponential(confidence)
	r.Ratio.Low, r.Ratio.High = i.Low, i.High
	r.Tested, r.TestedRatio = log, true
	r.Tested.Skew = math.NaN() // its interval is Student's
}

// LogRatio is the estimate of the logarithm of a ratio of two positive statistics, for [Estimate.Exponential]: log is
// the jackknife estimate of the logarithm, of and to are what each replication brings to numerator and denominator
// (pseudo-values; for means, its values), by independent set of replications. The ratio is that of these averages to
// the given power (for standard deviations, of variances, 1/2). The standard error is not taken to be below that of the
// mean of the logarithms of the replications' own ratios, over the replications that have one: with few skewed
// replications the jackknife sees too little of them (Fieller's interval covers .84 to .95 there, and is unbounded in
// up to 39 % of samples).
func LogRatio(log Estimate, of, to [][]float64, power float64) Estimate {
	floor := 0.0
	for set := range of {
		var ratios []float64
		for i := range of[set] {
			if of[set][i] > 0 && to[set][i] > 0 {
				ratios = append(ratios, of[set][i]/to[set][i])
			}
		}
		se := spreadOfLogs(ratios)
		floor += se * se
	}
	if floor = beyond(power*math.Sqrt(floor), 1); floor > log.SE {
		log.SE = floor
	}
	return log
}

func logRatioOfPairs(base, other []float64, ratio float64) Estimate {
	n := float64(len(base))
	allBase, allOther := Sum(base), Sum(other)
	out := make([]float64, len(base))
	for i := range base {
		// The sum without the only value that is not 0 may round to something else than 0.
		left := Pair{max(allBase-base[i], 0), max(allOther-other[i], 0)}
		if left.Base <= 1e-15*allBase {
			left.Base = 0
		}
		if left.Other <= 1e-15*allOther {
			left.Other = 0
		}
		out[i] = (n - 1) / n * -math.Log(left.Other/left.Base) // the contribution of the replication, but for a constant
	}
	return LogRatio(combine(math.Log(ratio), []cumulants{bring(out)}), [][]float64{other}, [][]float64{base}, 1)
}

// Fieller is the interval of a ratio A / B of statistics that may be negative: all r for which Student's test accepts that
// A - r B is 0 (E. C. Fieller 1954, Some problems in interval estimation, Journal of the Royal Statistical Society B 16,
// 175-185). It reports false where that set is not bounded, which is where B may be 0. rest is the estimate of
// A - (A/B) B, whose value is 0, to that of B, and sum that of the sum of both.
//
// With d = r - A/B it solves (B^2 - t^2 var(B)) d^2 + 2 t^2 cov(rest, B) d - t^2 var(rest) <= 0; nothing cancels there.
func Fieller(ratio float64, rest, to, sum Estimate, confidence float64) (Interval, bool) {
	df := min(rest.DF, to.DF, sum.DF)
	if df < 1 || math.IsNaN(ratio+rest.SE+to.SE+sum.SE) {
		return NoInterval(ratio), false
	}
	t := TQuantile(confidence, df)
	k := t * t
	a := to.Value*to.Value - k*to.SE*to.SE
	if !(a > 0) {
		return NoInterval(ratio), false
	}
	b := k * (sum.SE*sum.SE - rest.SE*rest.SE - to.SE*to.SE) / 2
	root := math.Sqrt(b*b + a*k*rest.SE*rest.SE)
	return Interval{Estimate: ratio, Low: ratio + (-b-root)/a, High: ratio + (-b+root)/a}, true
}

func (r *Paired) fiellerOfPairs(base, other []float64, confidence float64) {
	ratio := r.OtherMean / r.BaseMean
	rest, sum := make([]float64, len(base)), make([]float64, len(base))
	for i := range base {
		rest[i] = other[i] - ratio*base[i]
		sum[i] = rest[i] + base[i]
	}
	var ok bool
	r.Ratio, ok = Fieller(ratio, TakeSample(rest).Estimate(), NewSample(base).Estimate(), TakeSample(sum).Estimate(), confidence)
	if !ok {
		r.doubt("the baseline's mean does not differ from 0 at this confidence: the ratio of means has no bounded interval")
	}
}

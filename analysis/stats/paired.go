package stats

import (
	"cmp"
	"math"
	"slices"
)

// Pair holds two measurements of the same thing: Base under the baseline, Other under what is compared with it.
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
	// Tested is what tells whether the means differ, by its distance from 0: the logarithm of the ratio where no value is
	// negative, whose interval covers better and sees what every pair shows, else the difference.
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
		r.Warnings = append(r.Warnings, Warnf(NotFinite, "%d of %d pairs hold a value that is missing or not finite and were left out", left, len(pairs)))
	}
	if len(ps) < 2 {
		r.Warnings = append(r.Warnings, Warnf(TooFew, "a paired interval needs at least 2 pairs, there are %d", len(ps)))
	}
	base, other, diff := make([]float64, len(ps)), make([]float64, len(ps)), make([]float64, len(ps))
	for i, p := range ps {
		base[i], other[i], diff[i] = p.Base, p.Other, p.Other-p.Base
	}
	r.BaseMean, r.OtherMean = NewSample(base).Mean(), NewSample(other).Mean()
	r.Error = TakeSample(diff).Estimate()
	r.Tested = r.Error
	r.Difference = r.Error.Interval(confidence)
	var doubt string
	switch {
	case len(ps) == 0 || r.BaseMean == 0:
		doubt = "the baseline's mean is 0: there is no ratio"
	case slices.Min(base) >= 0 && slices.Min(other) >= 0:
		ratio := logRatioOfPairs(base, other, r.OtherMean/r.BaseMean)
		if r.Ratio, doubt = ratio.interval(confidence); doubt == "" {
			r.Tested, r.TestedRatio = ratio.log, true
			r.Tested.Skew = math.NaN() // its interval is Student's
		}
	default:
		r.RatioRule = Quotient
		r.Ratio, doubt = fiellerOfPairs(base, other, r.OtherMean/r.BaseMean, confidence)
	}
	if doubt != "" && len(ps) >= 2 {
		r.Warnings = append(r.Warnings, Warnf(NearZero, "%s", doubt))
	}
	return r
}

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
	// Difference is the mean of Other - Base with the paired Student interval. In R: t.test(other, base, paired = TRUE).
	Difference Interval
	// Ratio is mean(Other) / mean(Base) with Fieller's interval for pairs.
	Ratio Interval
	// MeanRatio is the mean of Other/Base with its Student interval; pairs whose Base is 0 are left out of it.
	MeanRatio Interval
	Warnings  []Warning
}

// ComparePaired compares over pairs; a pair with a value that is not finite is left out and counted.
//
// Ratio of means: the interval is Fieller's (E. C. Fieller 1954, Some problems in interval estimation, Journal of the
// Royal Statistical Society B 16, 175-185): all ratios r for which the paired t-test of Other - r Base accepts a mean of 0.
// It is preferred to the delta method because it is exact for normal pairs, is not symmetric where the ratio is not, and
// says when the data do not bound the ratio: then the interval is infinite and a warning says so.
//
// Where no value is negative, as with times, no ratio is, and the intervals of both ratios end at 0: that leaves out
// nothing that could be true, so they cover what they did.
func ComparePaired(pairs []Pair, confidence float64) Paired {
	ps := make([]Pair, 0, len(pairs))
	for _, p := range pairs {
		if isFinite(p.Base) && isFinite(p.Other) {
			ps = append(ps, Pair{p.Base + 0, p.Other + 0})
		}
	}
	slices.SortFunc(ps, func(a, b Pair) int {
		if c := cmp.Compare(a.Base, b.Base); c != 0 {
			return c
		}
		return cmp.Compare(a.Other, b.Other)
	})
	r := Paired{N: len(ps)}
	if left := len(pairs) - len(ps); left > 0 {
		r.Warnings = append(r.Warnings, Warnf(NotFinite, left, "%d of %d pairs hold a value that is missing or not finite and were left out", left, len(pairs)))
	}
	if len(ps) < 2 {
		r.Warnings = append(r.Warnings, Warnf(TooFew, len(ps), "a paired interval needs at least 2 pairs, there are %d", len(ps)))
	}
	base, other, diff, ratio := make([]float64, len(ps)), make([]float64, len(ps)), make([]float64, len(ps)), make([]float64, 0, len(ps))
	for i, p := range ps {
		base[i], other[i], diff[i] = p.Base, p.Other, p.Other-p.Base
		if p.Base != 0 {
			ratio = append(ratio, p.Other/p.Base)
		}
	}
	if zero := len(ps) - len(ratio); zero > 0 {
		r.Warnings = append(r.Warnings, Warnf(NearZero, zero, "%d of %d pairs have a baseline of 0 and were left out of the mean of ratios", zero, len(ps)))
	}
	r.BaseMean, r.OtherMean = NewSample(base).Mean(), NewSample(other).Mean()
	r.Difference = TakeSample(diff).MeanInterval(confidence)
	r.MeanRatio = TakeSample(ratio).MeanInterval(confidence)
	var ok bool
	if r.Ratio, ok = fieller(ps, r.BaseMean, r.OtherMean, confidence); !ok && len(ps) >= 2 {
		r.Warnings = append(r.Warnings, Warnf(NearZero, len(ps), "the baseline's mean does not differ from 0 at this confidence: the ratio of means has no bounded interval"))
	}
	if len(ps) > 0 && slices.Min(base) >= 0 && slices.Min(other) >= 0 {
		r.Ratio, r.MeanRatio = r.Ratio.notNegative(), r.MeanRatio.notNegative()
	}
	return r
}

// fieller solves the quadratic in the distance d = r - ratio: with e = other - ratio*base, whose mean is 0,
//
//	(mean(base)^2 - k Sbb) d^2 + 2 k Seb d - k See <= 0,  k = t^2 / (n (n-1)),
//
// in which nothing cancels. It reports false where the set is unbounded.
func fieller(ps []Pair, base, other, confidence float64) (Interval, bool) {
	n := len(ps)
	if n == 0 || base == 0 {
		return nowhere(), false
	}
	ratio := other / base
	if n < 2 {
		return unbounded(ratio), false
	}
	var bb, ee, eb accumulator
	for _, p := range ps {
		db := p.Base - base
		e := p.Other - other - ratio*db
		bb.add(db * db)
		ee.add(e * e)
		eb.add(e * db)
	}
	t := TQuantile(confidence, n-1)
	k := t * t / (float64(n) * float64(n-1))
	a := base*base - k*bb.total()
	if !(a > 0) {
		return unbounded(ratio), false
	}
	b := k * eb.total()
	root := math.Sqrt(b*b + a*k*ee.total())
	return Interval{Estimate: ratio, Low: ratio + (-b-root)/a, High: ratio + (-b+root)/a}, true
}

package stats

import (
	"iter"
	"math"
	"slices"
)

// Sample is a set of finite numbers in ascending order. The zero value is the empty sample.
type Sample struct {
	sorted    []float64
	mean      float64
	notFinite int
}

// NewSample copies, sorts and measures values; NaN and infinite ones are left out and counted. O(n log n).
func NewSample(values []float64) Sample { return TakeSample(slices.Clone(values)) }

// TakeSample is [NewSample] without the copy: it sorts values in place and keeps them.
func TakeSample(values []float64) Sample {
	finite := values[:0]
	for _, v := range values {
		if Finite(v) {
			finite = append(finite, v+0) // +0 turns -0 into 0: the sign of a zero must not depend on the order
		}
	}
	slices.Sort(finite)
	s := Sample{sorted: finite, notFinite: len(values) - len(finite), mean: math.NaN()}
	if len(finite) > 0 {
		s.mean = min(max(Sum(finite)/float64(len(finite)), finite[0]), finite[len(finite)-1])
	}
	return s
}

// N is the number of finite values.
func (s Sample) N() int { return len(s.sorted) }

// Sorted are the finite values in ascending order, which the caller does not change.
func (s Sample) Sorted() []float64 { return s.sorted }

// NotFinite is the number of values that were left out.
func (s Sample) NotFinite() int { return s.notFinite }

// Mean is the arithmetic mean, NaN for the empty sample.
func (s Sample) Mean() float64 { return s.mean }

// SD is the standard deviation with divisor n-1, NaN below two values.
func (s Sample) SD() float64 {
	if len(s.sorted) < 2 {
		return math.NaN()
	}
	var a Total
	for _, v := range s.sorted {
		a.Add((v - s.mean) * (v - s.mean))
	}
	return math.Sqrt(a.Value() / float64(len(s.sorted)-1))
}

// Quantile is the p-quantile (0 <= p <= 1) of type 7 of Hyndman and Fan (1996, The American Statistician 50, 361-365):
// linear between order statistics, the default of R's quantile and of numpy. NaN for the empty sample.
func (s Sample) Quantile(p float64) float64 {
	n := len(s.sorted)
	if n == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	h := float64(n-1) * min(max(p, 0), 1)
	i := int(math.Floor(h))
	if i >= n-1 {
		return s.sorted[n-1]
	}
	lo, hi := s.sorted[i], s.sorted[i+1]
	if lo == hi {
		return lo
	}
	return min(max(lo+(h-float64(i))*(hi-lo), lo), hi)
}

// Shares yields each different value with the share of the values up to it: the empirical distribution function.
func (s Sample) Shares() iter.Seq2[float64, float64] {
	return func(yield func(float64, float64) bool) {
		for i, v := range s.sorted {
			if i+1 < len(s.sorted) && s.sorted[i+1] == v {
				continue
			}
			if !yield(v, float64(i+1)/float64(len(s.sorted))) {
				return
			}
		}
	}
}

func (s Sample) Median() float64 { return s.Quantile(0.5) }

func (s Sample) Min() float64 { return s.Quantile(0) }

func (s Sample) Max() float64 { return s.Quantile(1) }

// Estimate is the mean with its standard error sd / sqrt(n) and the skewness of its error.
func (s Sample) Estimate() Estimate {
	return combine(s.mean, []cumulants{ofMean(s.sorted, 1)})
}

// MeanInterval is the interval of the mean. Where no value is negative it follows the rule for such quantities, and else that for
// others: [Estimate.NotNegative], [Estimate.Interval]. Below two values it is infinite.
func (s Sample) MeanInterval(confidence float64) Interval {
	if s.MeanRule() == NotNegative {
		return s.Estimate().NotNegative(confidence)
	}
	return s.Estimate().Interval(confidence)
}

// MeanRule is the rule of MeanInterval.
func (s Sample) MeanRule() Rule {
	if len(s.sorted) > 0 && s.sorted[0] >= 0 {
		return NotNegative
	}
	return MayBeNegative
}

// QuantileInterval is the interval of the p-quantile (0 < p < 1) of what the values were drawn from, between two of them
// (order statistics): each end is missed with at most half of what the confidence leaves, for any law. It is infinite
// on a side where the values are too few: at 0.95 a median needs 6, a quartile 13, a 0.9-quantile 36. The median of 5 is
// given the whole range, which holds it with a probability of 15/16.
func (s Sample) QuantileInterval(p, confidence float64) Interval {
	n := len(s.sorted)
	if n == 0 {
		return NoInterval(math.NaN())
	}
	i := NoInterval(s.Quantile(p))
	if n == 5 && p == 0.5 && confidence <= 0.95 {
		i.Low, i.High = s.sorted[0], s.sorted[4]
		return i
	}
	if k := orderRank(rankKey{n, p, confidence}); k >= 0 {
		i.Low = s.sorted[k]
	}
	if k := orderRank(rankKey{n, 1 - p, confidence}); k >= 0 {
		i.High = s.sorted[n-1-k]
	}
	return i
}

type rankKey struct {
	n             int
	p, confidence float64
}

// orderRank is the largest rank k (from 0) that the p-quantile lies below with at most half of what the confidence leaves:
// of n values at most k are then below it. It is -1 where even the smallest value is too likely above.
var orderRank = kept(func(of rankKey) int {
	k := -1
	for k+1 < of.n && binomialCDF(float64(k+1), float64(of.n), of.p) <= (1-of.confidence)/2 {
		k++
	}
	return k
})

// Warnings returns warnings about values that the sample left out, and about an infinite interval.
func (s Sample) Warnings() []Warning {
	var ws []Warning
	if s.notFinite > 0 {
		ws = append(ws, Warnf(NotFinite, "%d of %d values are missing or not finite and were left out", s.notFinite, s.notFinite+len(s.sorted)))
	}
	if n := len(s.sorted); n < 2 {
		ws = append(ws, Warnf(TooFew, "a confidence interval needs at least 2 values, there %s %d", are(n), n))
	}
	return ws
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

package stats

import (
	"math"
	"slices"
)

// Sample is a set of finite numbers in ascending order. The zero value is the empty sample.
type Sample struct {
	sorted    []float64
	mean      float64
	notFinite int
}

// NewSample copies, sorts and measures values; those that are NaN or infinite are left out and counted. O(n log n).
func NewSample(values []float64) Sample { return TakeSample(slices.Clone(values)) }

// TakeSample is [NewSample] without the copy: it sorts values in place and keeps them.
func TakeSample(values []float64) Sample {
	finite := values[:0]
	for _, v := range values {
		if isFinite(v) {
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

// NotFinite is the number of values that were left out.
func (s Sample) NotFinite() int { return s.notFinite }

// Sorted returns the values in ascending order; the caller must not change them.
func (s Sample) Sorted() []float64 { return s.sorted }

// Mean is the arithmetic mean, NaN for the empty sample.
func (s Sample) Mean() float64 { return s.mean }

// SD is the standard deviation with divisor n-1, NaN below two values.
func (s Sample) SD() float64 {
	if len(s.sorted) < 2 {
		return math.NaN()
	}
	var a accumulator
	for _, v := range s.sorted {
		a.add((v - s.mean) * (v - s.mean))
	}
	return math.Sqrt(a.total() / float64(len(s.sorted)-1))
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

// Median is the 0.5-quantile.
func (s Sample) Median() float64 { return s.Quantile(0.5) }

// Min is the smallest value, NaN for the empty sample.
func (s Sample) Min() float64 { return s.Quantile(0) }

// Max is the largest value, NaN for the empty sample.
func (s Sample) Max() float64 { return s.Quantile(1) }

// MeanInterval is Student's interval of the mean: mean +- t(n-1) sd / sqrt(n). In R: t.test(x, conf.level = confidence).
// Below two values it is infinite.
func (s Sample) MeanInterval(confidence float64) Interval {
	n := len(s.sorted)
	switch {
	case n == 0:
		return nowhere()
	case n == 1:
		return unbounded(s.mean)
	}
	half := TQuantile(confidence, n-1) * s.SD() / math.Sqrt(float64(n))
	return Interval{Estimate: s.mean, Low: s.mean - half, High: s.mean + half}
}

// Warnings tells what the sample left out and whether its interval is infinite.
func (s Sample) Warnings() []Warning {
	var ws []Warning
	if s.notFinite > 0 {
		ws = append(ws, Warnf(NotFinite, s.notFinite, "%d of %d values are missing or not finite and were left out", s.notFinite, s.notFinite+len(s.sorted)))
	}
	if n := len(s.sorted); n < 2 {
		ws = append(ws, Warnf(TooFew, n, "a confidence interval needs at least 2 values, there are %d", n))
	}
	return ws
}

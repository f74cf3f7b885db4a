package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// NoInterval is the interval of an estimate of which nothing is known, or of none.
func NoInterval(estimate float64) Interval {
	if math.IsNaN(estimate) {
		return Interval{Estimate: estimate, Low: estimate, High: estimate}
	}
	return Interval{Estimate: estimate, Low: math.Inf(-1), High: math.Inf(1)}
}

// Interval is an estimate with its two-sided confidence interval.
// Low and High are infinite where there were too few values; all three are NaN where there is no estimate at all.
type Interval struct {
	Estimate  float64
	Low, High float64
}

// Bounded reports whether both ends are finite.
func (i Interval) Bounded() bool { return Finite(i.Low) && Finite(i.High) }

// HalfWidth is half the distance between the ends; infinite or NaN where they are.
func (i Interval) HalfWidth() float64 { return (i.High - i.Low) / 2 }

// Contains reports whether v lies inside, ends included.
func (i Interval) Contains(v float64) bool { return i.Low <= v && v <= i.High }

type tKey struct {
	confidence float64
	nu         int
}

// tCache holds the quantiles met so far: a sweep asks for the same few of them a hundred thousand times.
var tCache sync.Map

// TQuantile is the two-sided Student quantile: |T| with nu degrees of freedom stays below it with the given
// probability (0 < confidence < 1, nu >= 1). In R: qt((1+confidence)/2, nu).
func TQuantile(confidence float64, nu int) float64 {
	key := tKey{confidence, nu}
	if q, ok := tCache.Load(key); ok {
		return q.(float64)
	}
	q := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(nu)}.Quantile((1 + confidence) / 2)
	tCache.Store(key, q)
	return q
}

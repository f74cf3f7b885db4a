package stats

import (
	"math"

	"schedsweep/sim/sum"
)

// Finite reports whether a number is neither infinite nor NaN.
func Finite(v float64) bool { return v-v == 0 }

// Total is a sum in the making. Its value depends on the order; callers sort.
type Total = sum.Total

// Sum adds values in their order.
func Sum(values []float64) float64 {
	var t Total
	for _, v := range values {
		t.Add(v)
	}
	return t.Value()
}

// Parts is a step function by parts of equal length, such as a queue length over time; before its first value it is 0.
type Parts struct {
	from, width  float64
	parts        []part
	since, value float64
}

type part struct {
	area      Total // value x length
	low, high float64
}

// NewParts divides [from, to) into n parts.
func NewParts(from, to float64, n int) *Parts {
	r := &Parts{from: from, width: (to - from) / float64(n), parts: make([]part, n), since: from}
	for i := range r.parts {
		r.parts[i].low, r.parts[i].high = math.Inf(1), math.Inf(-1)
	}
	return r
}

// Until enters the value up to x, which does not go back, and the one from there on.
func (r *Parts) Until(x, next float64) {
	for i := min(max(int((r.since-r.from)/r.width), 0), len(r.parts)); i < len(r.parts); i++ {
		left := r.from + float64(i)*r.width
		if left >= x {
			break
		}
		if length := min(x, left+r.width) - max(r.since, left); length > 0 {
			p := &r.parts[i]
			p.area.Add(r.value * length)
			p.low, p.high = min(p.low, r.value), max(p.high, r.value)
		}
	}
	r.since, r.value = x, next
}

// Left returns the lower end of a part.
func (r *Parts) Left(i int) float64 { return r.from + float64(i)*r.width }

// Mean is the mean of a part up to whose end values are entered.
func (r *Parts) Mean(i int) float64 { return r.parts[i].area.Value() / r.width }

// Extremes are the smallest and the largest value in a part.
func (r *Parts) Extremes(i int) (low, high float64) { return r.parts[i].low, r.parts[i].high }

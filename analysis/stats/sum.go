package stats

import "math"

// Finite tells whether a number is neither infinite nor NaN.
func Finite(v float64) bool { return v-v == 0 }

// Sum adds with Neumaier's compensation (Neumaier 1974, Zeitschrift fuer Angewandte Mathematik und Mechanik 54, 39-51):
// the error does not grow with the number of terms. The result still depends on the order; callers sort.
func Sum(values []float64) float64 {
	var a accumulator
	for _, v := range values {
		a.add(v)
	}
	return a.total()
}

type accumulator struct{ sum, correction float64 }

func (a *accumulator) add(v float64) {
	t := a.sum + v
	if math.Abs(a.sum) >= math.Abs(v) {
		a.correction += (a.sum - t) + v
	} else {
		a.correction += (v - t) + a.sum
	}
	a.sum = t
}

func (a *accumulator) total() float64 { return a.sum + a.correction }

package stats

import "math"

// Finite tells whether a number is neither infinite nor NaN.
func Finite(v float64) bool { return v-v == 0 }

// Sum adds with Neumaier's compensation (Neumaier 1974, Zeitschrift fuer Angewandte Mathematik und Mechanik 54, 39-51):
// the error does not grow with the number of terms. The result still depends on the order; callers sort.
func Sum(values []float64) float64 {
	var a Total
	for _, v := range values {
		a.Add(v)
	}
	return a.Value()
}

// Total is a sum in the making.
type Total struct{ sum, correction float64 }

func (a *Total) Add(v float64) {
	t := a.sum + v
	if math.Abs(a.sum) >= math.Abs(v) {
		a.correction += (a.sum - t) + v
	} else {
		a.correction += (v - t) + a.sum
	}
	a.sum = t
}

func (a Total) Value() float64 { return a.sum + a.correction }

// Package sum adds numbers so that the error does not grow with their number, for the simulator and the analysis alike.
package sum

import "math"

// Total is a compensated sum in the making (Neumaier 1974, Zeitschrift fuer Angewandte Mathematik und Mechanik 54, 39-51).
// Its value still depends on the order of the terms.
type Total struct{ sum, lost float64 }

// Add adds a term.
func (t *Total) Add(x float64) {
	s := t.sum + x
	if math.Abs(t.sum) >= math.Abs(x) {
		t.lost += (t.sum - s) + x
	} else {
		t.lost += (x - s) + t.sum
	}
	t.sum = s
}

// Value is the sum of the terms so far.
func (t Total) Value() float64 { return t.sum + t.lost }

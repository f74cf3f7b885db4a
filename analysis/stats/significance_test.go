package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPValuesInvertTheInterval: at any confidence the interval leaves a value out where 1 minus the confidence is above
// the p-value, and holds it where it is below.
func TestPValuesInvertTheInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Exp(rapid.Float64Range(-3, 3).Draw(t, "log value")) - rapid.Float64Range(0, 3).Draw(t, "shift")
		}
		e := TakeSample(values).Estimate()
		c := rapid.Float64Range(-3, 3).Draw(t, "c")
		confidence := rapid.Float64Range(.5, .999).Draw(t, "confidence")
		i := e.Interval(confidence)
		alpha := 1 - confidence
		for _, x := range []struct {
			name string
			p    float64
			out  bool
		}{{"above", e.PAbove(c), i.Low > c}, {"below", e.PBelow(c), i.High < c}, {"not", e.PNot(c), i.Low > c || i.High < c}} {
			if near := 1e-7 * (alpha + x.p); !(math.Abs(x.p-alpha) <= near) && (x.p < alpha) != x.out {
				t.Fatalf("%s %g: p = %g, and the %g interval of %+v is %+v", x.name, c, x.p, confidence, e, i)
			}
		}
	})
}

// Without skewness it is Student's test: R's t.test(c(1, 2, 3, 4, 5)) has p = 0.01324 (t = 4.2426, df = 4).
func TestPValueIsStudents(t *testing.T) {
	e := TakeSample([]float64{1, 2, 3, 4, 5}).Estimate()
	if p := e.PNot(0); !(math.Abs(p-0.0132356) <= 1e-6) {
		t.Errorf("p = %.7f, want 0.0132356", p)
	}
	if p := e.PAbove(0); p != e.PNot(0) {
		t.Errorf("above: %g", p)
	}
	if p := e.PBelow(0); p != 1 {
		t.Errorf("below: %g", p)
	}
	// Their skewness is 0 but for rounding. R's t.test(c(.3, .5, .7)) has p = 0.04941 (t = 4.3301, df = 2).
	if p := TakeSample([]float64{.3, .5, .7}).Estimate().PNot(0); !(math.Abs(p-0.0494136) <= 1e-6) {
		t.Errorf("symmetric but for rounding: p = %.7f, want 0.0494136", p)
	}
	if p := TakeSample([]float64{3}).Estimate().PNot(0); !math.IsNaN(p) {
		t.Errorf("of one value: %g", p)
	}
	if p := TakeSample([]float64{3, 3}).Estimate().PNot(0); p != 0 {
		t.Errorf("of equal values: %g", p)
	}
}

// R's p.adjust(c(.01, .04, .03, .005, .03), "holm") is .04 .09 .09 .025 .09 (by hand: 5 x .005, 4 x .01, 3 x .03, and
// never below the one before).
func TestHolm(t *testing.T) {
	p := []float64{.01, math.NaN(), .04, .03, .005, .03}
	want := []float64{.04, math.NaN(), .09, .09, .025, .09}
	f := NewFamily(p)
	for i := range p {
		if got := f.Adjusted(p[i]); math.Abs(got-want[i]) > 1e-15 && !(math.IsNaN(got) && math.IsNaN(want[i])) {
			t.Errorf("of %g: %g, want %g", p[i], got, want[i])
		}
	}
	if got := f.Level(.05); !(math.Abs(got-.05/3) <= 1e-15) {
		t.Errorf("three are not rejected, and the next would have to be below %g, want a third of .05", got)
	}
	if got := f.Level(.5); got != .5 {
		t.Errorf("all are rejected: %g", got)
	}
}

func equivalence(pairs []Pair, m Margin) Equivalence {
	r := ComparePaired(pairs, .95)
	return EquivalenceOf(pairs, m, &r)
}

func TestEquivalence(t *testing.T) {
	var pairs []Pair
	for i := range 20 {
		pairs = append(pairs, Pair{10, 10 + .1*float64(i%2)}) // 0.05 more on average, +- 0.011
	}
	for _, c := range []struct {
		m    Margin
		same bool
	}{{Margin{Value: .1}, true}, {Margin{Value: .06}, false}, {Margin{Share: .01}, true}, {Margin{Share: .006}, false}} {
		if p := equivalence(pairs, c.m).P(); (p < .05) != c.same {
			t.Errorf("%+v: p = %g", c.m, p)
		}
	}
	if n := (Equivalence{}).Needed(20, .95); n < 1e6 {
		t.Errorf("no difference and no margin: %d", n)
	}
	// A negative baseline has a margin too.
	for i := range pairs {
		pairs[i] = Pair{-pairs[i].Base, -pairs[i].Other}
	}
	if p := equivalence(pairs, Margin{Share: .01}).P(); !(p < .05) {
		t.Errorf("negative: p = %g", p)
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func drawValues(t *rapid.T, label string) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 3, 40).Draw(t, label)
}

func shuffled[T any](t *rapid.T, values []T) []T {
	out := slices.Clone(values)
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// bits compares floats bit for bit (all NaNs alike).
var bits = cmp.Options{
	cmp.Comparer(func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}),
	cmp.AllowUnexported(Sample{}, Line{}), cmpopts.EquateEmpty(),
}

func TestOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, others := drawValues(t, "x"), drawValues(t, "y")
		n := min(len(values), len(others))
		if d := cmp.Diff(NewSample(values), NewSample(shuffled(t, values)), bits); d != "" {
			t.Fatal(d)
		}
		ps := pairs(values[:n], others[:n])
		if d := cmp.Diff(ComparePaired(ps, 0.95), ComparePaired(shuffled(t, ps), 0.95), bits); d != "" {
			t.Fatal(d)
		}
		points := make([]XY, n)
		for i := range points {
			points[i] = XY{values[i], others[i]}
		}
		if d := cmp.Diff(FitLine(points, nil), FitLine(shuffled(t, points), nil), bits); d != "" {
			t.Fatal(d)
		}
	})
}

func TestScalingByPowersOfTwoIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t, "x")
		k := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "power"))
		scaled := make([]float64, len(values))
		for i, v := range values {
			scaled[i] = k * v
		}
		a, b := NewSample(values), NewSample(scaled)
		if sd := a.SD(); sd > 0 && sd < 1e-90 {
			t.Skip("third powers are not normal numbers")
		}
		ia, ib := a.MeanInterval(0.9), b.MeanInterval(0.9)
		if ib != (Interval{k * ia.Estimate, k * ia.Low, k * ia.High}) || b.SD() != k*a.SD() || b.Median() != k*a.Median() {
			t.Fatalf("scaled by %g: %v sd %g, was %v sd %g", k, ib, b.SD(), ia, a.SD())
		}
	})
}

func TestShiftMovesLocationOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t, "x")
		c := rapid.Float64Range(-1e6, 1e6).Draw(t, "shift")
		moved := make([]float64, len(values))
		for i, v := range values {
			moved[i] = v + c
		}
		a, b := NewSample(values), NewSample(moved)
		const slack = 1e-8 // rounding of values near 2e6, times a few
		for _, d := range []float64{b.Mean() - a.Mean() - c, b.SD() - a.SD(), b.Quantile(0.3) - a.Quantile(0.3) - c} {
			if !(math.Abs(d) <= slack) {
				t.Fatalf("shift by %g: off by %g", c, d)
			}
		}
	})
}

func TestLineIsEquivariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "n")
		points, moved := make([]XY, n), make([]XY, n)
		a, b := rapid.Float64Range(-100, 100).Draw(t, "a"), rapid.Float64Range(-100, 100).Draw(t, "b")
		for i := range points {
			points[i] = XY{float64(i), rapid.Float64Range(-100, 100).Draw(t, "y")}
			moved[i] = XY{points[i].X, points[i].Y + a + b*points[i].X}
		}
		l, m := FitLine(points, nil), FitLine(moved, nil)
		for _, d := range []float64{m.Slope - l.Slope - b, m.Intercept - l.Intercept - a, m.ResidualSD - l.ResidualSD} {
			if !(math.Abs(d) <= 1e-9) {
				t.Fatalf("adding %g + %g x: off by %g", a, b, d)
			}
		}
	})
}

func TestFiellerHoldsWhatThePairedTestAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 20).Draw(t, "n")
		ps := make([]Pair, n)
		for i := range ps {
			ps[i] = Pair{rapid.Float64Range(90, 110).Draw(t, "base"), rapid.Float64Range(50, 200).Draw(t, "other")}
		}
		ps[0].Other = -1 // a value that may be negative has Fieller's interval
		r := ComparePaired(ps, 0.95).Ratio
		if !r.Bounded() || !r.Contains(r.Estimate) {
			t.Fatalf("ratio %v", r)
		}
		// At either end the paired test of other - r base has mean +- half-width of 0.
		for _, end := range []float64{r.Low, r.High} {
			diff := make([]float64, n)
			for i, p := range ps {
				diff[i] = p.Other - end*p.Base
			}
			i := NewSample(diff).Estimate().Student(0.95)
			if gap := math.Min(math.Abs(i.Low), math.Abs(i.High)); gap > 1e-7 {
				t.Fatalf("end %g: interval of the difference %v does not touch 0", end, i)
			}
		}
	})
}

// The longer of the two rules never is shorter than Student's interval, and what cannot be negative has no negative end.
func TestHullsHoldWhatTheyAreMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1e4), 2, 40).Draw(t, "values")
		e := NewSample(values).Estimate()
		real, positive, student := e.Interval(0.95), e.NotNegative(0.95), e.Student(0.95)
		if real.Low > student.Low || real.High < student.High || !real.Contains(e.Value) {
			t.Fatalf("hull %v, Student %v", real, student)
		}
		if positive.Low < 0 || !positive.Contains(e.Value) ||
			positive.High < e.Value*math.Exp(TQuantile(0.95, e.DF)*e.SE/max(e.Value, 1e-300))*(1-1e-12) {
			t.Fatalf("%v of %v", positive, e)
		}
	})
}

// A quantile's interval misses on each side with at most half of the rest: binomial tails of the counts beyond its ends.
func TestQuantileIntervals(t *testing.T) {
	for p, least := range map[float64]int{0.5: 6, 0.25: 13, 0.75: 13, 0.9: 36} {
		for n := 1; n <= 60; n++ {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(i)
			}
			i := NewSample(values).QuantileInterval(p, 0.95)
			if p == 0.5 && n == 5 {
				if i.Low != 0 || i.High != 4 {
					t.Errorf("median of 5: %v", i)
				}
				continue
			}
			if i.Bounded() != (n >= least) {
				t.Errorf("%g-quantile of %d: %v, want bounds from %d values on", p, n, i, least)
			}
			if !i.Bounded() {
				continue
			}
			// The true quantile is below the value of rank k (from 0) if at most k values are below it.
			if miss := tail(n, int(i.Low), p); miss > 0.025 || tail(n, int(i.Low)+1, p) <= 0.025 {
				t.Errorf("%g-quantile of %d: %v misses below with %g", p, n, i, miss)
			}
			if miss := tail(n, n-1-int(i.High), 1-p); miss > 0.025 || tail(n, n-int(i.High), 1-p) <= 0.025 {
				t.Errorf("%g-quantile of %d: %v misses above with %g", p, n, i, miss)
			}
		}
	}
}

// tail is the probability of at most k successes in n trials, summed from its definition.
func tail(n, k int, p float64) float64 {
	sum, choose := 0.0, 1.0
	for i := 0; i <= k; i++ {
		sum += choose * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		choose *= float64(n-i) / float64(i+1)
	}
	return sum
}

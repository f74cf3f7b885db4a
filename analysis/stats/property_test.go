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
		if d := cmp.Diff(FitLine(points), FitLine(shuffled(t, points)), bits); d != "" {
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
			if math.Abs(d) > slack {
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
		l, m := FitLine(points), FitLine(moved)
		for _, d := range []float64{m.Slope - l.Slope - b, m.Intercept - l.Intercept - a, m.ResidualSD - l.ResidualSD, m.SlopeSE - l.SlopeSE} {
			if math.Abs(d) > 1e-9 {
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
			i := NewSample(diff).MeanInterval(0.95)
			if end == 0 && i.Contains(0) {
				continue // the interval was cut there: times have no negative ratio
			}
			if gap := math.Min(math.Abs(i.Low), math.Abs(i.High)); gap > 1e-7 {
				t.Fatalf("end %g: interval of the difference %v does not touch 0", end, i)
			}
		}
	})
}

// The interval covers the truth about as often as it says: 95 % of 4,000 samples, seed fixed; the standard deviation of the
// share is 0.35 points, the margin four of them.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(2015, 1))
	const trials = 4000
	var mean, ratio, slope int
	for range trials {
		ps, xs := make([]Pair, 8), make([]XY, 8)
		values := make([]float64, 8)
		for i := range ps {
			common := r.NormFloat64()
			ps[i] = Pair{10 + common, 15 + 1.5*common + 0.3*r.NormFloat64()}
			values[i] = 3 + r.NormFloat64()
			xs[i] = XY{float64(i), 2*float64(i) + r.NormFloat64()}
		}
		mean += b2i(NewSample(values).MeanInterval(0.95).Contains(3))
		ratio += b2i(ComparePaired(ps, 0.95).Ratio.Contains(1.5))
		slope += b2i(FitLine(xs).SlopeInterval(0.95).Contains(2))
	}
	for name, n := range map[string]int{"mean": mean, "ratio": ratio, "slope": slope} {
		if share := float64(n) / trials; math.Abs(share-0.95) > 0.014 {
			t.Errorf("%s: %.3f of the intervals hold the truth, want 0.95", name, share)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

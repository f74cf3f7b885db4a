package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedsweep/sim/simtest"

	"pgregory.net/rapid"
)

// With enough draws the mean by one control is the value of the least squares line at the expectation of the control, and
// its standard error that of the jackknife.
func TestControlIsTheLineAtTheExpectation(t *testing.T) {
	y, at := []float64{3, 5, 4, 8, 9, 7}, []float64{1, 2, 2, 4, 5, 4}
	const mean = 3.5
	var x, draws [][]float64
	var points []XY
	for i, v := range at {
		x, points = append(x, []float64{v}), append(points, XY{v, y[i]})
	}
	for range 1_000_000 {
		draws = append(draws, []float64{mean})
	}
	var without []float64
	for i := range points {
		without = append(without, FitLine(slices.Delete(slices.Clone(points), i, i+1), nil).At(mean))
	}
	c, line, se := Control(y, x, draws), FitLine(points, nil), NewSample(without).SD()*5/math.Sqrt(6)
	if !(math.Abs(c.Value-line.At(mean)) <= 1e-5) || !(math.Abs(c.SE-se) <= 1e-5) || c.DF != 4 || c.Used != 1 {
		t.Errorf("%+v, want %g with the standard error %g and 4 degrees of freedom", c, line.At(mean), se)
	}
	if want := 1 - (1-line.R2)*5/4; !(math.Abs(c.R2-want) <= 1e-12) {
		t.Errorf("adjusted R2 %g, want %g", c.R2, want)
	}
}

// Units and origins of controls change nothing, nor do controls that say nothing new; without any the mean is the plain one.
func TestControlKnowsNoUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		y, x, draws := controlledSample(r, 12, 30, math.Exp)
		scale := func(rows [][]float64) (out [][]float64) {
			for _, row := range rows {
				out = append(out, []float64{7, 1e5*row[0] + 3, row[0] - 1})
			}
			return out
		}
		a, b := Control(y, x, draws), Control(y, scale(x), scale(draws))
		if b.Used != 1 || !(math.Abs(a.Value-b.Value) <= 1e-7) || !(math.Abs(a.SE-b.SE) <= 1e-7) || !(math.Abs(a.Skew-b.Skew) <= 1e-5) {
			t.Fatalf("%+v in other units %+v", a, b)
		}
		none := Control(y, make([][]float64, len(y)), draws)
		if plain := NewSample(y).Estimate(); !(math.Abs(none.Value-plain.Value) <= 1e-12) || !(math.Abs(none.SE-plain.SE) <= 1e-12) ||
			none.DF != plain.DF || !(math.Abs(none.Skew-plain.Skew) <= 1e-9) {
			t.Fatalf("without controls %+v, the plain mean has %+v", none, plain)
		}
	})
}

// Two values more than controls and the mean tell their variance; fewer have no estimate.
func TestControlNeedsReplications(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	y, x, draws := controlledSample(r, 4, 10, math.Exp)
	if c := Control(y, x, draws); !Finite(c.Value) || c.DF != 2 {
		t.Errorf("of 4 %+v", c)
	}
	if c := Control(y[:3], x[:3], draws); !math.IsNaN(c.Value) || Finite(c.Interval(0.95).High) {
		t.Errorf("of 3 %+v", c)
	}
	if c := Control(nil, nil, draws); !math.IsNaN(c.Value) || c.Used != 0 {
		t.Errorf("of none %+v", c)
	}
}

// controlledSample has values law(z) where z is normal and half of its variance is the control's, n of them, and m draws.
func controlledSample(r *rand.Rand, n, m int, law func(float64) float64) (y []float64, x, draws [][]float64) {
	for range n {
		u := r.NormFloat64()
		x = append(x, []float64{u})
		y = append(y, law((u+r.NormFloat64())/math.Sqrt2))
	}
	for range m {
		draws = append(draws, []float64{r.NormFloat64()})
	}
	return y, x, draws
}

// Coverage of 95 % against a known truth, by simulation (10,000 samples, of many draws a fifth: standard errors .002 and .005).
// The promise is that of plain means.
func TestControlCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	samples := simtest.Cases(2500, 10_000)
	for _, l := range []struct {
		name  string
		law   func(float64) float64
		mean  float64
		least map[int]float64 // by n
	}{
		{"normal, 10 and 2", func(z float64) float64 { return 10 + 2*z }, 10, map[int]float64{10: .945, 30: .945}},
		{"log-normal .5", func(z float64) float64 { return math.Exp(z / 2) }, math.Exp(.125), map[int]float64{10: .93, 30: .93}},
		{"log-normal 1", math.Exp, math.Exp(.5), map[int]float64{10: .90, 30: .92}},
	} {
		for _, n := range []int{10, 30} {
			for _, m := range []int{n, 1000 - n} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(m)))
				var held, plainHeld, width, gain float64
				repeat := samples
				if m > n {
					repeat /= 5
				}
				for range repeat {
					y, x, draws := controlledSample(r, n, m, l.law)
					c, plain := Control(y, x, draws), NewSample(y).MeanInterval(0.95)
					i := c.Interval(0.95)
					if i.Contains(l.mean) {
						held++
					}
					if plain.Contains(l.mean) {
						plainHeld++
					}
					width += math.Log(i.HalfWidth() / plain.HalfWidth())
					gain += math.Log(c.Gain)
				}
				of := float64(repeat)
				t.Logf("%-17s n %2d draws %3d: %.3f, plain %.3f; width %.2f, gain %.2f", l.name, n, m, held/of, plainHeld/of, math.Exp(width/of),
					math.Exp(gain/of))
				if held/of < l.least[n]-3*math.Sqrt(.05*.95/of) {
					t.Errorf("%s, n %d, %d draws: coverage %.3f, want %.3f", l.name, n, m, held/of, l.least[n])
				}
			}
		}
	}
}

// TestControlThatOneReplicationVaries: a line through it goes through its answer, so that nothing is known of the rest.
func TestControlThatOneReplicationVaries(t *testing.T) {
	y, draws := []float64{3.1, 4.7, 2.2, 5.9, 7.3}, [][]float64{{0}, {5}, {0}, {1}}
	c, plain := Control(y, [][]float64{{0}, {0}, {0}, {0}, {5}}, draws), NewSample(y).Estimate()
	if c.Used != 0 || !(math.Abs(c.Value-plain.Value) <= 1e-12) || !(math.Abs(c.SE-plain.SE) <= 1e-12) {
		t.Errorf("%+v, plain %+v", c, plain)
	}
}

// Adjusted values have the mean and the standard error of the estimator with the expectation known, and do not change without
// controls. Differences of two adjusted samples are those of one adjusted difference.
func TestAdjustIsControlAtZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(4, 40).Draw(t, "n")
		y, x, _ := controlledSample(r, n, 0, math.Exp)
		other, _, _ := controlledSample(r, n, 0, math.Exp)
		adjusted, used := Adjust(y, x)
		c := Control(y, x, make2(2_000_000/n, x))
		e := NewSample(adjusted).Estimate()
		if used != 1 || !(math.Abs(e.SE-c.SE) <= 1e-3*c.SE) {
			t.Fatalf("standard error %g by %d controls, want %g", e.SE, used, c.SE)
		}
		var apart []float64
		for i := range y {
			apart = append(apart, y[i]-other[i])
		}
		b, _ := Adjust(other, x)
		d, _ := Adjust(apart, x)
		for i := range d {
			if !(math.Abs(d[i]-(adjusted[i]-b[i])) <= 1e-9*(1+math.Abs(d[i]))) {
				t.Fatalf("%g, want %g", d[i], adjusted[i]-b[i])
			}
		}
		if same, used := Adjust(y, make([][]float64, n)); used != 0 || !slices.Equal(same, y) {
			t.Fatalf("%d controls of none", used)
		}
		x[0][0] = math.NaN()
		if same, used := Adjust(y, x); used != 0 || !slices.Equal(same, y) {
			t.Fatalf("%d controls of which one is not known", used)
		}
	})
}

// make2 returns n draws of one control, such that the control of x and of these draws together sums to 0.
func make2(n int, x [][]float64) [][]float64 {
	draws := make([][]float64, n)
	sum := 0.0
	for _, row := range x {
		sum += row[0]
	}
	for i := range draws {
		draws[i] = []float64{-sum / float64(n)}
	}
	return draws
}

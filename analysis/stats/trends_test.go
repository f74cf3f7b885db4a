package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// pontius is the NIST StRD data set of that name (quadratic regression, lower level of difficulty): deflections of a load
// cell under loads of 150,000 to 3,000,000 pounds, twice.
var pontius = [2][]float64{
	{.11019, .21956, .32949, .43899, .54803, .65694, .76562, .87487, .98292, 1.09146, 1.20001, 1.30822, 1.41599, 1.52399, 1.63194, 1.73947,
		1.84646, 1.95392, 2.06128, 2.16844},
	{.11052, .22018, .32939, .43886, .54798, .65739, .76596, .87474, .98300, 1.09150, 1.20004, 1.30818, 1.41613, 1.52408, 1.63159, 1.73965,
		1.84696, 1.95445, 2.06177, 2.16829},
}

func parabola(points []XY) Line {
	near := FitLine(points, nil)
	var sums LineSums
	for _, p := range points {
		sums.Add(&near, p)
	}
	return sums.Parabola(&near)
}

func TestParabolaOfPontiusData(t *testing.T) {
	var points []XY
	for _, run := range pontius {
		for i, y := range run {
			points = append(points, XY{X: 150000 * float64(i+1), Y: y})
		}
	}
	l := parabola(points)
	// Certified values: https://www.itl.nist.gov/div898/strd/lls/data/Pontius.shtml
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"constant", l.Intercept, 0.673565789473684e-03}, {"of x", l.Slope - 2*l.Curvature*l.MeanX, 0.732059160401003e-06},
		{"of x squared", l.Curvature, -0.316081871345029e-14},
		{"residual sd", l.ResidualSD, 0.205177424076185e-03}, {"R2", l.R2, 0.999999900178537},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-9*math.Abs(c.want)) {
			t.Errorf("%s = %.15g, want %.15g", c.what, c.got, c.want)
		}
	}
}

// The fit recovers a parabola from points at any places, even if some are missing. Two abscissas determine no parabola.
func TestParabolaWithoutSomePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 20).Draw(t, "points")
		at, bend := rapid.Float64Range(-100, 100).Draw(t, "at"), rapid.Float64Range(-5, 5).Draw(t, "bend")
		f := func(x float64) float64 { return 3 + 2*x + bend*x*x }
		var points []XY
		for i := range n {
			points = append(points, XY{at + float64(i), f(at + float64(i))})
		}
		near := FitLine(points, nil)
		var all, left LineSums
		leave := rapid.IntRange(0, n-1).Draw(t, "leave")
		for i, p := range points {
			all.Add(&near, p)
			if i == leave {
				left.Add(&near, p)
			}
		}
		all.Plus(left, -1)
		l := all.Parabola(&near)
		scale := 1 + math.Abs(f(at)) + math.Abs(f(at+float64(n)))
		if d := l.At(at+1.5) - f(at+1.5); !(math.Abs(d) <= 1e-9*scale) || !(math.Abs(l.Curvature-bend) <= 1e-9*scale) || l.N != n-1 {
			t.Fatalf("%+v: off by %g at %g, bend %g", l, d, at+1.5, bend)
		}
	})
	for _, points := range [][]XY{nil, {{1, 2}}, {{1, 2}, {2, 3}, {1, 4}, {2, 7}}} {
		if l := parabola(points); !math.IsNaN(l.Curvature) {
			t.Errorf("%v: %+v", points, l)
		}
	}
}

func TestTheilSen(t *testing.T) {
	// The example of Sen 1968, p. 1386: the slope is 4. scipy 1.17: stats.theilslopes(y, x) has the intercept 4.
	var points []XY
	for i, y := range []float64{9, 15, 19, 20, 45, 55, 78} {
		points = append(points, XY{[]float64{1, 2, 3, 4, 10, 12, 18}[i], y})
	}
	l := TheilSen(points)
	near(t, "slope", l.Slope, 4, 1e-15)
	near(t, "intercept", l.Intercept, 4, 1e-15)
	near(t, "from", l.MinX, 1, 0)
	near(t, "to", l.MaxX, 18, 0)
	// One value far off changes nothing.
	points[6].Y = 1e9
	if far := TheilSen(points); far.Slope > 5 {
		t.Errorf("slope %g with a value far off", far.Slope)
	}
	// Slopes 1, 2 and 6 with the middles 1, 1 and 4, so that the heights at 1 are 1, 2 and -18.
	m := MedianLine([]Line{TheilSen([]XY{{0, 0}, {2, 2}}), TheilSen([]XY{{0, 0}, {2, 4}}), TheilSen([]XY{{3, -6}, {5, 6}})})
	if m.N != 6 || m.Slope != 2 || m.MeanX != 1 || m.At(1) != 1 || m.Intercept != -1 || m.MinX != 0 || m.MaxX != 5 {
		t.Errorf("the median line is %+v", m)
	}
	if l := TheilSen([]XY{{1, 2}, {1, 3}}); !math.IsNaN(l.Slope) {
		t.Errorf("of one abscissa: %+v", l)
	}
	if l := TheilSen(make([]XY, MostTheilSen+1)); !math.IsNaN(l.Slope) {
		t.Errorf("of too many points: %+v", l)
	}
}

// scipy 1.17: stats.binomtest(k, n).pvalue, the sign test, with k values below; the interval leaves 0 out where the
// p-value is below what its confidence leaves.
func TestMedianPNot(t *testing.T) {
	for _, c := range []struct {
		n, below int
		want     float64
	}{{8, 1, 0.0703125}, {5, 0, 0.0625}, {6, 0, 0.03125}, {10, 5, 1}, {7, 7, 0.015625}} {
		var values []float64
		for i := range c.n {
			values = append(values, float64(i-c.below)+.5)
		}
		s := TakeSample(values)
		near(t, "p", s.MedianPNot(0), c.want, 1e-12)
		for _, confidence := range []float64{.9, .95, .99} {
			i := s.QuantileInterval(.5, confidence)
			if (c.n != 5 || confidence != .95) && i.Contains(0) != (c.want > 1-confidence) { // five are given the range
				t.Errorf("%d of %d below: p = %g, and %v at %g", c.below, c.n, c.want, i, confidence)
			}
		}
	}
	if p := TakeSample(nil).MedianPNot(0); !math.IsNaN(p) {
		t.Errorf("of no values: %g", p)
	}
}

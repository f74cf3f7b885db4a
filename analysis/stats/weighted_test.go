package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestWeightedLineByHand: points (0, 1), (1, 3), (2, 2) with weights 1, 2, 1: means x = 1, y = 9/4. Weighted xx = 2,
// xy = 1 5/4 + 1 (-1/4) = 1, slope 1/2. Residuals -3/4, 3/4, -3/4, whose weighted squares sum to 9/4. With weights that
// sum to 3 that is 27/16, over 3-2 points.
func TestWeightedLineByHand(t *testing.T) {
	l := FitLine([]XY{{0, 1}, {1, 3}, {2, 2}}, []float64{1, 2, 1})
	near(t, "slope", l.Slope, 0.5, 1e-12)
	near(t, "intercept", l.Intercept, 1.75, 1e-12)
	near(t, "residual SD", l.ResidualSD, math.Sqrt(27.0/16), 1e-12)
	near(t, "mean", WeightedMean([]float64{1, 3, 2}, []float64{1, 2, 1}), 2.25, 1e-12)
	if l := FitLine([]XY{{1, 1}, {1, 2}}, []float64{1, 1}); !math.IsNaN(l.Slope) {
		t.Errorf("slope %v of points one above the other", l.Slope)
	}
}

// Equal weights, of any size, change nothing; a weight of 2 is a point twice.
func TestWeightsAreRepetitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "points")
		var points, repeated []XY
		var equal, weights, ys, repeatedYs []float64
		for i := range n {
			p := XY{float64(i), rapid.Float64Range(-10, 10).Draw(t, "y")}
			times := rapid.IntRange(1, 3).Draw(t, "weight")
			points, equal, weights, ys = append(points, p), append(equal, 0.3), append(weights, float64(times)), append(ys, p.Y)
			for range times {
				repeated, repeatedYs = append(repeated, p), append(repeatedYs, p.Y)
			}
		}
		close := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-9) {
				t.Fatalf("%s %v, want %v", what, got, want)
			}
		}
		plain, same, twice := FitLine(points, nil), FitLine(points, equal), FitLine(points, weights)
		close("slope", same.Slope, plain.Slope)
		close("residual SD", same.ResidualSD, plain.ResidualSD)
		close("slope of repeated points", twice.Slope, FitLine(repeated, nil).Slope)
		close("mean of repeated points", WeightedMean(ys, weights), NewSample(repeatedYs).Mean())
	})
}

// The sums give the line of the points that are left, however well the line fits.
func TestLineSumsAreTheLineWithoutSomePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 20).Draw(t, "points")
		noise := rapid.SampledFrom([]float64{0, 1e-9, 1, 1e3}).Draw(t, "noise")
		var all, rest []XY
		var weights []float64
		for i := range n {
			all = append(all, XY{1e6 + float64(i), 5e3*float64(i) + noise*rapid.Float64Range(-1, 1).Draw(t, "y")})
		}
		near := FitLine(all, nil)
		leave, weight := rapid.IntRange(0, n-1).Draw(t, "leave"), rapid.Float64Range(0.1, 2).Draw(t, "weight")
		var sums, left, half LineSums
		for i, p := range all {
			if i%2 == 0 {
				half.Add(&near, p)
			} else {
				sums.Add(&near, p)
			}
			if i == leave {
				left.Add(&near, p)
				continue
			}
			rest = append(rest, p)
			weights = append(weights, []float64{weight, 1}[i%2])
		}
		of := []float64{weight, 1}[leave%2]
		sums.Plus(half, weight)
		sums.Plus(left, -of)
		want, got := FitLine(rest, weights), sums.Line(&near)
		scale := max(noise, 1e-1) // the line itself is known to 1e-10 of 1e6 only
		for _, d := range []float64{got.Slope - want.Slope, got.ResidualSD - want.ResidualSD, got.At(1e6) - want.At(1e6)} {
			if !(math.Abs(d) <= 1e-4*scale) {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
		if got.N != want.N {
			t.Fatalf("%d points, want %d", got.N, want.N)
		}
	})
}

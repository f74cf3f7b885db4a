package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDensity: by hand. The standard deviation of 0 to 4 is 1.581, their quartile distance 2: the width is
// 0.9 * 2/1.34 * 5^-0.2 = 0.97358, as bw.nrd0(0:4) of R.
func TestDensity(t *testing.T) {
	s := NewSample([]float64{4, 0, 3, 1, 2})
	near(t, "density at 2", s.Density(2), 0.19854266571607013, 1e-14)
	near(t, "density at 0.5", s.Density(0.5), 0.1718261041081894, 1e-14)
	if one := NewSample([]float64{7}).Density(7); !(one > 1) {
		t.Errorf("the density of one value is %g at it", one)
	}
}

// The density of any sample integrates to 1.
func TestDensityIntegrates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSample(rapid.SliceOfN(rapid.Float64Range(-5, 5), 2, 30).Draw(t, "values"))
		if s.Quantile(0.75)-s.Quantile(0.25) < 0.1 {
			return // needles, which the sum below would step over
		}
		sum, step := 0.0, 0.01
		for x := -20.0; x < 20; x += step {
			sum += s.Density(x) * step
		}
		if math.Abs(sum-1) > 1e-3 {
			t.Fatalf("the density integrates to %g", sum)
		}
	})
}

func TestShares(t *testing.T) {
	var at, share []float64
	for v, up := range NewSample([]float64{3, 1, 3, 8}).Shares() {
		at, share = append(at, v), append(share, up)
	}
	if !slices.Equal(at, []float64{1, 3, 8}) || !slices.Equal(share, []float64{0.25, 0.75, 1}) {
		t.Errorf("shares %v at %v", share, at)
	}
}

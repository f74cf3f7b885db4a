package slowdowns

import (
	"math"
	"testing"
)

// The laws are table 4 of the paper: shares of the ranges from .9 on.
func TestLawsAreTable4(t *testing.T) {
	for name, c := range map[string]struct {
		law  Law
		want [9]float64
	}{
		"SL_scr": {CoreLaw, [9]float64{0, .25, .17, .17, .13, .17, .08, .03, 0}},
		"SL_sno": {NodeLaw, [9]float64{.25, .45, .12, .05, .13, 0, 0, 0, 0}},
		"SL_cos": {CoschedulingLaw, [9]float64{0, .68, .17, .07, .03, .02, .01, .01, .01}},
	} {
		const n = 1e5
		var got [9]float64
		for i := range int(n) {
			x := c.law.At((float64(i) + .5) / n)
			got[int(math.Floor((x-.9)*10+1e-9))] += 1 / n
		}
		for i, w := range c.want {
			if !(math.Abs(got[i]-w) <= 1e-3) {
				t.Errorf("%s: share %.4f of [%.1f, %.1f), want %.2f", name, got[i], .9+.1*float64(i), 1+.1*float64(i), w)
			}
		}
	}
}

// The hash gives ordered pairs independent draws of the law. 400 jobs make 159,600 pairs. .68 of them must lie below 1.1, within
// 5 standard deviations of .0012. The two draws of a pair must not correlate.
func TestCoschedulingSlowdowns(t *testing.T) {
	const n = 400
	low, pairs, sum, product := 0.0, 0.0, 0.0, 0.0
	for i := range uint64(n) {
		for j := range uint64(n) {
			if i == j {
				continue
			}
			a, b := Slowdowns{Key: 1 + i}, Slowdowns{Key: 1 + j}
			x, y := a.Beside(b), b.Beside(a)
			pairs++
			if x < 1.1 {
				low++
			}
			sum += x
			product += x * y
		}
	}
	if share := low / pairs; !(math.Abs(share-.68) <= .006) {
		t.Errorf("share of slowdowns below 1.1 is %.4f, want .68", share)
	}
	mean := sum / pairs
	if cov := product/pairs - mean*mean; !(math.Abs(cov) <= 1e-3) {
		t.Errorf("covariance of both orders is %v, want 0", cov)
	}
	var none Slowdowns
	if a := (Slowdowns{Key: 5}); none.Beside(a) != 1 || a.Beside(none) != 1 {
		t.Error("a job without a key slows down or is slowed down")
	}
}

package analysis

import (
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/stats"
)

// The interval is 8 % of a mean of -50 with 10 values, and the goal is 2 %. So t(N-1)/sqrt(N) must be a quarter of
// t(9)/sqrt(10) = .7153. In R, qt(.975, 122)/sqrt(123) = .1785, and one fewer gives .1793. A sixtieth takes
// (qt(.975, 27e3) 60 / .7153)^2 = 27,000.
func TestImprecise(t *testing.T) {
	of := func(mean, half float64) stats.Interval {
		return stats.Interval{Estimate: mean, Low: mean - half, High: mean + half}
	}
	w := imprecise(of(-50, 4), 10, 0, .02, .95)
	if len(w) != 1 || w[0].Code != stats.Imprecise || !strings.Contains(w[0].Text, "known to 8 % only, not to 2 %: that takes about 123 "+
		"replications, or runs 12 times as long") {
		t.Errorf("%+v", w)
	}
	w = imprecise(of(50, 60), 10, 30_000, .02, .95)
	if len(w) != 1 || !strings.Contains(w[0].Text, "known to 120 % only, not to 2 %: that takes "+
		"about 27027 replications, or runs 2703 times as long") {
		t.Errorf("%+v", w)
	}
	w = imprecise(of(50, 60), 10, 30, .02, .95)
	if len(w) != 1 || !strings.Contains(w[0].Text, "that takes more than the 30 replications that "+
		"share no jobs of the log") {
		t.Errorf("of a log with 30 windows: %+v", w)
	}
	w = imprecise(of(50, 6.26), 400, 0, .125, .95) // 12.52 % of the mean, and 400 (12.52/12.5)^2 = 401.3
	if len(w) != 1 || !strings.Contains(w[0].Text, "known to 13 % only, not to 12.5 %: that takes about 402 replications, or runs 1.1 times") {
		t.Errorf("%+v", w)
	}
	w = imprecise(of(50, 2.51), 400, 0, .05, .95)
	if len(w) != 1 || !strings.Contains(w[0].Text, "known to 5.02 % only, not to 5 %: ") {
		t.Errorf("%+v", w)
	}
	for _, c := range []struct {
		mean, half float64
		n          int
		share      float64
	}{{50, 1, 10, .02}, {50, 4, 10, 0}, {50, math.Inf(1), 10, .02}, {50, 4, 1, .02}, {0, 1, 10, .02}, {math.NaN(), math.NaN(), 0, .02}} {
		if w := imprecise(of(c.mean, c.half), c.n, 0, c.share, .95); w != nil {
			t.Errorf("%+v: %+v", c, w)
		}
	}
}

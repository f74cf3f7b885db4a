package claim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func TestCrossings(t *testing.T) {
	line := func(xy ...float64) curve {
		var c curve
		for i := 0; i < len(xy); i += 2 {
			c = append(c, stats.XY{X: xy[i], Y: xy[i+1]})
		}
		return c
	}
	for _, c := range []struct {
		name   string
		a, b   curve
		want   string
		reason string
	}{
		{"once", line(0, 0, 1, 1), line(0, 0.25, 1, 0.25), "[0.25]", ""},
		{"horizontal", line(0, 0, 1, 1), line(math.NaN(), 0.75), "[0.75]", ""},
		{"at a point", line(0, 0, 1, 1, 2, 2), line(0, 1, 2, 1), "[1]", ""},
		{"touching", line(0, 0, 1, 1, 2, 0), line(0, 1, 2, 1), "[]", ""},
		{"together", line(0, 0, 1, 1, 2, 1, 3, 2), line(math.NaN(), 1), "[1.5]", ""},
		{"twice", line(0, 0, 1, 2, 2, 0), line(math.NaN(), 1), "[0.5 1.5]", ""},
		{"grids of their own", line(0, 0, 2, 2), line(0.5, 2, 1.5, 0), "[1]", ""},
		{"apart", line(0, 0, 1, 1), line(2, 0, 3, 1), "[]", "no range of x in common"},
		{"both flat", line(math.NaN(), 0), line(math.NaN(), 1), "[]", "neither side"},
	} {
		found, _, _, reason := crossings(c.a, c.b)
		if fmt.Sprint(found) != c.want || !strings.Contains(reason, c.reason) || (c.reason == "") != (reason == "") {
			t.Errorf("%s: %v, %q", c.name, found, reason)
		}
	}
}

// Between (0, 1) and (2, 100) the straight line reaches 10 at 2 * 9/99, that of the logarithms in the middle, at 1.
func TestCrossingOfLogarithms(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 2}, 4, func(p string, l float64, _ int) float64 {
		if p == "easy" {
			return 10
		}
		return math.Pow(10, l)
	}, zero)
	claim := func(scale string, y float64) study.Claim {
		run.Frame.Column("y").Numbers[0] = y
		return study.Claim{Statistic: study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Scale: scale,
			Of: policy("fcfs"), To: policy("easy")}}
	}
	near(t, "linear", evaluate(t, run, claim("linear", 1)).Parts[0].Estimate, 2*9./99)
	near(t, "log", evaluate(t, run, claim("log", 1)).Parts[0].Estimate, 1)
	if p := evaluate(t, run, claim("log", -5)).Parts[0]; !strings.Contains(p.Reason, "is not positive") {
		t.Errorf("%+v", p)
	}
}

func TestUnstablePointsLeaveTheCurve(t *testing.T) {
	// The curves cross at 1.5; at load 3 one replication of fcfs has no mean, being unstable.
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 4, func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 15
		}
		return 10*l + float64(r)/100 - 0.015
	}, zero)
	y := run.Frame.Column("y").Numbers
	y[12] = math.NaN() // fcfs at load 3, replication 0
	p := evaluate(t, run, study.Claim{
		Statistic: study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Of: policy("fcfs"),
			To: policy("easy")}}).Parts[0]
	near(t, "crossing", p.Estimate, 1.5)
	if p.Replications != 4 || len(p.Remarks) != 2 || !strings.Contains(p.Remarks[0], "load = 3") {
		t.Errorf("%d replications, remarks %q", p.Replications, p.Remarks)
	}
}

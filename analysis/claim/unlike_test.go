package claim

import (
	"slices"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// A manifest leaves easy out at the highest load (exclude). The mean of easy is then of other loads than that of fcfs.
func TestUnlikeSides(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 4, func(_ string, load float64, r int) float64 {
		return 10*load + float64(r)
	}, noise)
	for _, f := range []**frame.Frame{&run.Frame, &run.Planned} {
		policy, load := (*f).Column("policy"), (*f).Column("load")
		*f = (*f).Take(slices.DeleteFunc(frame.Every(*f), func(row int32) bool {
			return policy.At(int(row)).Plain() == "easy" && load.At(int(row)).Number == 3
		}))
	}
	const note = "1 of 3 points of policy = fcfs have no counterpart at policy = easy: load = 3"
	low := where("load", 1.0, 2.0)
	for name, c := range map[string]struct {
		s    study.Statistic
		want bool
	}{
		"ratio":                {study.Statistic{Kind: "ratio", Of: policy("easy"), To: policy("fcfs")}, true},
		"difference, reversed": {study.Statistic{Kind: "difference", Of: policy("fcfs"), To: policy("easy")}, true},
		"both at the same":     {study.Statistic{Kind: "ratio", Of: policy("easy"), To: policy("fcfs"), Where: []study.Term{low}}, false},
		"chosen by the claim":  {study.Statistic{Kind: "ratio", Of: policy("easy"), To: of(where("policy", "fcfs"), low)}, false},
		"lines":                {study.Statistic{Kind: "slope", X: "load", Of: policy("easy"), To: policy("fcfs")}, false},
		"single instances":     {study.Statistic{Kind: "share", Is: "lower", Of: policy("easy"), To: policy("fcfs")}, false},
		"an extreme, each part": {study.Statistic{Kind: "extreme", Axis: "policy", Values: where("", "easy").Values,
			Is: "smallest", Of: of()}, true},
	} {
		c.s.Metric = "y"
		for _, p := range evaluate(t, run, study.Claim{Statistic: c.s}).Parts {
			if p.Reason != "" || slices.Contains(p.Remarks, note) != c.want {
				t.Errorf("%s: %q %q", name, p.Reason, p.Remarks)
			}
		}
	}
}

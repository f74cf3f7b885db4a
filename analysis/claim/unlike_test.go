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
		"a list of two": {study.Statistic{Kind: "ratio", Parts: []study.Statistic{{Kind: "mean", Metric: "y", Of: policy("easy")},
			{Kind: "mean", Metric: "y", Of: policy("fcfs")}}}, true},
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

// TestUnlikePartners: a share leaves out instances without a partner, and compares with the partners that there are. Of four loads fcfs
// lacks the first two, and flex the first and the last. There are four replications.
func TestUnlikePartners(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy", "flex"}, []float64{1, 2, 3, 4}, 4, func(_ string, load float64, r int) float64 {
		return 10*load + float64(r)
	}, noise)
	for _, f := range []**frame.Frame{&run.Frame, &run.Planned} {
		policy, load := (*f).Column("policy"), (*f).Column("load")
		*f = (*f).Take(slices.DeleteFunc(frame.Every(*f), func(row int32) bool {
			l := load.At(int(row)).Number
			return map[string]bool{"fcfs": l < 3, "flex": l == 1 || l == 4}[policy.At(int(row)).Plain()]
		}))
	}
	for name, c := range map[string]struct {
		of, to *study.Selection
		want   []string
	}{
		"left out": {policy("easy"), policy("fcfs"), []string{"8 of 16 instances of policy = easy have no partner and are left out"}},
		"whole":    {policy("fcfs"), policy("easy"), nil},
		"fewer": {policy("easy"), of(where("policy", "fcfs", "flex")), []string{
			"4 of 16 instances of policy = easy have no partner and are left out",
			"8 of 16 instances of policy = easy have fewer partners than others"}},
	} {
		p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "share", Metric: "y", Is: "lower", Of: c.of, To: c.to}}).Parts[0]
		if p.Reason != "" || !slices.Equal(p.Remarks, c.want) {
			t.Errorf("%s: %q %q", name, p.Reason, p.Remarks)
		}
	}
}

package claim

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/frame/frametest"
	"schedsweep/sweep/study"
)

// TestRemarkOnTheSecondSide: a policy that draws random numbers on a fixed log is the second side of a difference. The claim says that
// replications differ by these draws alone, as where that policy is the first side.
func TestRemarkOnTheSecondSide(t *testing.T) {
	f := frametest.Drawn(t, 10)
	run := &frame.Run{Frame: f, Design: frame.Design{Axes: []string{"policy"}, Replication: "replication"}}
	for _, sides := range [][2]string{{"lottery", "fcfs"}, {"fcfs", "lottery"}} {
		p := evaluate(t, run, study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "wait",
			Of: policy(sides[0]), To: policy(sides[1])}}).Parts[0]
		if said := strings.Join(p.Remarks, "; "); strings.Count(said, "play the same jobs and differ in their random draws") != 1 {
			t.Errorf("%v: %v", sides, p.Remarks)
		}
	}
}

// TestSidesWithOtherJobs: the windows of the sides are of other jobs in two of four replications. A claim about both says so.
func TestSidesWithOtherJobs(t *testing.T) {
	policies := slices.Repeat([]string{"fcfs", "easy"}, 4)
	number := func(name string, values ...float64) frame.Column { return frame.NumberColumn(name, "", values) }
	f, err := frame.NewFrame(frame.TextColumn("policy", policies), number("replication", 0, 0, 1, 1, 2, 2, 3, 3),
		number("wait", 1, 2, 2, 4, 3, 5, 4, 9), number(frame.ColumnJobsDigest, 1, 1, 2, 2, 3, 4, 5, 6),
		number(frame.ColumnSampleFirst, 0, 0, 100, 100, 200, 200, 300, 300),
		number(frame.ColumnSampleOf, slices.Repeat([]float64{1000}, 8)...), number(frame.ColumnJobs, slices.Repeat([]float64{100}, 8)...))
	if err != nil {
		t.Fatal(err)
	}
	run := &frame.Run{Frame: f, Design: frame.Design{Axes: []string{"policy"}, Replication: "replication"}}
	for to, want := range map[*study.Selection]int{policy("easy"): 1, nil: 0} {
		kind := map[bool]string{true: "mean", false: "difference"}[to == nil]
		p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: kind, Metric: "wait", Of: policy("fcfs"), To: to}}).Parts[0]
		if said := strings.Join(p.Remarks, "; "); strings.Count(said, "the sides have different jobs in 2 of 4 replications") != want {
			t.Errorf("%s: %s", kind, said)
		}
	}
}

// TestReplicationsOfEachPointOnce: two runs have points with unequal numbers of replications. The reason names points and runs once.
func TestReplicationsOfEachPointOnce(t *testing.T) {
	higher := func(p string, l float64, r int) float64 { return varied(p, l, r) + .3 }
	own, other := unequal(t, higher, fewAt2), unequal(t, varied, fewAt2)
	other.Name = "other"
	p := evaluate(t, own, study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"),
		To: &study.Selection{Run: "other", Terms: []study.Term{where("policy", "fcfs")}}}}, other).Parts[0]
	if !strings.Contains(p.Reason, "times as many replications of each point in each run would decide") {
		t.Errorf("%s: %s", p.Verdict, p.Reason)
	}
}

// TestFarFromTheLogItself: windows of a log wait for about 100 s under fcfs and 50 s under easy. The log itself waited for 400 s and 50 s.
// Claims about means say so, as the table of statistics does, but not claims about what adds up over a run.
func TestFarFromTheLogItself(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1}, 5, func(p string, l float64, r int) float64 {
		return map[string]float64{"fcfs": 100, "easy": 50}[p] + noise(p, l, r)
	}, zero)
	log, err := frame.NewFrame(frame.TextColumn("policy", []string{"fcfs", "easy"}), frame.NumberColumn("load", "", []float64{1, 1}),
		frame.TextColumn("outcome", []string{"ok", "ok"}), frame.NumberColumn("y", "s", []float64{400, 50}))
	if err != nil {
		t.Fatal(err)
	}
	run.Design.Log = log
	for _, c := range []struct {
		kind     string
		of, to   *study.Selection
		adds, is bool
	}{
		{"mean", policy("fcfs"), nil, false, true}, {"mean", policy("easy"), nil, false, false}, {"mean", policy("fcfs"), nil, true, false},
		{"difference", policy("fcfs"), policy("easy"), false, true}, {"difference", policy("fcfs"), policy("easy"), true, false},
		{"ratio", policy("fcfs"), policy("easy"), true, true}, {"improvement", policy("easy"), policy("fcfs"), true, true},
	} {
		run.Design.Sums = map[string]bool{"y": c.adds}
		p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: c.kind, Metric: "y", Of: c.of, To: c.to}}).Parts[0]
		said := strings.Contains(strings.Join(p.Remarks, "; "), "times what the log itself has: the interval does not estimate it")
		if p.Reason != "" || said != c.is {
			t.Errorf("%+v: %s %v", c, p.Reason, p.Remarks)
		}
	}
}

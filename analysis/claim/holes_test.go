package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// hollow returns a run of two policies at two loads with 5 replications. The given rows are NaN or failed. Rows are 0-4 fcfs
// at load 1, 5-9 at load 2, 10-14 easy at load 1, 15-19 at load 2. fcfs is lower at load 1 and ten times higher at load 2.
func hollow(t *testing.T, notFinite, failed []int) *frame.Run {
	t.Helper()
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 5, func(p string, l float64, r int) float64 {
		v := map[string]float64{"fcfs": 1 + 99*(l-1), "easy": 2 + 8*(l-1)}[p]
		return v * (1 + noise(p, l, r)/100)
	}, func(_ string, l float64, _ int) float64 { return l })
	run.Frame.Column("outcome").Levels = []string{"ok", "failed"}
	for _, r := range notFinite {
		run.Frame.Column("y").Numbers[r] = math.NaN()
	}
	for _, r := range failed {
		run.Frame.Column("y").Numbers[r] = math.NaN()
		run.Frame.Column("outcome").Codes[r] = 1
	}
	return run
}

func TestALostPointDecidesNothing(t *testing.T) {
	all := []int{5, 6, 7, 8, 9} // fcfs at load 2
	both := func(kind string) study.Statistic {
		return study.Statistic{Kind: kind, Metric: "y", X: "load", Is: "lower", Of: policy("fcfs"), To: policy("easy")}
	}
	order := study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Values: where("", "fcfs", "easy").Values, Of: of()}
	low := study.Region{Given: true, Low: math.Inf(-1), High: 1, HighOpen: true}
	slope, spread := both("slope"), both("spread")
	slope.As, spread.As = "ratio", "ratio"
	for name, s := range map[string]study.Statistic{
		"ratio": both("ratio"), "difference": both("difference"), "improvement": both("improvement"), "share": both("share"),
		"slope": slope, "spread": spread, "order": order,
		"mean": {Kind: "mean", Metric: "y", Of: policy("fcfs")}, "percentile": {Kind: "percentile", Metric: "y", At: 5, Of: policy("fcfs")},
	} {
		expect := low
		if s.Kind == "order" {
			expect = study.Region{}
		}
		for _, incomplete := range []string{"refuse", "drop"} {
			c := study.Claim{Statistic: s, Expect: expect, Incomplete: incomplete}
			for lost, run := range map[string]*frame.Run{"5 not finite": hollow(t, all, nil), "5 failed": hollow(t, nil, all),
				"3 failed, 2 not finite": hollow(t, all[:2], all[2:])} {
				r := evaluate(t, run, c)
				p := r.Parts[0]
				if r.Verdict != CannotTell || p.Reason != "1 of 2 points have no finite y in any replication: policy = fcfs, load = 2 ("+lost+")" {
					t.Errorf("%s, %s, %s: %s, %q", name, incomplete, lost, r.Verdict, p.Reason)
				}
				counted := slices.ContainsFunc(p.Remarks, func(m string) bool { return strings.Contains(m, "of 10 rows have no finite y") })
				if counted != strings.Contains(lost, "not finite") {
					t.Errorf("%s: remarks %q", lost, p.Remarks)
				}
			}
		}
	}
	mean := study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: policy("fcfs")}, Incomplete: "drop"}
	remarks := strings.Join(evaluate(t, hollow(t, all[:1], nil), mean).Parts[0].Remarks, ";")
	if !strings.Contains(remarks, "1 of 10 rows have no finite y") {
		t.Errorf("one lost: remarks %q", remarks)
	}
	// Without the hole the same claim is decided, and so is the part that has no hole.
	if r := evaluate(t, hollow(t, nil, nil), study.Claim{Statistic: both("ratio"), Expect: low}); r.Verdict != DoesNotHold {
		t.Errorf("whole: %s", r.Verdict)
	}
	r := evaluate(t, hollow(t, all, nil), study.Claim{Statistic: both("ratio"), Expect: low, Across: []string{"load"}})
	if r.Verdict != CannotTell || r.Parts[0].Verdict != Holds || r.Parts[1].Verdict != CannotTell {
		t.Errorf("across: %+v", r)
	}
}

func TestReplicationsThatLostInstances(t *testing.T) {
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")}}
	for want, run := range map[string]*frame.Run{
		"2 of 5 replications lost instances (2 failed), ":               hollow(t, nil, []int{6, 13}),
		"2 of 5 replications lost instances (1 failed, 1 not finite), ": hollow(t, []int{13}, []int{6}),
		"1 of 5 replications lost instances (2 not finite), ":           hollow(t, []int{6, 16}, nil),
	} {
		c.Incomplete = "refuse"
		if r := evaluate(t, run, c); r.Verdict != CannotTell || !strings.HasPrefix(r.Parts[0].Reason, want) || !math.IsNaN(r.Parts[0].Estimate) {
			t.Errorf("refuse: %s, %v, %q, want %q", r.Verdict, r.Parts[0].Estimate, r.Parts[0].Reason, want)
		}
		c.Incomplete = "drop"
		r := evaluate(t, run, c)
		if p := r.Parts[0]; r.Verdict != Holds || p.Replications != 5-int(want[0]-'0') ||
			!strings.HasSuffix(p.Remarks[len(p.Remarks)-1], "failed") && run.Frame.Column("outcome").Codes[6] == 1 {
			t.Errorf("drop: %+v", r)
		}
	}
}

func TestAnXThatIsNotFinite(t *testing.T) {
	run := hollow(t, nil, nil)
	run.Frame.Column("z").Numbers[7] = math.NaN()
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "slope", Metric: "y", X: "z", Of: policy("fcfs")}}
	if r := evaluate(t, run, c); r.Verdict != CannotTell || !strings.Contains(r.Parts[0].Reason, "1 of 5 replications lost instances (1 "+
		"not finite)") {
		t.Errorf("refuse: %+v", r)
	}
	c.Incomplete = "drop"
	if r := evaluate(t, run, c); r.Verdict != Holds || r.Parts[0].Replications != 4 ||
		!strings.Contains(strings.Join(r.Parts[0].Remarks, ";"), "1 of 10 rows have no finite y and z (policy = fcfs)") {
		t.Errorf("drop: %+v", r)
	}
}

func TestALossOutsideThePairsDoesNotCount(t *testing.T) {
	y := func(more float64) func(string, float64, int) float64 {
		return func(_ string, l float64, r int) float64 { return more + 100*float64(r*r%7) + noise("", more, r) }
	}
	own, other := grid(t, []string{"p"}, []float64{1, 2}, 6, y(2), zero), grid(t, []string{"p"}, []float64{1, 2}, 9, y(0), zero)
	other.Name = "other"
	c := study.Claim{Paired: true, Expect: positive,
		Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(), To: &study.Selection{Run: "other"}}}
	other.Frame.Column("y").Numbers[7] = math.NaN() // replication 7, which the own run has not
	if r := evaluate(t, own, c, other); r.Verdict != Holds || r.Parts[0].Replications != 6 {
		t.Errorf("outside: %+v", r)
	}
	other.Frame.Column("y").Numbers[3] = math.NaN()
	if r := evaluate(t, own, c, other); r.Verdict != CannotTell || !strings.HasPrefix(r.Parts[0].Reason, "run other: 1 of 6 replications "+
		"lost instances (1 not finite)") {
		t.Errorf("inside: %+v", r)
	}
}

func TestALostPointLeavesBothCurves(t *testing.T) {
	// fcfs is above easy everywhere by 0.5; drawn straight over its lost point at 2 it would cross easy twice.
	height := []float64{0, 10, 12.5, 13, 0}
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3, 4}, 4, func(p string, l float64, r int) float64 {
		v := height[int(l)] + float64(r)/1000
		switch {
		case p == "easy":
			return v
		case l == 4:
			return v - 0.5
		}
		return v + 0.5
	}, zero)
	y := run.Frame.Column("y").Numbers
	for r := range 4 {
		y[8+r] = math.NaN() // fcfs at load 2
	}
	p := evaluate(t, run, study.Claim{
		Statistic: study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Of: policy("fcfs"),
			To: policy("easy")}}).Parts[0]
	near(t, "crossing", p.Estimate, 3.5)
	want := []string{
		"points where an instance failed or has no finite y were left out: load = 2 (4 of 20 rows; policy = fcfs)",
		"points where an instance failed or has no finite y were left out: load = 2 (policy = easy, as on the other side)",
	}
	if !slices.Equal(p.Remarks, want) {
		t.Errorf("remarks %q", p.Remarks)
	}
}

func TestReplicationsThatAreTheSame(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 5, func(p string, l float64, _ int) float64 {
		return noise(p, l, 0) + float64(len(p)+int(p[0])) + l
	}, noise)
	const why = "all replications are identical: nothing in the workload is random"
	for _, kind := range []string{"difference", "ratio", "improvement", "share"} {
		s := study.Statistic{Kind: kind, Metric: "y", Is: "higher", Of: policy("fcfs"), To: policy("easy")}
		r := evaluate(t, run, study.Claim{Statistic: s, Expect: region(-1000, 1000)})
		if r.Verdict != CannotTell || r.Parts[0].Reason != why || r.Parts[0].Bounded() {
			t.Errorf("%s: %+v", kind, r.Parts[0])
		}
	}
	mean := study.Statistic{Kind: "mean", Metric: "y", Of: policy("fcfs")}
	if r := evaluate(t, run, study.Claim{Statistic: mean}); r.Verdict != Reported || !slices.Equal(r.Parts[0].Remarks, []string{why}) {
		t.Errorf("reported: %+v", r)
	}
	// Another metric that differs shows that the replications are not the same run; one bit of one row does too.
	run.Design.Metrics = []string{"z"}
	if r := evaluate(t, run, study.Claim{Statistic: mean, Expect: region(0, 1000)}); r.Verdict != Holds {
		t.Errorf("another metric: %+v", r)
	}
	run.Design.Metrics = nil
	y := run.Frame.Column("y").Numbers
	y[3] = math.Nextafter(y[3], 1000)
	if r := evaluate(t, run, study.Claim{Statistic: mean, Expect: region(0, 1000)}); r.Verdict != Holds {
		t.Errorf("one bit: %+v", r)
	}
}

func TestAnotherRunAtOneValueOfAnAxisServesNoOther(t *testing.T) {
	y := func(p string, l float64, r int) float64 { return l + noise(p, l, r)/10 }
	own, other := grid(t, []string{"p"}, []float64{1, 2}, 6, y, zero), grid(t, []string{"p"}, []float64{2}, 6, y, zero)
	other.Name = "other"
	c := study.Claim{Expect: region(0.9, 1.1), Across: []string{"load"},
		Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: of(), To: &study.Selection{Run: "other"}}}
	r := evaluate(t, own, c, other)
	if r.Verdict != CannotTell || r.Parts[0].Reason != "run other has rows at load = 2 only" || r.Parts[1].Verdict != Holds {
		t.Errorf("%+v", r.Parts)
	}
	// A value that the claim names itself applies to every part.
	c.Statistic.To.Terms = []study.Term{where("load", 2.0)}
	if r := evaluate(t, own, c, other); r.Parts[0].Verdict != DoesNotHold || r.Parts[0].Reason != "" {
		t.Errorf("chosen: %+v", r.Parts)
	}
	// A range that happens to hold the one value does not choose it.
	c.Statistic.To.Terms = []study.Term{{Path: "load", Range: true, From: 0, To: 9}}
	if r := evaluate(t, own, c, other); r.Parts[0].Verdict != CannotTell {
		t.Errorf("range: %+v", r.Parts)
	}
	// Remarks of a run stand at every part that uses it.
	other.Remarks = []string{"as it lies"}
	if r := evaluate(t, own, c, other); !slices.Equal(r.Parts[1].Remarks, other.Remarks) {
		t.Errorf("remarks %q", r.Parts[1].Remarks)
	}
}

// TestASideAtOneValueOfAnAxisServesNoOther: exclude leaves fcfs at load 2 only, so that nothing is known of it at load 1.
func TestASideAtOneValueOfAnAxisServesNoOther(t *testing.T) {
	y := func(p string, l float64, r int) float64 { return l + noise(p, l, r)/10 }
	run := grid(t, []string{"easy", "fcfs"}, []float64{1, 2}, 6, y, zero)
	policies, loads := run.Frame.Column("policy"), run.Frame.Column("load")
	run.Frame = run.Frame.Take(slices.DeleteFunc(frame.Every(run.Frame), func(row int32) bool {
		return policies.At(int(row)).Text == "fcfs" && loads.Numbers[row] == 1
	}))
	run.Planned = nil
	c := study.Claim{Expect: region(0.9, 1.1), Across: []string{"load"},
		Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("easy"), To: policy("fcfs")}}
	const why = "policy = fcfs has rows at load = 2 only; if it is meant at each value of load, name it in the claim"
	if r := evaluate(t, run, c); r.Verdict != CannotTell || r.Parts[0].Reason != why || r.Parts[1].Verdict != Holds {
		t.Errorf("%+v", r.Parts)
	}
	c.Statistic.To = of(where("policy", "fcfs"), where("load", 2.0))
	if r := evaluate(t, run, c); r.Parts[0].Verdict != DoesNotHold || r.Parts[0].Reason != "" {
		t.Errorf("chosen: %+v", r.Parts)
	}
	// A policy without the field that the axis varies serves all of its values.
	for row := range run.Frame.Rows {
		if run.Frame.Column("policy").At(row).Text == "fcfs" {
			run.Frame.Column("load").Numbers[row] = math.NaN()
		}
	}
	c.Statistic.To = policy("fcfs")
	if r := evaluate(t, run, c); r.Parts[0].Verdict != DoesNotHold || r.Parts[1].Verdict != Holds || r.Parts[0].Reason != "" {
		t.Errorf("without the field: %+v", r.Parts)
	}
}

// TestRunsTooShortDecideNothing: a claim about a mean that tables call undefined is inconclusive, and says why.
func TestRunsTooShortDecideNothing(t *testing.T) {
	run := hollow(t, nil, nil)
	const metric = "steady_response_time"
	growth := make([]float64, run.Frame.Rows)
	for i := 5; i < 10; i++ { // fcfs at load 2
		growth[i] = .5
	}
	var columns []frame.Column
	for _, name := range []string{"policy", "load", "replication", "outcome"} {
		columns = append(columns, *run.Frame.Column(name))
	}
	f, err := frame.NewFrame(append(columns, frame.NumberColumn(metric, "", run.Frame.Column("y").Numbers),
		frame.NumberColumn("response_growth", "", growth))...)
	if err != nil {
		t.Fatal(err)
	}
	run.Frame = f
	const why = "as runs are too short for a steady state: give longer runs or use another metric"
	for _, s := range []study.Statistic{{Kind: "ratio", Metric: metric, Of: policy("fcfs"), To: policy("easy")},
		{Kind: "mean", Metric: metric, Of: policy("fcfs")}} {
		c := study.Claim{Statistic: s, Expect: study.Region{Given: true, Low: math.Inf(-1), High: 1e6}}
		if r := evaluate(t, run, c); r.Verdict != CannotTell || !strings.Contains(r.Parts[0].Reason, why) {
			t.Errorf("%s: %s, %q", s.Kind, r.Verdict, r.Parts[0].Reason)
		}
	}
}

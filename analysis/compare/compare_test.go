package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// sleepFrame holds R's sleep data (Student 1908) as a sweep: the drug is the axis, the subject the replication.
func sleepFrame(t *testing.T) *frame.Frame {
	t.Helper()
	extra := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0, 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	drug, subject := make([]float64, 20), make([]float64, 20)
	for i := range extra {
		drug[i], subject[i] = float64(1+i/10), float64(i%10)
	}
	f, err := frame.NewFrame(frame.NumberColumn("drug", "", drug), frame.NumberColumn("subject", "", subject),
		frame.NumberColumn("extra", "h", extra))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCompareSleepData(t *testing.T) {
	d := frame.Design{Axes: []string{"drug"}, Replication: "subject", Metrics: []string{"extra"}}
	got, err := Paired(sleepFrame(t), d, Contrast{Axes: []string{"drug"}, Baseline: []frame.Value{frame.Number(1)}})
	if err != nil {
		t.Fatal(err)
	}
	// R: with(sleep, t.test(extra[group == 2], extra[group == 1], paired = TRUE)): 1.58, 0.7001142 .. 2.4598858. The
	// differences are skewed to the right (G1 = 1.7456), so that Hall's interval reaches farther there, to 5.1082518 by
	// Hall's formula in plain Python.
	c := got[0]
	if len(got) != 1 || c.N != 10 || !(math.Abs(c.Difference.Estimate-1.58) <= 1e-12) || !(math.Abs(c.Difference.Low-0.7001142) <= 1e-7) ||
		!(math.Abs(c.Difference.High-5.108251812944463) <= 1e-9) || c.Unpaired != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPairsNeedBothSides(t *testing.T) {
	got, err := Paired(sample(t), design(), Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")},
		Metrics: []string{"makespan"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2*8 {
		t.Fatalf("%d comparisons, want 16", len(got))
	}
	first := got[0] // contiguous at factor 0, where an instance of the baseline failed
	if first.N != 5 || first.Unpaired != 1 || first.BaselineCounts.Failed != 1 || warned(first.Warnings, stats.Unpaired) != 1 ||
		warned(first.Warnings, stats.Failed) != 1 {
		t.Errorf("%+v", first)
	}
	if got[4].N != 6 || len(got[4].Warnings) != 0 || got[4].Planned != frame.Exactly(6) {
		t.Errorf("a complete comparison: %+v", got[4])
	}
}

func TestOverAveragesWithinReplications(t *testing.T) {
	// Two replications, two loads; by hand: differences 1, 3 and 5, 9 average to 2 and 7, their mean is 4.5 with
	// half-width t(0.975, 1) * |7-2|/2 = 12.706204736174694 * 2.5 (two have no skewness).
	f, err := frame.NewFrame(
		frame.TextColumn("policy", []string{"a", "a", "a", "a", "b", "b", "b", "b"}),
		frame.NumberColumn("load", "", []float64{1, 2, 1, 2, 1, 2, 1, 2}),
		frame.NumberColumn("rep", "", []float64{0, 0, 1, 1, 0, 0, 1, 1}),
		frame.NumberColumn("m", "", []float64{10, 20, 30, 40, 11, 23, 35, 49}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy", "load"}, Replication: "rep", Metrics: []string{"m"}}
	got, err := Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"}})
	if err != nil {
		t.Fatal(err)
	}
	c := got[0]
	if len(got) != 1 || c.N != 2 || c.Difference.Estimate != 4.5 || !(math.Abs(c.Difference.HalfWidth()-12.706204736174694*2.5) <= 1e-7) ||
		c.Ratio.Estimate != 118.0/100 {
		t.Errorf("%+v", got)
	}
	// Of unrelated runs the means of the replications are 15, 35 and 17, 42, with the variances 200 and 312.5.
	got, err = Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"},
		Independent: true})
	if err != nil {
		t.Fatal(err)
	}
	if c := got[0]; c.N != 2 || c.Lost != 0 || c.Difference.Estimate != 4.5 || !(math.Abs(c.Error.SE-math.Sqrt(256.25)) <= 1e-12) {
		t.Errorf("of unrelated runs: %d, %d lost, %+v", c.N, c.Lost, c.Error)
	}
}

// TestOverLeavesIncompleteReplicationsOut: of three replications the first lacks an answer at load 2. Its pair at load 1 is of something
// else than the means of both loads, so that the pair is lost, and the differences 2 and 7 remain.
func TestOverLeavesIncompleteReplicationsOut(t *testing.T) {
	f, err := frame.NewFrame(
		frame.TextColumn("policy", []string{"a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b"}),
		frame.NumberColumn("load", "", []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}),
		frame.NumberColumn("rep", "", []float64{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}),
		frame.TextColumn("outcome", []string{"ok", "ok", "ok", "ok", "ok", "ok", "ok", "failed", "ok", "ok", "ok", "ok"}),
		frame.NumberColumn("m", "", []float64{10, 20, 10, 20, 30, 40, 1000, math.NaN(), 11, 23, 35, 49}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy", "load"}, Replication: "rep", Outcome: "outcome", Metrics: []string{"m"}}
	got, err := Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"}})
	if err != nil {
		t.Fatal(err)
	}
	if c := got[0]; c.N != 2 || c.Lost != 1 || c.Difference.Estimate != 4.5 {
		t.Errorf("%d pairs, %d lost, difference %v", c.N, c.Lost, c.Difference)
	}
	got, err = Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"},
		Independent: true})
	if err != nil {
		t.Fatal(err)
	}
	if c := got[0]; c.N != 2 || c.Lost != 1 || c.BaseMean != 65./3 || c.OtherMean != 59./2 {
		t.Errorf("of unrelated runs: %d, %d lost, means %g and %g", c.N, c.Lost, c.BaseMean, c.OtherMean)
	}
	// With one load of each replication of b, none has a mean of both.
	for _, independent := range []bool{false, true} {
		got, err = Paired(f.Take([]int32{0, 1, 2, 3, 4, 5, 6, 9, 11}), d, Contrast{Axes: []string{"policy"},
			Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"}, Independent: independent})
		if err != nil {
			t.Fatal(err)
		}
		if c := got[0]; c.N != 0 || c.Lost == 0 || !math.IsNaN(c.Difference.Estimate) {
			t.Errorf("of a load each, independent %v: %d, %d lost, difference %v", independent, c.N, c.Lost, c.Difference)
		}
	}
}

// TestLostPairsAreOfPairsWithAValue: replication 3 has no row of b, and replication 2 has no value on either side.
func TestLostPairsAreOfPairsWithAValue(t *testing.T) {
	f, err := frame.NewFrame(
		frame.TextColumn("policy", []string{"a", "a", "a", "a", "b", "b", "b"}), frame.NumberColumn("rep", "", []float64{0, 1, 2, 3, 0, 1, 2}),
		frame.NumberColumn("m", "", []float64{1, 2, math.NaN(), 3, 2, 4, math.NaN()}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy"}, Replication: "rep", Metrics: []string{"m"},
		PlannedOf: func([]frame.Value) int { return 4 }}
	got, err := Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "1 of 3 pairs are lost (an instance failed, has no row or no value), and the others may differ from them: means and " +
		"difference are of the other 2"
	if c := got[0]; !slices.ContainsFunc(c.Warnings, func(w stats.Warning) bool { return w.Text == want }) {
		t.Errorf("warnings %v", c.Warnings)
	}
}

// TestUnrelatedRunsLoseValuesOfEither: of two runs that are no pairs, b has more replications than a, and one of these lacks a value.
func TestUnrelatedRunsLoseValuesOfEither(t *testing.T) {
	f, err := frame.NewFrame(
		frame.TextColumn("run", []string{"a", "a", "a", "b", "b", "b", "b", "b"}),
		frame.NumberColumn("rep", "", []float64{0, 1, 2, 0, 1, 2, 3, 4}),
		frame.NumberColumn("m", "", []float64{1, 2, 4, 2, 4, 3, math.NaN(), 3}))
	if err != nil {
		t.Fatal(err)
	}
	for ofB, lost := range map[int]int{5: 1, 6: 2} {
		d := frame.Design{Axes: []string{"run"}, Replication: "rep", Metrics: []string{"m"}, PlannedOf: func(p []frame.Value) int {
			return map[string]int{"a": 3, "b": ofB}[p[0].Text]
		}}
		got, err := Paired(f, d, Contrast{Axes: []string{"run"}, Baseline: []frame.Value{frame.Text("a")}, Independent: true})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%d of %d replications are lost (an instance failed, has no row or no value), and the others may differ from them: "+
			"means and difference are of the other 7", lost, lost+7)
		if c := got[0]; c.N != 3 || c.Lost != lost || !slices.ContainsFunc(c.Warnings, func(w stats.Warning) bool { return w.Text == want }) {
			t.Errorf("%d of b planned: %d, %d lost, %v", ofB, c.N, c.Lost, c.Warnings)
		}
	}
}

// TestOverExpectsPlannedPairs: a block plans one replication of b at load 1 and two of a. No pair is lost, unless the plan has more.
func TestOverExpectsPlannedPairs(t *testing.T) {
	f, err := frame.NewFrame(
		frame.TextColumn("policy", []string{"a", "a", "a", "a", "b"}), frame.NumberColumn("load", "", []float64{1, 1, 2, 2, 1}),
		frame.NumberColumn("rep", "", []float64{0, 1, 0, 1, 0}), frame.NumberColumn("m", "", []float64{1, 2, 3, 4, 5}))
	if err != nil {
		t.Fatal(err)
	}
	for ofB, lost := range map[int]int{1: 0, 2: 1} {
		d := frame.Design{Axes: []string{"policy", "load"}, Replication: "rep", Metrics: []string{"m"}, PlannedOf: func(p []frame.Value) int {
			return map[string]int{"a": 2, "b": ofB}[p[0].Text]
		}}
		got, err := Paired(f, d, Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}, Over: []string{"load"}})
		if err != nil {
			t.Fatal(err)
		}
		if c := got[0]; c.N != 1 || c.Lost != lost {
			t.Errorf("%d of b planned: %d pairs, %d lost", ofB, c.N, c.Lost)
		}
	}
}

func TestBaselineOfTwoAxes(t *testing.T) {
	f, err := frame.NewFrame(
		frame.TextColumn("policy", []string{"a", "a", "b", "b"}), frame.TextColumn("order", []string{"x", "y", "x", "y"}),
		frame.NumberColumn("rep", "", make([]float64, 4)), frame.NumberColumn("m", "", []float64{1, 2, 3, 4}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy", "order"}, Replication: "rep", Metrics: []string{"m"}}
	got, err := Paired(f, d, Contrast{Axes: []string{"policy", "order"}, Baseline: []frame.Value{frame.Text("a"), frame.Text("y")}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"a, x": -1, "b, x": 1, "b, y": 2}
	if len(got) != len(want) {
		t.Fatalf("%d comparisons, want %d", len(got), len(want))
	}
	for _, c := range got {
		if c.Difference.Estimate != want[frame.List(frame.Printed(c.Level))] {
			t.Errorf("%v: difference %g", c.Level, c.Difference.Estimate)
		}
	}
}

func TestRepeatedInstancesAreNotPaired(t *testing.T) {
	f := sample(t)
	got, err := Paired(frameOf(t, f, append(ints(f.Rows), 20)), design(),
		Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}, Metrics: []string{"makespan"}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range got {
		if warned(c.Warnings, stats.Duplicate) > 0 {
			n++
			if c.N != 5 {
				t.Errorf("%d pairs with an ambiguous one, want 5", c.N)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d comparisons with an ambiguous partner, want 2", n)
	}
	// Of unrelated runs each side leaves its own out: 7 and 100 are of one instance.
	f, err = frame.NewFrame(frame.TextColumn("run", []string{"a", "a", "a", "b", "b", "b", "b"}),
		frame.NumberColumn("rep", "", []float64{0, 1, 2, 0, 1, 2, 2}), frame.NumberColumn("m", "", []float64{1, 2, 3, 5, 6, 7, 100}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"run"}, Replication: "rep", Metrics: []string{"m"}}
	got, err = Paired(f, d, Contrast{Axes: []string{"run"}, Baseline: []frame.Value{frame.Text("a")}, Independent: true})
	if err != nil {
		t.Fatal(err)
	}
	if c := got[0]; c.BaseMean != 2 || c.OtherMean != 5.5 || warned(c.Warnings, stats.Duplicate) != 2 {
		t.Errorf("of unrelated runs: means %g and %g, %v", c.BaseMean, c.OtherMean, c.Warnings)
	}
}

func TestMissingBaseline(t *testing.T) {
	c := Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("random")}}
	_, err := Paired(sample(t), design(), c)
	var missing *NoBaselineError
	if !errors.As(err, &missing) || missing.Have != "basic; contiguous; local" {
		t.Errorf("error %v", err)
	}
}

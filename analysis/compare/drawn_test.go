package compare

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/frame/frametest"
	"schedsweep/analysis/stats"
)

// TestDrawsAgainstNoDraws: a policy that draws random numbers on a fixed log is compared with one that does not draw. The pairs
// differ by the draws, whichever of the two is the baseline, and the comparison says that they differ by these alone.
func TestDrawsAgainstNoDraws(t *testing.T) {
	const n = 10
	f := frametest.Drawn(t, n)
	d := frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95,
		Better: map[string]string{"wait": "lower"}, PlannedPerPoint: frame.Exactly(n)}
	for base, want := range map[string]Verdict{"lottery": Worse, "fcfs": Better} {
		var got Comparison
		c := Contrast{Axes: d.Axes, Baseline: []frame.Value{frame.Text(base)}}
		if _, err := EachJudged(f, d, c, func(c Comparison) { got = c }); err != nil {
			t.Fatal(err)
		}
		if got.Verdict != want || !got.Ratio.Bounded() || warned(got.Warnings, stats.Sharing) == 0 {
			t.Errorf("against %s: %s, ratio %v, %v; want %s, an interval and a note", base, got.Verdict, got.Ratio, got.Warnings, want)
		}
	}
}

// TestWindowsOfTheBaseline: the windows of the baseline overlap, and those of the level do not. The interval is too narrow
// for the same reason as that of the baseline's mean, and says so.
func TestWindowsOfTheBaseline(t *testing.T) {
	const n = 4
	var window []string
	var replication, first, wait []float64
	for i := range n {
		window, replication = append(window, "base", "level"), append(replication, float64(i), float64(i))
		first, wait = append(first, float64(10*i), float64(100*i)), append(wait, float64(i), float64(i*i))
	}
	same := func(name string, v float64) frame.Column {
		return frame.NumberColumn(name, "", slices.Repeat([]float64{v}, 2*n))
	}
	f, err := frame.NewFrame(frame.TextColumn("workload.window", window), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("wait", "s", wait), frame.NumberColumn(frame.ColumnSampleFirst, "", first),
		frame.NumberColumn(frame.ColumnJobsDigest, "", first), same(frame.ColumnJobs, 100), same(frame.ColumnSampleOf, 1000))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"workload.window"}, Replication: "replication", Metrics: []string{"wait"}}
	for base, note := range map[string]string{"base": "the baseline: the 4 replications share ", "level": "the 4 replications share "} {
		got, err := Paired(f, d, Contrast{Axes: d.Axes, Baseline: []frame.Value{frame.Text(base)}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got[0].Warnings, func(w stats.Warning) bool { return strings.HasPrefix(w.Text, note) }) {
			t.Errorf("against %s: %v", base, got[0].Warnings)
		}
	}
}

// TestIdenticalReplicationsOfOneLevel: the replications of a and c are identical in both metrics, and those of b are not.
func TestIdenticalReplicationsOfOneLevel(t *testing.T) {
	f, err := frame.NewFrame(frame.TextColumn("policy", []string{"a", "a", "b", "b", "c", "c"}),
		frame.NumberColumn("rep", "", []float64{0, 1, 0, 1, 0, 1}), frame.NumberColumn("m", "", []float64{1, 1, 2, 3, 5, 5}),
		frame.NumberColumn("n", "", []float64{2, 2, 3, 5, 4, 4}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy"}, Replication: "rep", Metrics: []string{"m", "n"}}
	got, err := Paired(f, d, Contrast{Axes: d.Axes, Baseline: []frame.Value{frame.Text("a")}})
	if err != nil || len(got) != 4 {
		t.Fatal(got, err)
	}
	for _, c := range got {
		if identical := c.Level[0].Text == "c"; (warned(c.Warnings, stats.Degenerate) > 0) != identical || c.Difference.Bounded() == identical {
			t.Errorf("%s of %v: %v, %v", c.Metric, c.Level, c.Difference, c.Warnings)
		}
	}
}

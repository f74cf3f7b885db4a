package compare

import (
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// TestDrawsAgainstNoDraws: a policy that draws random numbers on a fixed log is compared with one that does not draw. The pairs
// differ by the draws, whichever of the two is the baseline, and the comparison says that they differ by these alone.
func TestDrawsAgainstNoDraws(t *testing.T) {
	const n = 10
	var policy []string
	var replication, streams, wait []float64
	for i := range n {
		policy = append(policy, "fcfs", "lottery")
		replication = append(replication, float64(i), float64(i))
		streams, wait = append(streams, 0, 1), append(wait, 900, 100+float64(i*7%n))
	}
	same := func(v float64) []float64 {
		out := make([]float64, 2*n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("wait", "s", wait), frame.NumberColumn(frame.ColumnStreams, "", streams),
		frame.NumberColumn(frame.ColumnJobs, "", same(50)), frame.NumberColumn(frame.ColumnSampleOf, "", same(100)),
		frame.NumberColumn(frame.ColumnSampleFirst, "", same(0)), frame.NumberColumn(frame.ColumnJobsDigest, "", same(7)))
	if err != nil {
		t.Fatal(err)
	}
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

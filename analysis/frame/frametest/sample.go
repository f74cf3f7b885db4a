package frametest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// Sample is a small sweep in the shape of a study. Its makespan grows with the communication factor, at a slope of its own for each
// placement, on workloads shared by replication. Instances of one replication failed, and one metric is NaN.
func Sample(t testing.TB) *frame.Frame {
	t.Helper()
	return SampleOf(t, 6, 8)
}

// Placements are those of a [Sample].
var Placements = []string{"basic", "contiguous", "local"}

// SampleOf is a [Sample] of these numbers of replications and communication factors.
func SampleOf(t testing.TB, replications, steps int) *frame.Frame {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	var placement, outcome []string
	var factor, replication, makespan, wait []float64
	base := make([]float64, replications)
	for i := range base {
		base[i] = 90000 + 4000*r.NormFloat64()
	}
	for k, p := range Placements {
		for s := range steps {
			for rep := range replications {
				placement = append(placement, p)
				factor = append(factor, float64(s)*1e7)
				replication = append(replication, float64(rep))
				makespan = append(makespan, base[rep]+float64(s)*1e7*6e-5/float64(k+1)+400*r.NormFloat64())
				wait = append(wait, 1000*r.ExpFloat64())
				outcome = append(outcome, "ok")
			}
		}
	}
	outcome[3], outcome[10] = "failed", "timeout"
	makespan[3], makespan[10] = math.NaN(), math.NaN()
	wait[20] = math.NaN()
	f, err := frame.NewFrame(frame.TextColumn("policy.placement", placement), frame.NumberColumn("workload.communication_factor", "", factor),
		frame.NumberColumn("replication", "", replication), frame.TextColumn("outcome", outcome), frame.NumberColumn("makespan", "s", makespan),
		frame.NumberColumn("mean_wait", "s", wait))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Design is that of a [Sample].
func Design() frame.Design {
	return frame.Design{
		Axes: []string{"policy.placement", "workload.communication_factor"}, Replication: "replication", Outcome: "outcome",
		Metrics: []string{"makespan", "mean_wait"}, PlannedPerPoint: frame.Exactly(6), PlannedTotal: frame.Exactly(3 * 8 * 6),
	}
}

// Warned is the number that a warning of that code begins with, 1 where it begins with none and 0 where there is none.
func Warned(ws []stats.Warning, code stats.Code) int {
	for _, w := range ws {
		if w.Code == code {
			n := 1
			fmt.Sscan(w.Text, &n)
			return n
		}
	}
	return 0
}

// Drawn is n replications of a policy that draws random numbers, lottery, and of one that does not, fcfs, on the same fixed jobs. Under
// lottery jobs wait less.
func Drawn(t testing.TB, n int) *frame.Frame {
	t.Helper()
	var policies []string
	var replication, streams, wait []float64
	for i := range n {
		policies, replication = append(policies, "fcfs", "lottery"), append(replication, float64(i), float64(i))
		streams, wait = append(streams, 0, 1), append(wait, 900, 100+float64(i*7%n))
	}
	same := func(name string, v float64) frame.Column {
		return frame.NumberColumn(name, "", slices.Repeat([]float64{v}, 2*n))
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policies), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("wait", "s", wait), frame.NumberColumn(frame.ColumnStreams, "", streams), same(frame.ColumnJobs, 50),
		same(frame.ColumnSampleOf, 100), same(frame.ColumnSampleFirst, 0), same(frame.ColumnJobsDigest, 7))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

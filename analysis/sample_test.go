package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// sample is a small sweep in the shape of a study: a makespan that grows with the communication factor at a slope of its
// own for each placement, on workloads shared by replication; instances of one replication failed, one metric is NaN.
func sample(t testing.TB) *frame.Frame {
	t.Helper()
	return sampleOf(t, 6, 8)
}

var placements = []string{"basic", "contiguous", "local"}

func sampleOf(t testing.TB, replications, steps int) *frame.Frame {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	var placement, outcome []string
	var factor, replication, makespan, wait []float64
	base := make([]float64, replications)
	for i := range base {
		base[i] = 90000 + 4000*r.NormFloat64()
	}
	for k, p := range placements {
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
	f, err := frame.NewFrame(frame.TextColumn("policy.placement", placement), frame.NumberColumn("workload.communication_factor", "", factor), frame.NumberColumn("replication", "", replication), frame.TextColumn("outcome", outcome), frame.NumberColumn("makespan", "s", makespan), frame.NumberColumn("mean_wait", "s", wait))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func design() frame.Design {
	return frame.Design{
		Axes: []string{"policy.placement", "workload.communication_factor"}, Replication: "replication", Outcome: "outcome",
		Metrics: []string{"makespan", "mean_wait"}, PlannedPerPoint: 6, PlannedTotal: 3 * 8 * 6,
	}
}

// warned is the number that a warning of that code begins with, 1 where it begins with none and 0 where there is none.
func warned(ws []stats.Warning, code stats.Code) int {
	for _, w := range ws {
		if w.Code == code {
			n := 1
			fmt.Sscan(w.Text, &n)
			return n
		}
	}
	return 0
}

func wholeSpec() Spec {
	return Spec{
		Design:    design(),
		Contrasts: []Contrast{{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}}},
		Trends:    []study.Trend{{X: "workload.communication_factor", Y: "makespan"}},
		Figures: []study.Figure{
			{ID: "fig1", Title: "Makespan against the communication factor", X: "workload.communication_factor", Y: "makespan", Panels: "policy.placement", Points: true, Line: "none", Trend: true, Band: true},
			{ID: "fig2", X: "policy.placement", Y: "mean_wait", Points: true, Band: true},
			{ID: "fig3", X: "workload.communication_factor", Y: "makespan", Series: "policy.placement", Band: true},
			{ID: "fig4", X: "mean_wait", Y: "makespan", Series: "policy.placement", Line: "median", XScale: "log"},
		},
	}
}

func at(t testing.TB, all []Summary, metric string, point ...string) Summary {
	t.Helper()
	for _, s := range all {
		if s.Metric == metric && fmt.Sprint(frame.Printed(s.Point)) == fmt.Sprint(point) {
			return s
		}
	}
	t.Fatalf("no summary of %s at %v", metric, point)
	return Summary{}
}

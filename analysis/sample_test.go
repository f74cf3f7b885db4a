package analysis

import (
	"fmt"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/sweep/study"
)

func wholeSpec() Spec {
	return Spec{
		Design:    design(),
		Contrasts: []compare.Contrast{{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}}},
		Trends:    []study.Trend{{X: "workload.communication_factor", Y: "makespan"}},
		Figures: []study.Figure{
			{ID: "fig1", Title: "Makespan against the communication factor", X: "workload.communication_factor", Y: "makespan",
				Panels: "policy.placement", Params: &plot.MeansParams{Points: true, Line: "none", Trend: true, Band: true}},
			{ID: "fig2", X: "policy.placement", Y: "mean_wait", Params: &plot.MeansParams{Points: true, Band: true}},
			{ID: "fig3", X: "workload.communication_factor", Y: "makespan", Series: "policy.placement", Params: &plot.MeansParams{Band: true}},
			{ID: "fig4", X: "mean_wait", Y: "makespan", Series: "policy.placement", XScale: "log", Params: &plot.MeansParams{Line: "median"}},
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

package harness

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sweep/study"
)

// TestMetricsMeanOneThing: metrics of one name are defined alike, and those of a
// kind are not among those of all runs: each is one column.
func TestMetricsMeanOneThing(t *testing.T) {
	known := map[string]sim.Metric{}
	for _, m := range metrics.Catalog() {
		known[m.Name] = m
	}
	own, texts := map[string]sim.Metric{}, map[string]bool{}
	check := func(kind string, of []sim.Metric) {
		for _, m := range of {
			if _, common := known[m.Name]; common {
				t.Errorf("%s: %s is a metric of all runs", kind, m.Name)
			}
			if other, ok := own[m.Name]; ok && other != m {
				t.Errorf("%s: %s is %+v, elsewhere %+v", kind, m.Name, m, other)
			}
			if own[m.Name] = m; m.Text {
				texts[m.Name] = true
			}
		}
	}
	for _, k := range sim.Policies.Kinds() {
		check(k.Name, k.Metrics)
	}
	for _, k := range sim.ProgressModels.Kinds() {
		check(k.Name, k.Metrics)
	}
	for _, m := range Registry().Metrics {
		if m.Name == "" || m.Doc == "" || m.Better != "" && m.Better != sim.Lower && m.Better != sim.Higher {
			t.Errorf("%+v", m)
		}
	}
	if n := len(Registry().Metrics); n != len(known)+len(own)-len(texts) || len(own) == 0 {
		t.Errorf("%d metrics can be named, there are %d of all runs and %d of kinds, of which %d are texts", n, len(known), len(own), len(texts))
	}
}

// TestJobsWrittenChangeNoMetric: which processors jobs hold is written down with
// the jobs only; metrics do not go by that.
func TestJobsWrittenChangeNoMetric(t *testing.T) {
	for _, machine := range []string{"{processors: 4}", "{clusters: [{name: c, nodes: 2, cores: 2}]}"} {
		m, in := loaded(t, "name: written\nworkload: {kind: list, jobs: [{run_time: 20, walltime: 20, processors: 3}, {run_time: 5, walltime: 5, processors: 2}]}\nplatform: "+machine+"\npolicy: {kind: easy}\n")
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		without, err := Simulate(context.Background(), plan, in, 0, Kept{})
		if err != nil {
			t.Fatal(err)
		}
		with, err := Simulate(context.Background(), plan, in, 0, Kept{Jobs: filepath.Join(t.TempDir(), "jobs.csv")})
		if err != nil {
			t.Fatal(err)
		}
		defined := false
		for i, v := range without.Metrics {
			if w := with.Metrics[i]; w.Metric != v.Metric || w.Value != v.Value && (w.Value == w.Value || v.Value == v.Value) {
				t.Errorf("%s: %s is %v, with jobs written %v", machine, v.Name, v.Value, w.Value)
			}
			defined = defined || v.Name == "node_utilisation" && v.Value == v.Value
		}
		if defined != (machine != "{processors: 4}") {
			t.Errorf("%s: node_utilisation is defined: %v", machine, defined)
		}
	}
}

// TestBacklogControls: what questions are controlled by are metrics of all runs.
func TestBacklogControls(t *testing.T) {
	for _, name := range study.BacklogControls {
		if !slices.ContainsFunc(metrics.Catalog(), func(m sim.Metric) bool { return m.Name == name }) {
			t.Errorf("no metric is named %s", name)
		}
	}
}

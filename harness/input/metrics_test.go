package input_test

import (
	"slices"
	"testing"

	"schedsweep/harness/input"
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
	for _, m := range input.Registry().Metrics {
		if m.Name == "" || m.Doc == "" || m.Better != "" && m.Better != sim.Lower && m.Better != sim.Higher {
			t.Errorf("%+v", m)
		}
	}
	if n := len(input.Registry().Metrics); n != len(known)+len(own)-len(texts) || len(own) == 0 {
		t.Errorf("%d metrics can be named, there are %d of all runs and %d of kinds, of which %d are texts", n, len(known), len(own), len(texts))
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

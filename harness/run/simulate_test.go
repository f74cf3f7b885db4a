package run

import (
	"context"
	"path/filepath"
	"testing"

	"schedsweep/harness/harnesstest"
)

// TestJobsWrittenChangeNoMetric: the processors that jobs hold are written with
// the jobs only. No metric depends on them.
func TestJobsWrittenChangeNoMetric(t *testing.T) {
	for _, machine := range []string{"{processors: 4}", "{clusters: [{name: c, nodes: 2, cores: 2}]}"} {
		m, in := harnesstest.Loaded(t, "name: written\nworkload: {kind: list, jobs: [{run_time: 20, walltime: 20, processors: 3}, {run_time: "+
			"5, walltime: 5, processors: 2}]}\nplatform: "+machine+"\npolicy: {kind: easy}\n")
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

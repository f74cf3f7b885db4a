package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/gantt"
	"schedsweep/harness"
	"schedsweep/harness/input"
	asked "schedsweep/sweep/study"
)

// TestOutcomesOfFigures: figures select by each outcome that a row may have. A cancelled instance has no row.
func TestOutcomesOfFigures(t *testing.T) {
	var want []string
	for _, o := range harness.Outcomes {
		if o != harness.Cancelled {
			want = append(want, string(o))
		}
	}
	if !slices.Equal(want, asked.Outcomes) {
		t.Errorf("figures select by %v, rows have %v", asked.Outcomes, want)
	}
}

// TestMachineOfManifest: what explains waits is read from the manifest, and fields that may hold jobs without a trace of it are named.
func TestMachineOfManifest(t *testing.T) {
	for text, want := range map[string]gantt.Machine{
		"platform: {processors: 32}\npolicy: {kind: easy, order: sjf, limits: [{each: user, running: {jobs: 2}}, {each: account, " +
			"running: {cores: 9}}, {of: {user: '7'}, running: {jobs: 1}}, {running: {cores: 8}}]}\n": {Procs: 32, Policy: "easy",
			Classes: []gantt.Pool{{Name: "cluster", Procs: 32}},
			Limits: []gantt.Limit{{Field: "policy.limits[0]", PerUser: true, Most: 2, Of: "job"},
				{Field: "policy.limits[3]", Most: 8, Of: "processor"}},
			Unseen: []string{"policy.limits[1]", "policy.limits[2]", "policy.order"}},
		"platform: {nodes: {thin: {count: 4, each: {cores: 8}}, fat: {count: 2}}}\npolicy: {kind: conservative, placement: contiguous}\n": {
			Procs: 34, Policy: "conservative", InOrder: true, Contiguous: true, Unseen: []string{"policy.placement"},
			Classes: []gantt.Pool{{Name: "fat", Procs: 2}, {Name: "thin", Procs: 32}}},
		"platform: {clusters: [{name: a, nodes: 4, cores: 2}, {name: b, nodes: 3}]}\npolicy: {kind: fcfs}\n": {Procs: 11, Policy: "fcfs",
			InOrder: true, Classes: []gantt.Pool{{Name: "a", Procs: 8}, {Name: "b", Procs: 3}}},
		"platform: {clusters: [{name: a, nodes: 4}, {name: b, nodes: 3}], ordering: [a, b, a]}\npolicy: {kind: fcfs}\n": {Procs: 11,
			Policy: "fcfs", InOrder: true, Classes: []gantt.Pool{{Name: "a", Procs: 4}, {Name: "b", Procs: 3}, {Name: "a", Procs: 4}}},
		"workload: {kind: lublin, jobs: 3, machine_procs: 16}\npolicy: {kind: fcfs}\n": {Procs: 16, Policy: "fcfs", InOrder: true,
			Classes: []gantt.Pool{{Name: "cluster", Procs: 16}}},
	} {
		path := filepath.Join(t.TempDir(), "m.yaml")
		if text[0] == 'p' {
			text = "workload: {kind: poisson, jobs: 3}\n" + text
		}
		if err := os.WriteFile(path, []byte("name: x\nreplications: 1\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, _, err := input.Load(path, input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		p := &shownPage{st: study{plan: plan}}
		if diff := cmp.Diff(&want, p.machine(0)); diff != "" {
			t.Errorf("%s%s", text, diff)
		}
	}
}

package input

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/sweep"
)

// TestCommonRandomNumbers: policies of one replication play the same jobs, other
// replications others.
func TestCommonRandomNumbers(t *testing.T) {
	plan, in := openedPlan(t, "name: small\nseed: 7\nreplications: 5\nworkload: {kind: lublin, jobs: 60}\naxes:\n  workload.load_factor: "+
		"{from: 1, to: 3, count: 6}\n  policy.kind: [fcfs, easy, conservative]\n")
	ws := NewWorkloads(in)
	first := map[int]float64{} // replication -> submission of the first job at load 1
	var inst sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &inst)
		p, err := ws.Get(&inst)
		if err != nil {
			t.Fatal(err)
		}
		at := p.jobs[0].Submit * inst.Values[0].F // load_factor divides submit times
		if known, ok := first[inst.Replication]; ok && abs(known-at) > 1e-9*at {
			t.Fatalf("instance %d: the first job comes at %v, in another of replication %d at %v", i, at, inst.Replication, known)
		}
		first[inst.Replication] = at
	}
	seen := map[float64]bool{}
	for _, at := range first {
		seen[at] = true
	}
	if len(seen) != 5 {
		t.Errorf("5 replications begin in %d ways", len(seen))
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestWorkloadsAreForgotten(t *testing.T) {
	plan, in := openedPlan(t, "name: many\nreplications: 600\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: fcfs}\n")
	ws := NewWorkloads(in)
	var inst sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &inst)
		if _, err := ws.Get(&inst); err != nil {
			t.Fatal(err)
		}
	}
	if len(ws.known) != keptWorkloads || ws.order.Len() != keptWorkloads || ws.jobs != 3*keptWorkloads {
		t.Errorf("%d workloads with %d jobs are kept, want %d with %d", len(ws.known), ws.jobs, keptWorkloads, 3*keptWorkloads)
	}
}

// A check draws jobs until it has looked at enough; further workloads are made
// without them, and counted.
func TestLooksAreBounded(t *testing.T) {
	plan, in := openedPlan(t, "name: looks\nworkload: {kind: lublin, jobs: 10}\naxes: {workload.load_factor: [1, 2, 3, 4]}\npolicy: {kind: "+
		"fcfs}\n")
	ws := NewWorkloads(in)
	ws.Looks = 15
	drawn := 0
	for _, inst := range plan.All() {
		p, err := ws.Get(inst)
		if err != nil {
			t.Fatal(err)
		}
		drawn += len(p.jobs)
	}
	if drawn != 20 || ws.Unlooked != 2 {
		t.Errorf("%d jobs were drawn and %d workloads not looked at, want 20 and 2", drawn, ws.Unlooked)
	}
}

// openedPlan is the plan of a manifest, with its files.
func openedPlan(t *testing.T, text string) (*sweep.Plan, *Files) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, in, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return plan, in
}

package harness

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// small is a sweep of 90 instances that takes a moment.
const small = `name: small
seed: 7
replications: 5
workload: {kind: lublin, jobs: 60, estimates: {model: uniform, factor: 3}}
axes:
  workload.load_factor: {from: 1, to: 3, count: 6}
  policy.kind: [fcfs, easy, conservative]
`

// loaded is a manifest that was written to a file of its own.
func loaded(t testing.TB, text string) (*sweep.Manifest, *Inputs) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, in, err := Load(path, LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m, in
}

// hash is that of the sorted table of a run folder, without what may differ.
func hash(t testing.TB, dir string) [32]byte {
	t.Helper()
	table, err := store.Scan(filepath.Join(dir, InstancesDir), store.ScanOptions{Records: Instances})
	if err != nil {
		t.Fatal(err)
	}
	return table.Hash(Volatile...)
}

func rowsOf(t testing.TB, dir string) *store.Table {
	t.Helper()
	table, err := store.Scan(filepath.Join(dir, InstancesDir), store.ScanOptions{Records: Instances})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// dataFolder is where real logs are, if anywhere.
func dataFolder() string {
	if d := os.Getenv("SCHEDSWEEP_DATA"); d != "" {
		return filepath.SplitList(d)[0]
	}
	return "../../../shared/traces"
}

// planOf is the plan of a manifest that was loaded.
func planOf(t *testing.T, m *sweep.Manifest) *sweep.Plan {
	t.Helper()
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// both is the small sweep with its jobs and series.
const both = small + "datasets: [jobs, series]\n"

// Package harnesstest has what tests of the harness share: small sweeps and their rows.
package harnesstest

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Small is a sweep of 90 instances that takes a moment.
const Small = `name: small
seed: 7
replications: 5
workload: {kind: lublin, jobs: 60, estimates: {model: uniform, factor: 3}}
axes:
  workload.load_factor: {from: 1, to: 3, count: 6}
  policy.kind: [fcfs, easy, conservative]
`

// Loaded is a manifest that was written to a file of its own.
func Loaded(t testing.TB, text string) (*sweep.Manifest, *input.Files) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := store.NewFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
	m, in, err := input.Load(path, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, in
}

// Hash is that of the sorted table of a run folder, without what may differ.
func Hash(t testing.TB, dir string) [32]byte {
	t.Helper()
	table, err := store.Scan(filepath.Join(dir, folder.Instances), store.ScanOptions{Records: rows.Instances})
	if err != nil {
		t.Fatal(err)
	}
	return table.Hash(rows.Volatile...)
}

func RowsOf(t testing.TB, dir string) *store.Table {
	t.Helper()
	table, err := store.Scan(filepath.Join(dir, folder.Instances), store.ScanOptions{Records: rows.Instances})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// DataFolder is where real logs are, if anywhere.
func DataFolder() string {
	if d := os.Getenv("SCHEDSWEEP_DATA"); d != "" {
		return filepath.SplitList(d)[0]
	}
	return "../../../shared/traces"
}

// PlanOf is the plan of a manifest that was loaded.
func PlanOf(t *testing.T, m *sweep.Manifest) *sweep.Plan {
	t.Helper()
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Both is the small sweep with its jobs and series.
const Both = Small + "datasets: [jobs, series]\n"

// Package harnesstest has small sweeps and their rows for tests of the harness.
package harnesstest

import (
	"path/filepath"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
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
func Loaded(t testing.TB, manifest string) (*sweep.Manifest, *input.Files) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := store.NewFile(path, store.Content(manifest)); err != nil {
		t.Fatal(err)
	}
	m, in, err := input.Load(path, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, in
}

// Hash is that of the sorted table of a run folder, without columns that may differ.
func Hash(t testing.TB, dir string) [32]byte {
	t.Helper()
	return RowsOf(t, dir).Hash(rows.Volatile...)
}

func RowsOf(t testing.TB, dir string) *store.Table {
	t.Helper()
	table, err := Scan(filepath.Join(dir, folder.Instances), rows.Instances)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Scan reads columns, or all, of a dataset's rows that count.
func Scan(dir string, records store.Records, columns ...string) (t *store.Table, err error) {
	err = store.WithIndex(dir, records, func(x *store.Index) error {
		if columns == nil {
			columns = text.Each(x.Schema(), func(c store.Column) string { return c.Name })
		}
		t, err = x.Read(columns, x.Ordered())
		return err
	})
	return t, err
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

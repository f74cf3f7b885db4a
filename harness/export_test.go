package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/store"
)

// However a sweep was run, its export is the same, in the order of the plan.
func TestExportIsTheSameHoweverItRan(t *testing.T) {
	m, in := loaded(t, small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var first [32]byte
	for k, cfgs := range [][]Config{
		{{Workers: 1}},
		{{Workers: 8}},
		{{Shard: 2, Shards: 3}, {Shard: 0, Shards: 3}, {Shard: 1, Shards: 3}},
	} {
		dir := t.TempDir()
		for _, cfg := range cfgs {
			cfg.Manifest, cfg.Inputs, cfg.Dir = m, in, dir
			if _, err := Run(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
		}
		folder := t.TempDir()
		n, err := Export(m, dir, filepath.Join(folder, "part-0-of-1-export-000000.parquet"))
		if err != nil || n != plan.Len() {
			t.Fatalf("%d rows, error %v", n, err)
		}
		table, err := store.Scan(folder, store.ScanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ids := table.Column("id")
		for i, inst := range plan.All() {
			if ids.Text(i) != inst.ID.String() {
				t.Fatalf("way %d: row %d is of instance %s, not %s", k, i, ids.Text(i), inst.ID)
			}
		}
		h := table.Hash(Volatile...)
		if k == 0 {
			first = h
		}
		if h != first || h != hash(t, dir) {
			t.Errorf("way %d: the export has the hash %x, the first %x, its folder %x", k, h, first, hash(t, dir))
		}
	}
}

// However many rows are held in memory at once, the export is the same, and so it
// is from few files or many, in which rows lie far from their places in the plan.
func TestExportInBatches(t *testing.T) {
	m, in := loaded(t, small)
	dir := t.TempDir()
	for shard := range 4 {
		if _, err := Run(t.Context(), Config{Manifest: m, Inputs: in, Dir: dir, Shard: shard, Shards: 4}); err != nil {
			t.Fatal(err)
		}
	}
	var whole []byte
	for _, when := range []string{"parts of 4 shards", "merged"} {
		for _, batch := range []int{90, 89, 7, 1} {
			file := filepath.Join(t.TempDir(), "rows.csv")
			if err := WithRows(m, dir, func(r *RunRows) error { return r.export(file, nil, batch) }); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if whole == nil {
				whole = got
			}
			if lines := bytes.Count(got, []byte("\n")); lines != 91 || !bytes.Equal(got, whole) {
				t.Errorf("%s, %d rows at once: another export, of %d lines", when, batch, lines)
			}
		}
		if _, err := Merge(m, dir, store.LockOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

package rows_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// However a sweep was run, its export is the same, in the order of the plan.
func TestExportIsTheSameHoweverItRan(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var first [32]byte
	for k, cfgs := range [][]run.Config{
		{{Workers: 1}},
		{{Workers: 8}},
		{{Shard: 2, Shards: 3}, {Shard: 0, Shards: 3}, {Shard: 1, Shards: 3}},
	} {
		dir := t.TempDir()
		for _, cfg := range cfgs {
			cfg.Manifest, cfg.Inputs, cfg.Dir = m, in, dir
			if _, err := run.Sweep(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
		}
		folder := t.TempDir()
		n, err := rows.Export(m, dir, filepath.Join(folder, "part-0-of-1-export-000000.parquet"), true)
		if err != nil || n != plan.Len() {
			t.Fatalf("%d rows, error %v", n, err)
		}
		table, err := harnesstest.Scan(folder, store.Records{})
		if err != nil {
			t.Fatal(err)
		}
		ids := table.Column("id")
		for i, inst := range plan.All() {
			if ids.Text(i) != inst.ID.String() {
				t.Fatalf("way %d: row %d is of instance %s, not %s", k, i, ids.Text(i), inst.ID)
			}
		}
		h := table.Hash(rows.Volatile...)
		if k == 0 {
			first = h
		}
		if h != first || h != harnesstest.Hash(t, dir) {
			t.Errorf("way %d: the export has the hash %x, the first %x, its folder %x", k, h, first, harnesstest.Hash(t, dir))
		}
	}
}

// The export does not depend on how many rows memory holds at once. Nor does it depend on how many files hold the rows, or on
// their order in them.
func TestExportInBatches(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	for shard := range 4 {
		if _, err := run.Sweep(t.Context(), run.Config{Manifest: m, Inputs: in, Dir: dir, Shard: shard, Shards: 4}); err != nil {
			t.Fatal(err)
		}
	}
	var whole []byte
	for _, when := range []string{"parts of 4 shards", "merged"} {
		for _, batch := range []int{90, 89, 7, 1} {
			file := filepath.Join(t.TempDir(), "rows.csv")
			if err := rows.With(m, dir, func(r *rows.Rows) error { return r.ExportInBatches(file, nil, batch) }); err != nil {
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
		if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A file of rows says in its footer what it is, and the same rows make the same bytes.
func TestExportSaysWhatItIs(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir, beside := t.TempDir(), t.TempDir()
	if _, err := run.Sweep(t.Context(), run.Config{Manifest: m, Inputs: in, Dir: dir, Origin: folder.Origin{Program: "9.9.9"}}); err != nil {
		t.Fatal(err)
	}
	var files [2][]byte
	for i := range files {
		path := filepath.Join(beside, "rows.parquet")
		_, err := rows.Export(m, dir, path, true)
		if err == nil {
			files[i], err = os.ReadFile(path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two exports of the same rows differ")
	}
	for _, where := range []string{beside, filepath.Join(dir, folder.Instances)} {
		parts, err := store.Parts(where)
		if err != nil || len(parts) != 1 {
			t.Fatalf("%d parts, error %v", len(parts), err)
		}
		for key, want := range map[string]string{"schedsweep.title": m.Name, "schedsweep.seed": strconv.FormatUint(m.Seed, 10),
			"schedsweep.program": "9.9.9"} {
			if is := parts[0].Meta[key]; is != want || want == "0" {
				t.Errorf("%s: %s is %q, not %q", where, key, is, want)
			}
		}
	}
}

// TestReproducibleExportOfBuilds: which program made the folder is in no reproducible export, for another build makes the same rows and
// a folder of two builds names the first of them.
func TestReproducibleExportOfBuilds(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small+"datasets: [jobs, series]\n")
	files := map[string][]byte{}
	for _, program := range []string{"9.9.8", "9.9.9"} {
		dir, path := t.TempDir(), filepath.Join(t.TempDir(), "rows.parquet")
		_, err := run.Sweep(t.Context(), run.Config{Manifest: m, Inputs: in, Dir: dir, Origin: folder.Origin{Program: program}})
		for _, name := range append([]string{folder.Instances}, rows.DatasetNames()...) {
			if err == nil && name == folder.Instances {
				_, err = rows.Export(m, dir, path, false)
			} else if err == nil {
				_, err = rows.ExportDataset(m, dir, name, path, false, false)
			}
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if before, second := files[name]; err != nil || second && !bytes.Equal(before, content) {
				t.Errorf("two builds made the same rows, and the exports of %s differ (%v)", name, err)
			}
			files[name] = content
		}
	}
}

// In the columns of evalys a job that was rejected has no times, and one that was
// killed no success.
func TestEvalysColumns(t *testing.T) {
	m, in := harnesstest.Loaded(t, `name: e
workload: {kind: list, jobs: [{run_time: 30, walltime: 10}, {processors: 6, run_time: 5}, {submit: 5, run_time: 0, walltime: 9, processors: 4}]}
platform: {clusters: [{name: a, nodes: 4}, {name: b, nodes: 4}]}
policy: {kind: no-sharing}
`)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "jobs.csv")
	if res, err := run.Simulate(t.Context(), plan, in, 0, run.Kept{Jobs: path, Evalys: true}); err != nil || res.Outcome != harness.OK {
		t.Fatal(err, res.Err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(regexp.MustCompile("[0-9a-f]{32}").ReplaceAllString(string(text), "ID"), "\n")
	const want = `2,ID,0,6,5,0,REJECTED,,,,,,,""
1,ID,0,1,10,0,COMPLETED_WALLTIME_REACHED,0,10,10,0,10,1,0
3,ID,5,4,9,1,COMPLETED_SUCCESSFULLY,10,0,10,5,5,,0-3
`
	if rows != want {
		t.Errorf("%s", rows)
	}
}

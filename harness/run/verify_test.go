package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
)

// verified runs all instances of the folder again.
func verified(t *testing.T, text, dir string) (Verified, []string) {
	t.Helper()
	m, in := harnesstest.Loaded(t, text)
	var said failures
	v, err := Verify(context.Background(), Verification{Manifest: m, Inputs: in, Dir: dir, Reporter: &said})
	if err != nil {
		t.Fatal(err)
	}
	return v, said
}

// failures records the reported failures of instances.
type failures []string

func (f *failures) Began(Summary)    {}
func (f *failures) Progress(Summary) {}
func (f *failures) Failed(x Failure) {
	*f = append(*f, x.Name+": "+string(x.Outcome)+": "+x.Err)
}
func (f *failures) Ended(Summary) {}

// forged applies change to the rows of a folder.
func forged(t *testing.T, dir string, change func(*store.Table)) {
	t.Helper()
	parts := filepath.Join(dir, folder.Instances)
	table := harnesstest.RowsOf(t, dir)
	change(table)
	if err := os.RemoveAll(parts); err != nil {
		t.Fatal(err)
	}
	w, err := store.CreateFile(filepath.Join(parts, "part-forged.parquet"), table.Schema(),
		map[string]string{folder.MetaProgram: "9.9.9-forged"})
	if err == nil {
		err = errors.Join(w.Write(table), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestVerifyNotices: one bit, one null and one count are noticed, each by the
// column and with the values; what a repetition need not repeat is not.
func TestVerifyNotices(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Origin: folder.Origin{Program: "1.0.0"}}); err != nil {
		t.Fatal(err)
	}
	v, said := verified(t, harnesstest.Small, dir)
	if v.OK != 90 || v.Planned != 90 || v.Answered != 90 || v.Failed+v.Unsure+v.Cancelled+len(v.Unknown)+len(said) != 0 {
		t.Fatalf("%+v, said %v", v, said)
	}
	forged(t, dir, func(rows *store.Table) {
		for i := range rows.Rows {
			rows.Column("wall_time").Floats[i]++
		}
	})
	if v, said := verified(t, harnesstest.Small, dir); v.OK != 90 {
		t.Fatalf("other times: %+v, said %v", v, said)
	}
	id, was := "", 0.
	forged(t, dir, func(rows *store.Table) {
		wait := rows.Column("mean_wait_time").Floats
		id, was = rows.Column("id").Text(7), wait[7]
		wait[7] = math.Nextafter(was, math.Inf(1))
		rows.Column("jobs").Ints[7]++
		makespan := rows.Column("makespan")
		makespan.Nulls = make([]bool, rows.Rows)
		makespan.Nulls[21] = true
	})
	v, said = verified(t, harnesstest.Small, dir)
	if v.OK != 88 || v.Failed != 2 || len(said) != 2 {
		t.Fatalf("%+v, said %v", v, said)
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"differs: mean_wait_time is ", "differs: makespan is null in its row (",
		"part-forged.parquet, written by 9.9.9-forged) and ",
		" now; jobs differs too"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	res, err := Simulate(context.Background(), plan, in, plan.Find(id[:10], 2)[0], Kept{})
	if err != nil {
		t.Fatal(err)
	}
	d, known, err := res.Compare(m, dir)
	if err != nil || !known || d == nil || d.Column != "mean_wait_time" ||
		!strings.HasPrefix(d.Now, (&store.Vector{Column: store.Column{Type: store.Float64}, Floats: []float64{was}}).Text(0)) {
		t.Errorf("a replay: %+v, %v, %v", d, known, err)
	}
}

// TestVerifyNoticesDatasets: in jobs and series a value, a row that is lost and one too
// many are noticed, each by its place.
func TestVerifyNoticesDatasets(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	dir := t.TempDir()
	mustRunAll(t, harnesstest.Both, Config{Dir: dir})
	if v, said := verified(t, harnesstest.Both, dir); v.OK != 90 || len(said) != 0 {
		t.Fatalf("%+v, said %v", v, said)
	}
	// again gives the last row of an instance once more (n = 1) or leaves it out (n = -1).
	again := func(rows *store.Table, n int) {
		for c := range rows.Columns {
			v := &rows.Columns[c]
			v.Floats, v.Ints, v.Strings, v.Codes, v.Nulls = repeated(v.Floats, n), repeated(v.Ints, n), repeated(v.Strings, n), repeated(v.Codes, n),
				repeated(v.Nulls, n)
		}
		rows.Rows += n
	}
	for want, change := range map[string]func(*store.Table){
		"differs: start of row 3 in jobs: ": func(rows *store.Table) { rows.Column("start").Floats[2] += .25 },
		"differs: its rows in jobs: 59 (":   func(rows *store.Table) { again(rows, -1) },
		"differs: its rows in jobs: more (": func(rows *store.Table) { again(rows, 1) },
	} {
		bad := t.TempDir()
		if err := os.CopyFS(bad, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		m, _ := harnesstest.Loaded(t, harnesstest.Both)
		path := filepath.Join(bad, "rows", "rows.parquet")
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := rows.ExportDataset(m, bad, "jobs", path, true, false); err != nil {
			t.Fatal(err)
		}
		table, err := harnesstest.Scan(filepath.Dir(path), store.Records{})
		if err == nil {
			change(table)
			err = errors.Join(os.RemoveAll(filepath.Join(bad, "jobs")), os.Mkdir(filepath.Join(bad, "jobs"), 0o755))
		}
		if err == nil {
			var w *store.FileWriter
			if w, err = store.CreateFile(filepath.Join(bad, "jobs", "part-forged.parquet"), table.Schema(), nil); err == nil {
				err = errors.Join(w.Write(table), w.Close())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if v, said := verified(t, harnesstest.Both, bad); v.Failed != 1 || len(said) != 1 || !strings.Contains(said[0], want) {
			t.Errorf("%s: %+v, said %v", want, v, said)
		}
	}
}

// TestVerifyDuringMerge: a merge takes away the files of datasets while instances run again. Each instance still counts once.
func TestVerifyDuringMerge(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		mustRunAll(t, harnesstest.Both, Config{Dir: dir, Shard: i, Shards: 2})
	}
	m, in := harnesstest.Loaded(t, harnesstest.Both)
	merge := &after{n: 10, do: func() {
		if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
			t.Error(err)
		}
	}}
	v, err := Verify(context.Background(), Verification{Manifest: m, Inputs: in, Dir: dir, Workers: 2, Reporter: merge})
	if err != nil || v.Planned != 90 || v.OK != 90 || v.Cancelled != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// repeated has the value at place 59, of the last job of the first instance, n times more.
func repeated[S ~[]E, E any](s S, n int) S {
	if len(s) == 0 {
		return s
	}
	return slices.Concat(s[:59], slices.Repeat(s[59:60], 1+n), s[60:])
}

// A row that a part without the column says nothing of is no difference, and a
// limit that is reached now tells nothing.
func TestVerifyWhatCannotBeTold(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	forged(t, dir, func(rows *store.Table) {
		for c := range rows.Columns {
			if rows.Columns[c].Name == "makespan" {
				rows.Columns = append(rows.Columns[:c], rows.Columns[c+1:]...)
				break
			}
		}
	})
	if v, _ := verified(t, harnesstest.Small, dir); v.OK != 90 || len(v.Unknown) != 1 || v.Unknown[0] != "makespan" {
		t.Errorf("%+v", v)
	}
	v, said := verified(t, harnesstest.Small+"engine: {max_events: 10}\n", dir)
	if v.Unsure != 90 || v.Failed != 0 || !strings.Contains(said[0], "now it reached a limit") {
		t.Errorf("%+v, said %v", v, said)
	}
}

// TestVerifySamples: the sample has the requested size, at least one instance. It depends on the seed alone. A cancelled check is
// an error.
func TestVerifySamples(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	sampled := func(seed uint64, n int) string {
		t.Helper()
		var said failures // all instances differ, so that all are reported
		v, err := Verify(context.Background(), Verification{Manifest: m, Inputs: in, Dir: dir, Seed: seed, Workers: 1, Sample: func(int) int {
			return n
		}, Reporter: &said})
		if err != nil || v.Planned != min(max(n, 1), 90) || v.Failed != v.Planned || v.Answered != 90 {
			t.Fatalf("%+v, %v", v, err)
		}
		return strings.Join(said, "\n")
	}
	forged(t, dir, func(rows *store.Table) {
		for i := range rows.Rows {
			rows.Column("events").Ints[i]++
		}
	})
	if a, b, c := sampled(1, 10), sampled(1, 10), sampled(2, 10); a != b || a == c {
		t.Errorf("seed 1 gave\n%s\nand\n%s\n, seed 2\n%s", a, b, c)
	}
	sampled(1, 0)
	sampled(1, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v, err := Verify(ctx, Verification{Manifest: m, Inputs: in, Dir: dir}); !errors.Is(err, context.Canceled) || v.Cancelled != 90 {
		t.Errorf("stopped: %+v, %v", v, err)
	}
	if _, err := Verify(context.Background(), Verification{Manifest: m, Inputs: in, Dir: t.TempDir()}); err == nil {
		t.Error("a folder without rows is no error")
	}
}

// mustRunAll runs a manifest to its end.
func mustRunAll(t testing.TB, text string, cfg Config) Summary {
	t.Helper()
	cfg.Manifest, cfg.Inputs = harnesstest.Loaded(t, text)
	sum, err := Sweep(context.Background(), cfg)
	if err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return sum
}

// TestVerifyNoticesNamed: a metric that the manifest names is compared also where its row has none.
func TestVerifyNoticesNamed(t *testing.T) {
	dir, named := t.TempDir(), computedBase+"metrics: {show: [utilisation], compute: named}\n"
	m, in := harnesstest.Loaded(t, named)
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	forged(t, dir, func(rows *store.Table) {
		c := rows.Column("utilisation")
		c.Nulls = make([]bool, rows.Rows)
		c.Nulls[2] = true
	})
	v, said := verified(t, named, dir)
	if v.OK != 5 || v.Failed != 1 || !strings.Contains(strings.Join(said, ""), "utilisation is null in its row") {
		t.Errorf("%+v, said %v", v, said)
	}
}

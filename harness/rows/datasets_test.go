package rows_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// linked is a sweep whose jobs load links, over all progress models that know some.
const linked = `name: linked
seed: 3
replications: 2
datasets: [series, jobs]
engine: {at_walltime: continue}
platform: {clusters: [{name: a, nodes: 8, uplink: {bandwidth: 100}}, {name: b, nodes: 8, uplink: {bandwidth: 100}}]}
workload: {kind: list, jobs: [
  {processors: 12, run_time: 100, bandwidth: 60, communication: 0.5},
  {processors: 2, run_time: 10, submit: 5},
  {processors: 16, run_time: 50, submit: 20, bandwidth: 60, communication: 0.5}]}
progress: {kind: saturation}
policy: {kind: multicluster-list}
`

// exported is a dataset as export writes it.
func exported(t testing.TB, text, dir, name string) *store.Table {
	t.Helper()
	m, _ := harnesstest.Loaded(t, text)
	folder := t.TempDir()
	if _, err := rows.ExportDataset(m, dir, name, filepath.Join(folder, "rows.parquet"), true, false); err != nil {
		t.Fatal(err)
	}
	table, err := harnesstest.Scan(folder, store.Records{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// hashes are those of the sorted tables of all datasets; the part files must hold the
// same rows as the exports, no more and no less.
func hashes(t testing.TB, text, dir string) [3][32]byte {
	t.Helper()
	all := [3][32]byte{harnesstest.Hash(t, dir)}
	for i, name := range rows.DatasetNames() {
		table := exported(t, text, dir, name)
		files, err := harnesstest.Scan(filepath.Join(dir, name), store.Records{})
		if err != nil {
			t.Fatal(err)
		}
		table.Columns = table.Columns[:len(files.Columns)] // without derived ones
		all[i+1] = table.Hash()
		if files.Hash() != all[i+1] {
			t.Errorf("%s: the part files hold %d rows, %d count", name, files.Rows, table.Rows)
		}
	}
	return all
}

// TestDatasetsAreTheSameAnyWay: 1 worker = 8 workers = 3 shards = drained and resumed
// = given up and resumed = merged in between, in all datasets.
func TestDatasetsAreTheSameAnyWay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	ways := map[string]func(t *testing.T, dir string){
		"1 worker":  func(t *testing.T, dir string) { mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 1}) },
		"8 workers": func(t *testing.T, dir string) { mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 8}) },
		"3 shards": func(t *testing.T, dir string) {
			for i := range 3 {
				mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 2, Shard: i, Shards: 3})
			}
		},
		"drained, merged and resumed": func(t *testing.T, dir string) {
			drain := make(chan struct{})
			if sum := mustRunAll(t, harnesstest.Both,
				run.Config{Dir: dir, Workers: 2, Drain: drain, Reporter: &after{n: 20, do: func() { close(drain) }}}); sum.Cancelled == 0 {
				t.Fatalf("%+v", sum)
			}
			m, _ := harnesstest.Loaded(t, harnesstest.Both)
			if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
				t.Fatal(err)
			}
			mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 2})
			merged, err := rows.Merge(m, dir, store.LockOptions{})
			if err != nil || merged.After != 1 || merged.Sides["jobs"].After != 1 || merged.Sides["series"].After != 1 {
				t.Fatalf("%+v, %v", merged, err)
			}
		},
		"given up and resumed": func(t *testing.T, dir string) {
			ctx, cancel := context.WithCancel(context.Background())
			m, in := harnesstest.Loaded(t, harnesstest.Both)
			if sum, err := run.Sweep(ctx, run.Config{Manifest: m, Inputs: in, Dir: dir, Workers: 2,
				Reporter: &after{n: 20, do: cancel}}); err != nil || sum.Cancelled == 0 {
				t.Fatalf("%+v, %v", sum, err)
			}
			mustRunAll(t, harnesstest.Both, run.Config{Dir: dir})
		},
	}
	known := map[[3][32]byte]string{}
	for name, run := range ways {
		dir := t.TempDir()
		run(t, dir)
		known[hashes(t, harnesstest.Both, dir)] += name + "; "
		if err := rows.Check(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(known) != 1 {
		t.Errorf("different tables: %v", known)
	}
	plain := t.TempDir()
	mustRunAll(t, harnesstest.Small, run.Config{Dir: plain})
	for all := range known {
		if harnesstest.Hash(t, plain) != all[0] {
			t.Error("the rows of instances are others than without datasets")
		}
	}
}

// TestDatasetsAgreeWithMetrics computes metrics of each instance anew from its jobs and
// from its series: the waits are the area under the queue length (Little's law, exactly,
// for every job has started by the end), the work done is that under the busy processors.
func TestDatasetsAgreeWithMetrics(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, harnesstest.Both, run.Config{Dir: dir})
	type sums struct{ jobs, waits, held, queue, busy, end float64 }
	found := map[string]*sums{}
	at := func(id string) *sums {
		if found[id] == nil {
			found[id] = &sums{}
		}
		return found[id]
	}
	jobs := exported(t, harnesstest.Both, dir, "jobs")
	value := func(table *store.Table, column string, i int) float64 {
		x, ok := table.Column(column).Float(i)
		if !ok {
			t.Fatalf("row %d has no %s", i, column)
		}
		return x
	}
	for i := range jobs.Rows {
		s := at(jobs.Column("instance").Text(i))
		s.jobs++
		s.waits += value(jobs, "start", i) - value(jobs, "submit", i)
		s.held += value(jobs, "held", i) * value(jobs, "processors", i)
		s.end = max(s.end, value(jobs, "finish", i))
	}
	series := exported(t, harnesstest.Both, dir, "series")
	for i := range series.Rows {
		id := series.Column("instance").Text(i)
		if i+1 == series.Rows || series.Column("instance").Text(i+1) != id {
			if value(series, "queue_length", i)+value(series, "running", i)+value(series, "busy", i) != 0 || value(series, "time", i) != at(id).end {
				t.Fatalf("instance %s does not end idle at its last finish", id)
			}
			continue
		}
		last := value(series, "time", i+1) - value(series, "time", i)
		if !(last > 0) {
			t.Fatalf("row %d: two rows of one moment", i)
		}
		at(id).queue += last * value(series, "queue_length", i)
		at(id).busy += last * value(series, "busy", i)
	}
	for _, name := range []string{"power", "link", "link_load", "node_class", "class_power", "idle", "off", "boot", "shutdown"} {
		if c := series.Column(name); slices.ContainsFunc(store.AllRows(series.Rows), func(i int32) bool { return !c.IsNull(int(i)) }) {
			t.Errorf("series have a value of %s, which the platform has not", name)
		}
	}
	for _, name := range []string{"energy", "cost", "carbon", "group", "queue", "partition", "recorded_submit", "recorded_wait"} {
		if c := jobs.Column(name); slices.ContainsFunc(store.AllRows(jobs.Rows), func(i int32) bool { return !c.IsNull(int(i)) }) {
			t.Errorf("jobs have a value of %s, which no log or platform gives", name)
		}
	}
	rows := harnesstest.RowsOf(t, dir)
	if len(found) != rows.Rows {
		t.Fatalf("%d instances of %d", len(found), rows.Rows)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }
	for i := range rows.Rows {
		s := at(rows.Column("id").Text(i))
		if n := value(rows, "jobs", i); s.jobs != n || !near(s.waits/n, value(rows, "mean_wait_time", i)) || !near(s.queue, s.waits) ||
			!near(s.busy, s.held) || !near(s.end, value(rows, "makespan", i)+firstSubmit(jobs, rows.Column("id").Text(i))) {
			t.Fatalf("instance %s: %+v", rows.Column("id").Text(i), *s)
		}
	}
}

// firstSubmit returns the submit time of the first job of an instance.
func firstSubmit(jobs *store.Table, id string) float64 {
	first := math.Inf(1)
	for i := range jobs.Rows {
		if jobs.Column("instance").Text(i) == id {
			x, _ := jobs.Column("submit").Float(i)
			first = min(first, x)
		}
	}
	return first
}

// TestLinkLoads computes by hand what jobs that stand on two clusters ask of their
// uplinks: n * bandwidth * (tau-n)/(tau-1) over 100 B/s (Blanco 2012, equation 4).
func TestLinkLoads(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, linked, run.Config{Dir: dir})
	rows := harnesstest.RowsOf(t, dir)
	jobs := exported(t, linked, dir, "jobs")
	series := exported(t, linked, dir, "series")
	largest, changes := map[string]float64{}, 0
	for i := range series.Rows {
		if link := series.Column("link"); !link.IsNull(i) {
			if !series.Column("busy").IsNull(i) || !strings.HasPrefix(link.Text(i), "uplink ") {
				t.Fatalf("row %d: link %s", i, link.Text(i))
			}
			load, _ := series.Column("link_load").Float(i)
			id := series.Column("instance").Text(i)
			largest[id] = max(largest[id], load)
			changes++
		}
	}
	if jobs.Rows != 3*rows.Rows || changes < 4*rows.Rows {
		t.Fatalf("%d jobs, %d changes of loads in %d instances", jobs.Rows, changes, rows.Rows)
	}
	for i := range rows.Rows {
		id := rows.Column("id").Text(i)
		want := 8.0 * 60 * (16 - 8) / (16 - 1) / 100 // the job on 8 + 8 processors
		if metric, _ := rows.Column("max_uplink_load").Float(i); largest[id] != metric || !(math.Abs(metric-want) <= 1e-12) {
			t.Errorf("instance %s: largest load %g, metric %g, want %g", id, largest[id], metric, want)
		}
	}
}

// TestDatasetsAddedLater: the rows of instances stay, the note says which lack jobs,
// and --complete runs these again and no others.
func TestDatasetsAddedLater(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, harnesstest.Small, run.Config{Dir: dir, Shard: 0, Shards: 3})
	mustRunAll(t, strings.Replace(harnesstest.Both, ", series", "", 1), run.Config{Dir: dir, Shard: 1, Shards: 3})
	var notes []string
	note := func(text string) { notes = append(notes, text) }
	sum := mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Note: note})
	if sum.Existing != 60 || sum.OK != 30 || len(notes) != 2 ||
		!strings.Contains(notes[0], "30 of the 60 instances that have an answer have no rows in jobs (instances 0 3 6 9 12 15 18 21 ...): run "+
			"--complete") || !strings.Contains(notes[1], "60 of the 60 instances") {
		t.Fatalf("%+v, %q", sum, notes)
	}
	m, _ := harnesstest.Loaded(t, harnesstest.Both)
	sides, err := rows.Sides(m, dir)
	if err != nil || len(sides) != 2 || len(sides[0].Lacking) != 30 || len(sides[1].Lacking) != 60 || sides[0].Rows != 60*60 {
		t.Fatalf("%+v, %v", sides, err)
	}
	if sum = mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Complete: true}); sum.OK != 60 || sum.Existing != 30 {
		t.Fatalf("%+v", sum)
	}
	if sum = mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Complete: true}); sum.Ran() != 0 {
		t.Fatalf("complete, and yet it ran: %+v", sum)
	}
	fresh := t.TempDir()
	mustRunAll(t, harnesstest.Both, run.Config{Dir: fresh})
	if hashes(t, harnesstest.Both, dir) != hashes(t, harnesstest.Both, fresh) {
		t.Error("the tables differ from those of a fresh folder")
	}
}

// TestFailedInstancesLeaveNoJobs: an instance without an answer leaves no job rows.
func TestFailedInstancesLeaveNoJobs(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(harnesstest.Both, "workload:", "engine: {max_events: 121}\nworkload:", 1)
	m, in := harnesstest.Loaded(t, text)
	sum, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir})
	if err != nil || sum.EventBudget == 0 || sum.OK == 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	sides, err := rows.Sides(m, dir)
	if err != nil || sides[0].Instances != sum.OK || len(sides[0].Lacking) != 0 || sides[0].Uncounted != 0 {
		t.Fatalf("%+v, %v", sides, err)
	}
	if files, err := harnesstest.Scan(filepath.Join(dir, "jobs"), store.Records{}); err != nil || files.Rows != 60*sum.OK {
		t.Fatalf("%v: %v", files, err)
	}
}

// TestKilledBetweenDatasets removes what a kill between writing jobs and writing instances would leave unwritten. No reader
// sees such jobs, neither before nor after a merge. The next run removes them. Its tables are those of an undisturbed run.
func TestKilledBetweenDatasets(t *testing.T) {
	whole := t.TempDir()
	mustRunAll(t, harnesstest.Both, run.Config{Dir: whole})
	want := hashes(t, harnesstest.Both, whole)
	for _, shards := range []int{1, 3} {
		dir := t.TempDir()
		drain := make(chan struct{})
		mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 2, Drain: drain, Reporter: &after{n: 20, do: func() { close(drain) }}})
		before := parts(t, dir, folder.Instances)
		again := make(chan struct{})
		mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Workers: 2, Drain: again, Reporter: &after{n: 20, do: func() { close(again) }}})
		for _, path := range parts(t, dir, folder.Instances) {
			if !slices.Contains(before, path) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
		}
		m, _ := harnesstest.Loaded(t, harnesstest.Both)
		if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
			t.Fatal(err)
		}
		sides, err := rows.Sides(m, dir)
		if err != nil || sides[0].Uncounted < 20 || sides[0].Instances != sides[1].Instances || sides[0].Instances > 40 {
			t.Fatalf("%+v, %v", sides, err)
		}
		if jobs := exported(t, harnesstest.Both, dir, "jobs"); jobs.Rows != 60*sides[0].Instances {
			t.Fatalf("%d rows of %d instances", jobs.Rows, sides[0].Instances)
		}
		for i := range shards {
			mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Shard: i, Shards: shards})
		}
		if hashes(t, harnesstest.Both, dir) != want {
			t.Errorf("resumed in %d shards, the tables differ", shards)
		}
	}
}

// TestSharedJobs: two run folders may have their jobs in one folder. Neither removes those of the other, for whose instances it has no
// rows.
func TestSharedJobs(t *testing.T) {
	jobs := t.TempDir()
	texts := []string{harnesstest.Both, strings.Replace(harnesstest.Both, "seed: 7", "seed: 8", 1)}
	var dirs []string
	for _, text := range texts {
		dir := t.TempDir()
		if err := os.Symlink(jobs, filepath.Join(dir, "jobs")); err != nil {
			t.Skip(err)
		}
		mustRunAll(t, text, run.Config{Dir: dir})
		dirs = append(dirs, dir)
	}
	for i, text := range texts {
		m, _ := harnesstest.Loaded(t, text)
		sides, err := rows.Sides(m, dirs[i])
		if err != nil || sides[0].Instances != 90 || len(sides[0].Lacking) > 0 || sides[0].Uncounted != 90 {
			t.Errorf("folder %d: %+v, %v", i+1, sides[0], err)
		}
	}
}

// parts are the part files of a dataset.
func parts(t testing.TB, dir, name string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, name, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestLostPartOfJobs: a part that is removed takes whole instances with it, which are
// named, and come back.
func TestLostPartOfJobs(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Shard: i, Shards: 3})
	}
	want := hashes(t, harnesstest.Both, dir)
	if err := os.Remove(parts(t, dir, "jobs")[0]); err != nil {
		t.Fatal(err)
	}
	var notes []string
	mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Note: func(text string) { notes = append(notes, text) }})
	if len(notes) != 1 || !strings.Contains(notes[0], "have no rows in jobs") {
		t.Fatalf("%q", notes)
	}
	mustRunAll(t, harnesstest.Both, run.Config{Dir: dir, Complete: true})
	if hashes(t, harnesstest.Both, dir) != want {
		t.Error("the tables differ")
	}
}

// TestPartOfAnotherDataset puts a part of each dataset in the place of one of each other: the check and all readers name the file.
func TestPartOfAnotherDataset(t *testing.T) {
	whole := t.TempDir()
	for i := range 2 {
		mustRunAll(t, linked, run.Config{Dir: whole, Shard: i, Shards: 2})
	}
	m, _ := harnesstest.Loaded(t, linked)
	names := append(rows.DatasetNames(), folder.Instances)
	for _, to := range names {
		for _, from := range names {
			if from == to {
				continue
			}
			dir := filepath.Join(t.TempDir(), "damaged")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			file := parts(t, dir, to)[0]
			content, err := os.ReadFile(parts(t, dir, from)[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, content, 0o644); err != nil {
				t.Fatal(err)
			}
			_, sides := rows.Sides(m, dir)
			name := to
			if to == folder.Instances {
				name = from // whose rows count by those of instances
			}
			_, export := rows.ExportDataset(m, dir, name, filepath.Join(t.TempDir(), "rows.csv"), true, false)
			_, merge := rows.Merge(m, dir, store.LockOptions{})
			for reader, err := range map[string]error{"check": rows.Check(dir), "sides": sides, "export": export, "merge": merge} {
				if !strings.Contains(fmt.Sprint(err), file+" is foreign") {
					t.Errorf("%s in place of %s, %s: %v", from, to, reader, err)
				}
			}
		}
	}
}

// TestExportOfADatasetThatIsNotThere names the remedy.
func TestExportOfADatasetThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, harnesstest.Small, run.Config{Dir: dir})
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	to := filepath.Join(t.TempDir(), "jobs.csv")
	if _, err := rows.ExportDataset(m, dir, "jobs", to, true, false); !errors.Is(err, rows.ErrNone) ||
		!strings.Contains(fmt.Sprint(err), "datasets: [jobs]") {
		t.Error(err)
	}
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it left a file")
	}
	if _, err := rows.ExportDataset(m, dir, "none", to, true, false); err == nil || !strings.Contains(err.Error(), "there are jobs, series") {
		t.Error(err)
	}
}

package rows_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
)

// murderous is a sweep in which jobs are killed at their walltimes.
const murderous = `name: murderous
seed: 5
replications: 3
datasets: [jobs, series]
workload: {kind: lublin, jobs: 200, load_factor: 2, estimates: {model: factor, factor: 0.8}}
axes:
  engine.slowdown_threshold: [1, 60]
  policy.kind: [fcfs, easy]
`

// readQuantities reads all quantities of a dataset of all rows, by instance.
func readQuantities(t testing.TB, text, dir string, names ...string) (values [][][]float64, table *store.Table, lacking int) {
	t.Helper()
	m, _ := harnesstest.Loaded(t, text)
	err := rows.With(m, dir, func(r *rows.Rows) (err error) {
		if table, err = r.Table(); err != nil {
			return err
		}
		all := make([]int32, table.Rows)
		for i := range all {
			all[i] = int32(i)
		}
		last := -1
		lacking, err = r.Quantities(names, all, func() func(int, [][]float64) {
			values = make([][][]float64, len(all))
			return func(i int, block [][]float64) {
				if i != last && values[i] != nil {
					t.Errorf("instance %d is parted", i)
				}
				last = i
				if values[i] == nil {
					values[i] = make([][]float64, len(names))
				}
				for k := range names {
					values[i][k] = append(values[i][k], block[k]...)
				}
			}
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return values, table, lacking
}

// Quantities of jobs have the definitions of the metrics. Their means equal the metrics of the run, also for killed jobs and
// for an instance with its own threshold, and of the measured jobs only.
func TestQuantitiesAreThoseOfTheMetrics(t *testing.T) {
	edged := strings.Replace(murderous, "0.8}}", "0.8}, warm_up: {jobs: 20}, cool_down: {jobs: 20}}", 1)
	for _, text := range []string{harnesstest.Both, murderous, edged} {
		dir := t.TempDir()
		mustRunAll(t, text, run.Config{Dir: dir, Workers: 3})
		names := []string{"jobs.wait_time", "jobs.response_time", "jobs.slowdown", "jobs.bounded_slowdown"}
		values, table, lacking := readQuantities(t, text, dir, names...)
		if lacking != 0 {
			t.Fatalf("%d lack", lacking)
		}
		if killed, _ := table.Column("killed").Float(0); (text != harnesstest.Both) != (killed > 0) {
			t.Fatalf("%v jobs are killed", killed)
		}
		for k, metric := range []string{"mean_wait_time", "mean_response_time", "mean_slowdown", "mean_bounded_slowdown"} {
			for i, v := range values {
				sum, n := 0.0, 0
				for _, x := range v[k] {
					if !math.IsNaN(x) {
						sum, n = sum+x, n+1
					}
				}
				want, _ := table.Column(metric).Float(i)
				if got := sum / float64(n); !(math.Abs(got-want) <= 1e-9*want) {
					t.Errorf("%s: instance %d: %s %v, want %v", text[:15], i, metric, got, want)
				}
				if largest, _ := table.Column("max_bounded_slowdown").Float(i); metric == "mean_bounded_slowdown" && slices.Max(v[k]) != largest {
					t.Errorf("the largest bounded slowdown is %v, want %v", slices.Max(v[k]), largest)
				}
			}
		}
	}
}

// TestQuantitiesDuringMerge: a merge takes the files away while they are read. The reading begins anew.
func TestQuantitiesDuringMerge(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		mustRunAll(t, murderous, run.Config{Dir: dir, Shard: i, Shards: 2})
	}
	m, _ := harnesstest.Loaded(t, murderous)
	begun, jobs := 0, 0
	err := rows.With(m, dir, func(r *rows.Rows) error {
		all := store.AllRows(r.Planned())
		_, err := r.Quantities([]string{"jobs.wait_time"}, all, func() func(int, [][]float64) {
			begun, jobs = begun+1, 0
			return func(_ int, block [][]float64) {
				if jobs += len(block[0]); begun > 1 {
					return
				}
				if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
		return err
	})
	if err != nil || begun != 2 || jobs != 12*200 {
		t.Errorf("begun %d times, %d jobs, %v", begun, jobs, err)
	}
}

// What the machine did is the processor-seconds of its jobs.
func TestQuantitiesOfSeries(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, murderous, run.Config{Dir: dir, Workers: 2})
	series, _, _ := readQuantities(t, murderous, dir, "series.time", "series.busy", "series.queue_length")
	jobs, _, _ := readQuantities(t, murderous, dir, "jobs.processors", "jobs.response_time", "jobs.wait_time")
	for i := range series {
		var busy, used, queued, waited float64
		for k, v := range series[i][1] {
			if k+1 < len(series[i][0]) {
				length := series[i][0][k+1] - series[i][0][k]
				busy += v * length
				queued += series[i][2][k] * length
			}
		}
		for k, procs := range jobs[i][0] {
			used += procs * (jobs[i][1][k] - jobs[i][2][k])
			waited += jobs[i][2][k]
		}
		if !(math.Abs(busy-used) <= 1e-9*used) || !(math.Abs(queued-waited) <= 1e-9*waited) {
			t.Errorf("instance %d: %v processor-seconds and %v s of waiting, of its jobs %v and %v", i, busy, queued, used, waited)
		}
	}
}

// Instances without rows are counted, and units known.
func TestQuantitiesThatLack(t *testing.T) {
	dir := t.TempDir()
	mustRunAll(t, harnesstest.Small, run.Config{Dir: dir})
	values, table, lacking := readQuantities(t, harnesstest.Small, dir, "jobs.wait_time")
	if lacking != table.Rows || slices.ContainsFunc(values, func(v [][]float64) bool { return v != nil }) {
		t.Errorf("%d of %d lack", lacking, table.Rows)
	}
	var r rows.Rows
	if unit, known := r.Unit("jobs.wait_time"); unit != "s" || !known {
		t.Errorf("unit %q, known %v", unit, known)
	}
	if names := r.Values("jobs.weekday"); len(names) != 7 || names[0] != "Mon" || r.Values("jobs.wait_time") != nil {
		t.Errorf("weekdays are %v", names)
	}
	if _, known := r.Unit("mean_wait_time"); known {
		t.Error("a metric is a quantity")
	}
}

// The rows of jobs put jobs into the classes that their metrics were computed of, by numbers and by names.
func TestClassesOfRowsAreThoseOfTheMetrics(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.swf")
	lines := "; MaxProcs: 8\n"
	for i := range 40 {
		lines += fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 %d %d -1 %d -1 -1 -1\n", i+1, 20*i, 10+i*i%97, 1+i%7, 1+i%7, 20+i, 1+i%4, 1+i%3,
			i%5-1)
	}
	if err := os.WriteFile(log, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	classes := []string{"narrow", "both", "queue", "other", "none"}
	text := "name: classes\ndatasets: [jobs]\nworkload: {kind: swf, path: " + log + "}\nplatform: {processors: 8}\naxes: {policy.kind: " +
		"[fcfs, easy]}\n" +
		"classes: {narrow: processors <= 2, both: run_time < 1min and walltime >= 30 or submit > 10m and home == 0, queue: queue == 2 and " +
		"group != 1, other: queue != 2, none: partition == 1}\n"
	dir := t.TempDir()
	mustRunAll(t, text, run.Config{Dir: dir})
	names := []string{"jobs.wait_time"}
	for _, c := range classes {
		names = append(names, manifest.JobsOf(c))
	}
	values, table, lacking := readQuantities(t, text, dir, names...)
	if lacking != 0 || len(values) != 2 {
		t.Fatalf("%d instances, %d lacking", len(values), lacking)
	}
	for i, of := range values {
		for k, c := range classes {
			n, wait := 0.0, 0.0
			for job, in := range of[1+k] {
				n += in
				wait += in * of[0][job]
			}
			column := func(metric string) float64 {
				v, _ := table.Column(manifest.ByClass(metric, c)).Float(i)
				return v
			}
			if n != column("jobs") || n > 0 && !(math.Abs(wait/n-column("mean_wait_time")) <= 1e-9*wait) || (n == 0) != (c == "none") {
				t.Errorf("instance %d, class %s: %g jobs that wait %g, in its row %g and %g", i, c, n, wait/n, column("jobs"), column("mean_wait_time"))
			}
		}
	}
}

// TestDerivedColumnsAreTheQuantities: files of jobs have columns with the names and the values that figures use.
func TestDerivedColumnsAreTheQuantities(t *testing.T) {
	for _, text := range []string{harnesstest.Both, murderous} {
		dir := t.TempDir()
		mustRunAll(t, text, run.Config{Dir: dir, Workers: 3})
		names := []string{"wait_time", "response_time", "slowdown", "bounded_slowdown", "held"} // held is a column of the dataset
		var asked []string
		for _, name := range names {
			asked = append(asked, "jobs."+name)
		}
		values, _, _ := readQuantities(t, text, dir, asked...)
		table := exported(t, text, dir, "jobs")
		row := 0
		for _, of := range values {
			for job := range of[0] {
				for k, name := range names {
					got, ok := table.Column(name).Float(row)
					if want := of[k][job]; ok != !math.IsNaN(want) || ok && got != want {
						t.Fatalf("%s of row %d: %v, %v, want %v", name, row, got, ok, want)
					}
				}
				row++
			}
		}
		if row == 0 || row != table.Rows {
			t.Errorf("%d of %d rows", row, table.Rows)
		}
	}
}

// TestColumnsOfNumbersAreQuantities: a figure names a column of numbers as the dataset does.
func TestColumnsOfNumbersAreQuantities(t *testing.T) {
	known := input.Registry().Quantities
	for _, name := range []string{"jobs.submit", "jobs.start", "jobs.finish", "jobs.held", "jobs.wait_time", "series.link_load"} {
		if !slices.ContainsFunc(known, func(q params.Metric) bool { return q.Name == name }) {
			t.Errorf("there is no quantity %s", name)
		}
	}
}

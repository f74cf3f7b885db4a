package cmd

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"schedsweep/analysis/stats"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
)

// tenMillion is a sweep of ten million jobs: 50 replications of 100,000 under two policies.
const tenMillion = `name: ten-million
replications: 50
datasets: [jobs]
workload: {kind: lublin, jobs: 100000, load_factor: 0.5}
engine: {audit: false}
axes: {policy.kind: [fcfs, easy]}
`

// besideDuckDB does the same in SQL, and says how long it took, what memory the process had at most, and what came out.
const besideDuckDB = `
import duckdb, resource, sys, time
duckdb.sql("set enable_progress_bar = false")
began = time.time()
rows = duckdb.sql(f"""
  select i."policy.kind" policy, count(*) n, quantile_disc(greatest(1, (j.finish - j.submit) / greatest(if(j.outcome = 'killed', j.held, j.run_time), 10)), [0.5, 0.9, 0.99]) q
  from '{sys.argv[1]}/jobs/*.parquet' j join '{sys.argv[1]}/instances/*.parquet' i on i.id = j.instance group by 1 order by 1""").fetchall()
took = time.time() - began
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
for policy, n, q in rows:
    print(policy, n, *q)
`

var benchedQuantiles = []float64{0.5, 0.9, 0.99}

// BenchmarkTenMillionJobs groups ten million jobs by policy and takes quantiles of their bounded slowdown, from the files of a
// run, beside DuckDB on the same files, whose quantiles must agree. Target: 6 s on one core, and 150 MB for any
// number of jobs. $PYTHON names a Python that has duckdb; make bench installs one.
func BenchmarkTenMillionJobs(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, "m.yaml")
	if err := os.WriteFile(path, []byte(tenMillion), 0o644); err != nil {
		b.Fatal(err)
	}
	m, inputs, err := input.Load(path, input.Options{})
	if err != nil {
		b.Fatal(err)
	}
	name := filepath.Join(dir, "run")
	if sum, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: inputs, Dir: name}); err != nil || sum.Bad() > 0 {
		b.Fatalf("%+v, %v", sum, err)
	}
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak from here on, known on Linux alone
	var byPolicy map[string]*stats.Sketch
	for b.Loop() {
		if byPolicy, err = slowdownsByPolicy(name, path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e7*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(peakMB(), "MB-peak")
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.Command(python, "-c", "import duckdb").CombinedOutput(); err != nil {
		b.Logf("NOT COMPARED WITH DUCKDB: %s cannot import it; make bench installs it: %v: %s", python, err, out)
		return
	}
	var wrong strings.Builder
	duckdb := exec.Command(python, "-c", besideDuckDB, name)
	duckdb.Stderr = &wrong
	out, err := duckdb.Output()
	if err != nil {
		b.Fatalf("DuckDB: %v: %s", err, wrong.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var took, memory float64
	if _, err := fmt.Sscan(lines[0], &took, &memory); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(took, "s-duckdb")
	b.ReportMetric(memory, "MB-duckdb")
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		s := byPolicy[f[0]]
		if n, _ := strconv.Atoi(f[1]); s == nil || s.N() != int64(n) {
			b.Fatalf("%s: DuckDB counts %s jobs, and we %v", f[0], f[1], s)
		}
		for i, p := range benchedQuantiles {
			theirs, _ := strconv.ParseFloat(f[2+i], 64)
			if below, upTo := s.UpTo(theirs*(1-1./32)), s.UpTo(theirs); !(below < p && p <= upTo) { // 2 buckets below
				b.Errorf("%s: quantile %g of DuckDB is %v, up to which are %v, and %v up to a little less", f[0], p, theirs, upTo, below)
			}
		}
	}
}

// slowdownsByPolicy opens the run and reads its jobs once.
func slowdownsByPolicy(run, manifest string) (byPolicy map[string]*stats.Sketch, err error) {
	m, _, err := input.Load(manifest, input.Options{})
	if err != nil {
		return nil, err
	}
	err = rows.With(m, run, func(r *rows.Rows) error {
		t, err := r.Table("policy.kind")
		if err != nil {
			return err
		}
		rows := make([]int32, t.Rows)
		for i := range rows {
			rows[i] = int32(i)
		}
		_, err = r.Quantities([]string{"jobs.bounded_slowdown"}, rows, func() func(int, [][]float64) {
			byPolicy = map[string]*stats.Sketch{"fcfs": {}, "easy": {}}
			return func(i int, values [][]float64) { byPolicy[t.Columns[0].Text(i)].Add(values[0]) }
		})
		return err
	})
	return byPolicy, err
}

// peakMB is the most memory that the process held since the mark, 0 where it is unknown.
func peakMB() float64 {
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kb / 1024
}

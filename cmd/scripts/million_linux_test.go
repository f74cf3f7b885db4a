package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// BenchmarkMillion is the memory at most of each verb on a million instances of 2,500 points of five axes with 20 metrics, and
// of one point, and its time. The targets beside them are in MiB. ROWS=200000 takes fewer replications: by two sizes one sees
// what grows with the rows.
func BenchmarkMillion(b *testing.B) {
	rows, study := millionInstances(b)
	million(b, study)
	b.Run("one point", func(b *testing.B) {
		million(b, fmt.Sprintf("replications: %d\nclaims: [{id: wait, statement: jobs wait, mean: {metric: mean_wait_time}}]\n", rows))
	})
}

// millionInstances is the design of the benchmarks, with as many instances as ROWS says.
func millionInstances(b *testing.B) (rows int, study string) {
	const points = 2500
	rows = 1_000_000
	if text := os.Getenv("ROWS"); text != "" {
		var err error
		if rows, err = strconv.Atoi(text); err != nil || rows < 2*points {
			b.Fatalf("ROWS=%s: give a number of at least %d", text, 2*points)
		}
	}
	return rows, fmt.Sprintf("replications: %d\n", rows/points) + `axes:
  policy.kind: [fcfs, easy]
  platform.processors: [4, 6, 8, 10, 12]
  engine.slowdown_threshold: {from: 1, to: 10, count: 10}
  workload.mean_run_time: [10, 20, 30, 40, 50]
  workload.mean_interarrival: [5, 10, 15, 20, 25]
analysis: {baseline: {policy.kind: fcfs}}
claims:
  - id: waits
    statement: EASY waits less
    improvement: {metric: mean_wait_time, of: {policy.kind: easy}, to: {policy.kind: fcfs}}
    across: [workload.mean_run_time]
  - id: slope
    statement: responses are shorter on larger machines
    slope: {metric: mean_response_time, x: platform.processors, of: {policy.kind: easy}}
`
}

// millionManifest writes a manifest with 20 metrics into the folder.
func millionManifest(b *testing.B, dir, study string) (manifest string) {
	manifest = filepath.Join(dir, "m.yaml")
	text := "name: million\nworkload: {kind: poisson, jobs: 3, processors: [1, 4], mean_interarrival: 10, mean_run_time: 20}\n" +
		"platform: {processors: 4}\npolicy: {kind: fcfs}\n" +
		"metrics: [makespan, utilisation, offered_load, throughput, mean_wait_time, median_wait_time, p95_wait_time, max_wait_time, " +
		"mean_response_time, median_response_time, p95_response_time, mean_slowdown, mean_bounded_slowdown, median_bounded_slowdown, " +
		"p95_bounded_slowdown, max_bounded_slowdown, mean_queue_length, waited_share, mean_run_time, busy_time]\n" + study
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return manifest
}

func million(b *testing.B, study string) {
	dir := b.TempDir()
	manifest, run, other := millionManifest(b, dir, study), filepath.Join(dir, "run"), filepath.Join(dir, "other")
	prog := program(b)
	for _, v := range []struct {
		verb   string
		args   []string
		target int
	}{
		{"plan", nil, 120},
		{"run", []string{"--quiet"}, 250},
		{"run", []string{"--quiet"}, 200}, // nothing is left
		{"plan", nil, 150},                // and the core time from the rows
		{"status", nil, 150},
		{"status", []string{"--check"}, 200},
		{"export", []string{"--to", filepath.Join(dir, "rows.parquet")}, 320},
		{"merge", nil, 320},
		{"status", []string{"--check"}, 320},
		{"export", []string{"--to", filepath.Join(dir, "merged.parquet")}, 320},
		{"analyze", []string{"--quiet"}, 320},
		{"claims", []string{"--quiet"}, 320},
		{"report", nil, 320},
		{"pack", []string{"--to", filepath.Join(dir, "million.tar")}, 320},
		{"compare", nil, 320},
	} {
		b.Run(v.verb, func(b *testing.B) {
			args := append([]string{v.verb, manifest, "--out", run}, v.args...)
			if v.verb == "compare" {
				if err := os.CopyFS(other, os.DirFS(run)); err != nil {
					b.Fatal(err)
				}
				args = []string{v.verb, run, other}
			}
			began := time.Now()
			c := exec.Command(prog, args...)
			if out, err := c.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			b.ReportMetric(float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024, fmt.Sprintf("MiB(target:%d)", v.target))
			b.ReportMetric(time.Since(began).Seconds(), "s")
		})
	}
}

package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkMillion is the memory at most of each verb on a million instances, of 50,000
// points and of one, and its time. The targets beside them are in MiB; what grows with the
// instances is an index of 10 (run) to 180 (analyze) bytes a row.
func BenchmarkMillion(b *testing.B) {
	million(b, "replications: 20\naxes: {engine.slowdown_threshold: {from: 1, to: 250, count: 250}, platform.processors: {from: 1, to: "+
		"200, count: 200}}\n")
	b.Run("one point", func(b *testing.B) { million(b, "replications: 1000000\n") })
}

func million(b *testing.B, points string) {
	dir := b.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	text := "name: million\nworkload: {kind: list, jobs: [{run_time: 10, walltime: 20}]}\nplatform: {processors: 1}\npolicy: {kind: fcfs}\n" +
		points
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
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
		{"merge", nil, 300},
		{"analyze", []string{"--quiet"}, 300},
	} {
		b.Run(v.verb, func(b *testing.B) {
			began := time.Now()
			c := exec.Command(prog, append([]string{v.verb, manifest, "--out", filepath.Join(dir, "run")}, v.args...)...)
			if out, err := c.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			b.ReportMetric(float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024, fmt.Sprintf("MiB(target:%d)", v.target))
			b.ReportMetric(time.Since(began).Seconds(), "s")
		})
	}
}

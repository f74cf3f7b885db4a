package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// BenchmarkAnalyzeMillion analyses a million rows in all metrics: of one point, and of 50,000 points, which is a table of
// 1.3 million lines. Target: 300 MB at most.
func BenchmarkAnalyzeMillion(b *testing.B) {
	for name, of := range map[string]string{
		"point":  "replications: 1000000\n",
		"points": "replications: 20\naxes: {engine.slowdown_threshold: {from: 1, to: 250, count: 250}, platform.processors: {from: 1, to: 200, count: 200}}\n",
	} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			manifest := filepath.Join(dir, "m.yaml")
			text := "name: million\nworkload: {kind: list, jobs: [{run_time: 10, walltime: 20}]}\nplatform: {processors: 1}\npolicy: {kind: fcfs}\n" + of
			if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			prog := program(b)
			verb := func(verb string) int64 {
				c := exec.Command(prog, verb, manifest, "--out", filepath.Join(dir, "run"), "--quiet")
				if out, err := c.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			}
			verb("run")
			for b.Loop() {
				b.ReportMetric(float64(verb("analyze"))/1024, "MiB")
			}
		})
	}
}

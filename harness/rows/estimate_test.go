package rows_test

import (
	"testing"

	"schedsweep/harness/run"
)

// A requeue that multiplies the walltime of a job leaves the user's estimate: the job of 6 s is killed at its walltime of 4 s, and runs
// again with one of 8 s.
func TestRequeuesLeaveTheEstimate(t *testing.T) {
	const text = `name: m
datasets: [jobs]
workload: {kind: list, jobs: [{run_time: 6, walltime: 4}]}
platform: {processors: 1}
policy: {kind: fcfs}
engine: {requeue: {after: kill, walltime_factor: 2}}
`
	dir := t.TempDir()
	mustRunAll(t, text, run.Config{Dir: dir})
	jobs := exported(t, text, dir, "jobs")
	for name, want := range map[string]float64{"walltime": 4, "run_time": 6, "start": 4, "finish": 10} {
		if got, _ := jobs.Column(name).Float(0); got != want {
			t.Errorf("%s = %g, want %g", name, got, want)
		}
	}
}

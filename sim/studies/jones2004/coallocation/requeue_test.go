package coallocation_test

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestRequeue has one cluster of 4 nodes. Job 1 needs 8 s and is killed at its walltime of 5 s. It then starts before the jobs that were
// submitted behind it, or behind all, by the rule for requeued jobs. Job 2 was waiting for 5 s by then.
func TestRequeue(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 8, Walltime: 5, Procs: 4},
		{ID: 2, Submit: 1, RunTime: 3, Walltime: 3, Procs: 4},
		{ID: 3, Submit: 2, RunTime: 3, Walltime: 3, Procs: 4},
	}
	for _, name := range []string{"no-sharing", "migration-only", "co-allocation"} {
		for _, backfilling := range []string{"scan", "easy"} {
			for last, want := range map[bool][3]float64{false: {5, 13, 16}, true: {11, 5, 8}} {
				got := outcomes{}
				run(t, sim.Config{Platform: machine(t, 4), Policy: policy(t, name, "", backfilling), Progress: progress.Isolated{},
					Source: simtest.Source(jobs), KillAtWalltime: true,
					Requeue:   sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2, Last: last},
					Observers: []sim.Observer{simtest.Watch(got)}})
				if starts := [3]float64{got[1].start, got[2].start, got[3].start}; starts != want {
					t.Errorf("%s, %s, behind all others %v: starts %v, want %v", name, backfilling, last, starts, want)
				}
			}
		}
	}
}

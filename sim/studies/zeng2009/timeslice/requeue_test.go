package timeslice_test

import (
	"context"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// TestRequeue has medium slices from 10 s to 40 s of each 100 s. Job 1 starts at 10 s and is killed at its walltime of 8 s, at 18 s. Job 2
// was then expected to run from 18 s to 24 s. Under conservative backfilling it does. Job 1 is planned behind it up to 40 s, and ends after
// 10 s. Under EASY backfilling job 1 goes ahead. A delay factor is the end by the expected end: the last one of job 1.
func TestRequeue(t *testing.T) {
	for backfilling, want := range map[string][2]float64{"conservative": {34, 24}, "easy": {28, 34}} {
		params := hundred()
		params.EstimateFactor, params.Backfilling = 1, backfilling
		p := timeslice.New(params)
		jobs := []sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 8, Procs: 4}, {ID: 2, RunTime: 6, Walltime: 6, Procs: 4}}
		ends := simtest.Ends{}
		var e sim.Engine
		if _, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 4, 1), Policy: p, Progress: progress.Isolated{},
			Source: simtest.Source(jobs), KillAtWalltime: true, Requeue: sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2},
			Observers: []sim.Observer{simtest.Watch(ends)}}); err != nil {
			t.Fatal(err)
		}
		if got := [2]float64{ends[1], ends[2]}; got != want {
			t.Errorf("%s: the jobs end at %v s, want at %v", backfilling, got, want)
		}
		if mean, want := p.Values(nil)[0], (want[0]/40+want[1]/24)/2; mean != want {
			t.Errorf("%s: the mean delay factor is %v, want %v", backfilling, mean, want)
		}
	}
}

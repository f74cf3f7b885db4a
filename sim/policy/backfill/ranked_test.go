package backfill_test

import (
	"context"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestOnlyQueuedJobsHaveARank: the audit asks a policy that starts jobs in order for the priority of each waiting job. One that is rejected
// passes its memory on to the next. One that is delayed is not in the queue yet.
func TestOnlyQueuedJobsHaveARank(t *testing.T) {
	on := simtest.Machine(t, 2)
	if err := on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Walltime: 10, Default: true}}); err != nil {
		t.Fatal(err)
	}
	on.Tariffs[power.Carbon] = power.NewSteps([]float64{0, 20}, []float64{2, 1}, 100)
	for name, shift := range map[string]backfill.Shift{"rejected": {}, "delayed": {By: "carbon", AtMost: 50}} {
		params := easyParams("multifactor").(*backfill.EasyParams)
		params.By.MultifactorParams = backfill.MultifactorParams{Weights: multifactor.Weights{Age: 10}, MaxAge: 20, HalfLife: math.Inf(1),
			CalculatedEvery: 5}
		params.Rules, params.Planning, params.Shift = "plain", backfill.Planning{Every: 1, Jobs: 1}, shift
		p, books := policy(t, "easy", params), audit.New(on)
		books.Watch(p)
		jobs := []sim.JobSpec{{ID: 1, RunTime: 12, Walltime: 15, Procs: 2}, {ID: 2, RunTime: 5, Walltime: 5, Procs: 2},
			{ID: 3, RunTime: 5, Walltime: 5, Procs: 2, User: 1}}
		_, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
			Progress: progress.Isolated{}, Observers: []sim.Observer{books}, KillAtWalltime: true})
		if err == nil {
			err = books.Verdict(true)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package main

import (
	"context"
	"testing"

	"schedsweep/sim"
	policies "schedsweep/sim/policy/contract"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	workloads "schedsweep/sim/workload/contract"
)

// What every policy must fulfil, on random workloads and machines.
func TestLottery(t *testing.T) {
	for _, tickets := range []string{"equal", "narrow"} {
		policies.Test(t, lottery.Name, &LotteryParams{Tickets: tickets}, lottery.New)
	}
}

// What every workload must fulfil.
func TestShifts(t *testing.T) {
	p := shifts.Params.(ShiftsParams)
	workloads.Test(t, shifts.Name, &p, workload.Input{}, shifts.New)
}

// Of two jobs for one processor one starts when it is submitted.
func TestUnhindered(t *testing.T) {
	job := sim.JobSpec{RunTime: 10, Walltime: 10, Procs: 1}
	policy, err := lottery.New(&LotteryParams{}, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var engine sim.Engine
	seen := &unhinderedShare{}
	_, err = engine.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 1), Source: simtest.Source([]sim.JobSpec{job, job}),
		Policy: policy, Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(seen)}})
	if got := seen.Values(nil); err != nil || got[0] != .5 {
		t.Errorf("%v, error %v; want 0.5", got, err)
	}
	if !unhindered.Metrics[0].Share {
		t.Error("claims cannot expect a percentage of it")
	}
}

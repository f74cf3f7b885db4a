package backfill_test

import (
	"context"
	"math"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// machineUnder is nodes of classes of these sizes, 10 W idle and 20 W busy, under a cap of some watts that changes once.
func machineUnder(t *testing.T, from, to, at float64, ahead bool, sizes ...int) *sim.Platform {
	on := classMachine(t, 0, sizes...)
	for i := range on.Clusters {
		on.Clusters[i].Power = power.Node{Idle: 10, Busy: 20}
	}
	on.Cap = &power.Cap{Watts: power.NewSteps([]float64{0, at}, []float64{from, to}, math.Inf(1)), Ahead: ahead}
	return on
}

// easyStarts runs EASY, first come first served if p names no order. The run must end, with that many jobs refused and these starts.
func easyStarts(t *testing.T, on *sim.Platform, p backfill.EasyParams, jobs []sim.JobSpec, want []bruteStart, rejected int64,
	outages ...sim.Outage) {
	t.Helper()
	if p.Order == "" {
		p.Ordered = backfill.InOrder("fcfs")
	}
	p.Rules, p.Placement = "plain", "any"
	for i := range jobs {
		jobs[i].Partition = 1
	}
	got := &startLog{}
	res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: policy(t, "easy", &p),
		Progress: progress.Isolated{}, KillAtWalltime: true, MaxEvents: 1000, Observers: []sim.Observer{got}, Outages: outages})
	if d := diff.Diff(want, got.starts); err != nil || res.Rejected != rejected || d != "" {
		t.Errorf("%+v: %+v, %v; want %d rejected; starts (-want +got):\n%s", p, res, err, rejected, d)
	}
}

// TestSessionsEndUnderACap has the cap fall for good while a job waits that needs more. The run ends, and the job never runs.
func TestSessionsEndUnderACap(t *testing.T) {
	sessions := backfill.EasyParams{Placed: backfill.Placed{Sessions: []backfill.Session{{Days: "all"}}}}
	easyStarts(t, machineUnder(t, 80, 60, 5, false, 4), sessions,
		[]sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 2}, {ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 4}},
		[]bruteStart{{ID: 1, Time: 0}}, 1)
}

// TestNoCapAdmitsTheHead has the cap fall for good. Job 2 waits for job 1 and is too wide or too long for the last cap then, so that job 3
// is the head. It starts when job 1 ends, and job 4 does not delay it.
func TestNoCapAdmitsTheHead(t *testing.T) {
	for _, c := range []struct {
		nodes  int
		falls  float64 // when one node less may be in use
		ahead  bool
		policy backfill.EasyParams
	}{
		{2, 10, true, backfill.EasyParams{}},
		{3, 2, false, backfill.EasyParams{}},
		{3, 2, false, backfill.EasyParams{Planning: backfill.Planning{Every: 1}}},
		{3, 2, false, backfill.EasyParams{Planning: backfill.Planning{Every: 10}}}, // job 3 starts between two plans
		{3, 5, false, backfill.EasyParams{Planning: backfill.Planning{Every: 5, PerUser: 1}}},
	} {
		most := 20 * float64(c.nodes)
		easyStarts(t, machineUnder(t, most, most-10, c.falls, c.ahead, c.nodes), c.policy,
			[]sim.JobSpec{{ID: 1, RunTime: 5, Walltime: 5, Procs: 1}, {ID: 2, RunTime: 8, Walltime: 8, Procs: int32(c.nodes)},
				{ID: 3, Submit: 3, RunTime: 4, Walltime: 4, Procs: 2}, {ID: 4, Submit: 3, RunTime: 20, Walltime: 20, Procs: 1}},
			[]bruteStart{{ID: 1, Time: 0}, {ID: 3, Time: 5}, {ID: 4, Time: 9}}, 1)
	}
}

// TestNoCapAdmitsTheBoots has a head that the last cap admits on nodes that are on alone: there is no power to boot its nodes at once.
func TestNoCapAdmitsTheBoots(t *testing.T) {
	on := machineUnder(t, 80, 60, 5, false, 2, 2)
	on.Partitions[0].Classes = []int{0, 1}
	on.Clusters[0].Power = power.Node{Idle: 10, Busy: 15, Boot: power.Transition{Time: 7, Power: 200}}
	on.Clusters[1].Power.Busy = 30
	on.Off = power.SwitchOff{On: true, After: 1000}
	easyStarts(t, on, backfill.EasyParams{},
		[]sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 2}, {ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 2}},
		[]bruteStart{{ID: 1, Time: 0}, {ID: 2, Time: 10}}, 0)
}

// TestPlansAnewAsTheOrderChanges has jobs wait for a cap on an idle machine, and an order that changes with time. A plan looks at the first
// job alone: at 0 s the one that the cap admits from 100 s on, and from 1 s on the shorter one, which it admits.
func TestPlansAnewAsTheOrderChanges(t *testing.T) {
	easyStarts(t, machineUnder(t, 30, 40, 100, true, 2),
		backfill.EasyParams{Ordered: backfill.InOrder("wfp3"), Planning: backfill.Planning{Every: 1, Jobs: 1}},
		[]sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 2}, {ID: 2, RunTime: 1, Walltime: 1, Procs: 1}},
		[]bruteStart{{ID: 2, Time: 1}, {ID: 1, Time: 100}}, 0)
}

// TestACapAddsNoPass has a plan look at one job every 10 s, on 3 nodes. One of these drains from 5 s on, which is known. A cap that admits
// all nodes brings no pass then: job 2 starts when the policy plans again.
func TestACapAddsNoPass(t *testing.T) {
	for _, capped := range []bool{false, true} {
		on := machineUnder(t, 60, 60, math.MaxInt32, true, 3)
		if !capped {
			on.Cap = nil
		}
		easyStarts(t, on, backfill.EasyParams{Planning: backfill.Planning{Every: 10, Jobs: 1}},
			[]sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 20, Procs: 1}, {ID: 2, RunTime: 20, Walltime: 20, Procs: 1}},
			[]bruteStart{{ID: 1, Time: 0}, {ID: 2, Time: 10}}, 0,
			sim.Outage{Procs: []sim.Span{{Lo: 2, Hi: 2}}, From: 5, Until: 15, Kind: sim.Drained, Ahead: true})
	}
}

// TestPlansAnewBeforeTheCapFalls has a plan look at one job every 2 s, and the cap fall at 10 s, which is known. From 3 s on job 2 cannot
// end before that. So job 3 starts at the plan of 4 s, though nothing else happens then.
func TestPlansAnewBeforeTheCapFalls(t *testing.T) {
	for _, planning := range []backfill.Planning{{Every: 2, Jobs: 1}, {Every: 2, PerUser: 1}} {
		easyStarts(t, machineUnder(t, 80, 60, 10, true, 4), backfill.EasyParams{Ordered: backfill.InOrder("largest"), Planning: planning},
			[]sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 20, Procs: 1}, {ID: 2, Submit: 1, RunTime: 8, Walltime: 8, Procs: 4},
				{ID: 3, Submit: 1, RunTime: 5, Walltime: 5, Procs: 1}},
			[]bruteStart{{ID: 1, Time: 0}, {ID: 3, Time: 4}}, 1)
	}
}

// TestJobsWaitInVainUnderACapOfNights has a job wait for a node that is reserved for ever, under an order for which the policy plans each
// hour and a cap that changes twice a day. The run ends.
func TestJobsWaitInVainUnderACapOfNights(t *testing.T) {
	const day = 24 * 3600
	on := machineUnder(t, 60, 50, day/2, true, 3)
	on.Cap.Watts = power.NewSteps([]float64{0, day / 2}, []float64{60, 50}, day)
	on.Cap.Watts.Every = day
	p := backfill.EasyParams{Ordered: backfill.InOrder("wfp3"), Placed: backfill.Placed{Placement: "any"}, Rules: "plain",
		Planning: backfill.Planning{Every: 3600}}
	jobs := []sim.JobSpec{{ID: 1, Submit: 9, RunTime: 2, Walltime: 2, Procs: 3, Partition: 1}}
	_, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: policy(t, "easy", &p),
		Progress: progress.Isolated{}, KillAtWalltime: true, MaxEvents: 5000,
		Outages: []sim.Outage{{Procs: []sim.Span{{Lo: 0, Hi: 1}}, From: 5, Until: math.Inf(1), Kind: sim.Reserved, Ahead: true}}})
	if err == nil || !strings.Contains(err.Error(), "with 1 waiting") {
		t.Error(err)
	}
}

package backfill_test

import (
	"context"
	"math"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// dear is a machine of two processors whose energy is dear until some time, and a shift that keeps jobs out of the queue until then.
// Jobs of walltimes above 500 s are not delayed.
func dear(t *testing.T, until float64) (*sim.Platform, backfill.Shifted) {
	on := simtest.Machine(t, 2)
	on.Clusters[0].Power = power.Node{Idle: 1, Busy: 2}
	on.Tariffs[power.Carbon] = power.NewSteps([]float64{0, until}, []float64{2, 1}, 500)
	return on, backfill.Shifted{Shift: backfill.Shift{By: "carbon", AtMost: 100}}
}

// TestALimitHoldsDelayedJobs has job 1 become eligible while another job of its user runs, with a limit of one job. It then waits
// without a reservation, so that it does not block job 2.
func TestALimitHoldsDelayedJobs(t *testing.T) {
	on, shift := dear(t, 5)
	p := shiftedParams("conservative", "fcfs", shift).(*backfill.ConservativeParams)
	p.Limits = []backfill.Limit{{Of: backfill.Who{User: "2"}, Running: backfill.Most{Jobs: 1}, Otherwise: "hold"}}
	got := shiftedStarts(t, policy(t, "conservative", p), on, true, []sim.JobSpec{
		{ID: 0, User: 2, RunTime: 10, Walltime: 1000, Procs: 1}, {ID: 1, User: 2, RunTime: 10, Walltime: 10, Procs: 2},
		{ID: 2, User: 3, Submit: 6, RunTime: 4, Walltime: 999, Procs: 1}})
	if d := diff.Diff([]float64{0, 10, 6}, got); d != "" {
		t.Error(d)
	}
}

// TestPlansOnceForDelayedJobs has two jobs become eligible when the policy plans. A plan looks at one job, and the next plan at the other.
func TestPlansOnceForDelayedJobs(t *testing.T) {
	for _, name := range []string{"easy", "conservative"} {
		on, shift := dear(t, 10)
		p, planning := shiftedParams(name, "fcfs", shift), backfill.Planning{Every: 10, Jobs: 1}
		switch p := p.(type) {
		case *backfill.EasyParams:
			p.Planning = planning
		case *backfill.ConservativeParams:
			p.Planning = planning
		}
		got := shiftedStarts(t, policy(t, name, p), on, true, []sim.JobSpec{
			{ID: 0, RunTime: 30, Walltime: 30, Procs: 1}, {ID: 1, RunTime: 30, Walltime: 30, Procs: 1}})
		if d := diff.Diff([]float64{10, 20}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestRefusedJobsBringNoPass has job 4 come and be refused, because no session is long enough for it or no cap admits it. With wfp3 the
// head changes with time. But job 3 starts no earlier than the next end, as without job 4.
func TestRefusedJobsBringNoPass(t *testing.T) {
	daily := backfill.Placed{Sessions: []backfill.Session{{Days: "all"}}}
	for _, c := range []struct {
		refused sim.JobSpec
		p       backfill.EasyParams
	}{
		{sim.JobSpec{Walltime: 90000, Procs: 1}, backfill.EasyParams{Placed: daily}},
		{sim.JobSpec{Walltime: 5, Procs: 3}, backfill.EasyParams{}},
		{sim.JobSpec{Walltime: 5, Procs: 3}, backfill.EasyParams{Planning: backfill.Planning{Every: 10}}},
	} {
		c.p.Ordered = backfill.InOrder("wfp3")
		c.refused.ID, c.refused.Submit, c.refused.RunTime = 4, 5, 5
		on := machineUnder(t, 50, 50, math.MaxInt32, true, 3)
		easyStarts(t, on, c.p, []sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 1},
			{ID: 2, Submit: 1, RunTime: 1, Walltime: 100, Procs: 2},
			{ID: 3, Submit: 2, RunTime: 20, Walltime: 20, Procs: 1}, c.refused},
			[]bruteStart{{ID: 1, Time: 0}, {ID: 3, Time: 10}, {ID: 2, Time: 30}}, 1)
	}
}

// TestASessionBeginsForAnyPass has job 2 come when the session begins for which job 1 waits, with a limit of one job. Where each event has
// a pass, the one after the submission starts job 1, which comes first, though the wake-up for the session is still to come.
func TestASessionBeginsForAnyPass(t *testing.T) {
	order, err := sim.EventOrderByName("pyss")
	if err != nil {
		t.Fatal(err)
	}
	p := easyParams("fcfs").(*backfill.EasyParams)
	p.Rules, p.Sessions = "plain", []backfill.Session{{Days: "all"}, {Days: "all", Begin: 100}}
	p.Limits = []backfill.Limit{{Running: backfill.Most{Jobs: 1}, Otherwise: "hold"}}
	on := classMachine(t, 0, 1, 1)
	on.Partitions[0].Classes = []int{0, 1}
	var got startLog
	_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Policy: policy(t, "easy", p), Order: order,
		Source: simtest.Source([]sim.JobSpec{{ID: 1, RunTime: 200, Walltime: 200, Procs: 1, Partition: 1},
			{ID: 2, Submit: 100, RunTime: 10, Walltime: 10, Procs: 1, Partition: 1}}),
		Progress: progress.Isolated{}, KillAtWalltime: true, Observers: []sim.Observer{&got}})
	if d := diff.Diff([]bruteStart{{ID: 1, Time: 100}, {ID: 2, Time: 300}}, got.starts); err != nil || d != "" {
		t.Errorf("%v: %s", err, d)
	}
}

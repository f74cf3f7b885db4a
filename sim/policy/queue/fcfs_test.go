package queue_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestMembersStartInReservations reserves processors 1 to 3 of 4 for user 7 from 1 to 20. Job 1 runs on processor 0 until 10. Jobs 2 and 3
// of user 7 start at 2 and 4 nevertheless, the second beside the first. Job 4 of another user waits until 10, and job 5 of both needs more.
func TestMembersStartInReservations(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 1},
		{ID: 2, Submit: 2, RunTime: 3, Walltime: 3, Procs: 2, User: 7},
		{ID: 3, Submit: 4, RunTime: 3, Walltime: 3, Procs: 1, User: 7},
		{ID: 4, Submit: 5, RunTime: 3, Walltime: 3, Procs: 1},
		{ID: 5, Submit: 6, RunTime: 3, Walltime: 3, Procs: 2},
	}
	order := backfill.InOrder("fcfs")
	for name, params := range map[string]any{"fcfs": &queue.None{}, "queue": &order, "scan": &order, "first-fit": &queue.None{}} {
		kind, _ := sim.Policies.Get(name)
		policy, err := kind.New(params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		on := simtest.Machine(t, 4)
		events := []sim.Outage{{Procs: []sim.Span{{Lo: 1, Hi: 3}}, From: 1, Until: 20, Kind: sim.Reserved, For: sim.Members{Users: []int32{7}}}}
		books := audit.New(on)
		books.Expect(on, events, nil)
		var got simtest.Outcomes
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: policy,
			Progress: progress.Isolated{}, Observers: []sim.Observer{books, &got}, Outages: events}); err != nil {
			t.Fatal(err)
		}
		if err := books.Verdict(true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		starts := map[int64]float64{}
		for _, o := range got {
			starts[o.ID] = o.Start
		}
		if d := cmp.Diff(map[int64]float64{1: 0, 2: 2, 3: 4, 4: 10, 5: 20}, starts); d != "" {
			t.Errorf("%s: starts (-want +got):\n%s", name, d)
		}
	}
}

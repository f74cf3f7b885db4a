package backfill_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestOverrunsAreExpectedToEndNow has jobs 1 and 2 run past their walltimes, at 1
// and at 2. When job 4 comes at 3, both are expected to end now, so the head of
// the queue, job 3, would leave one processor: job 4 may have it. Job 3 starts
// when job 1 ends at last.
func TestOverrunsAreExpectedToEndNow(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 1, Procs: 1},
		{ID: 2, RunTime: 20, Walltime: 2, Procs: 1},
		{ID: 3, RunTime: 1, Walltime: 1, Procs: 2},
		{ID: 4, Submit: 3, RunTime: 5, Walltime: 5, Procs: 1},
	}
	for name, params := range map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")} {
		got := run(t, policy(t, name, params), "default", false, 3, jobs)
		if d := cmp.Diff([]float64{0, 0, 10, 3}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestOverrunsAreNoticedAtOnce: job 1 passes its walltime at 5, when jobs 2 and 3 come, which do not fit together. Job 2 came first, so it
// starts beside job 1, and not job 3.
func TestOverrunsAreNoticedAtOnce(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, Submit: 3, RunTime: 3, Walltime: 2, Procs: 1},
		{ID: 2, Submit: 5, RunTime: 1, Walltime: 1, Procs: 5},
		{ID: 3, Submit: 5, RunTime: 1, Walltime: 1, Procs: 4},
	}
	for _, placement := range []string{"any", "basic", "contiguous"} {
		params := &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: placement}}
		got := run(t, policy(t, "conservative", params), "default", false, 9, jobs)
		if d := cmp.Diff([]float64{3, 5, 6}, got); d != "" {
			t.Errorf("placement %s: %s", placement, d)
		}
	}
}

// TestOverrunsAreNoticedAtEvents: job 2 waits for the end of job 1, which passes its walltime at 15, before a drain that is known ahead
// begins at 25. From then on it waits for the end of the drain, and job 3 starts beside job 1.
func TestOverrunsAreNoticedAtEvents(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, Submit: 4, RunTime: 30, Walltime: 11, Procs: 6},
		{ID: 2, Submit: 5, RunTime: 5, Walltime: 11, Procs: 8},
		{ID: 3, Submit: 5, RunTime: 11, Walltime: 11, Procs: 2},
	}
	for _, placement := range []string{"any", "basic", "contiguous"} {
		placed := backfill.Placed{Placement: placement}
		for name, params := range map[string]any{
			"easy":         &backfill.EasyParams{Ordered: backfill.InOrder("fcfs"), Placed: placed},
			"conservative": &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: placed},
		} {
			var got simtest.Outcomes
			var e sim.Engine
			_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 9), Source: simtest.Source(jobs),
				Policy: policy(t, name, params), Progress: progress.Isolated{}, Observers: []sim.Observer{&got},
				Outages: []sim.Outage{{Procs: []sim.Span{{Lo: 1, Hi: 3}}, From: 25, Until: 52, Kind: sim.Drained, Ahead: true}}})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float64{4, 52, 25} {
				if got[i].Start != want {
					t.Errorf("%s, placement %s: job %d starts at %v, want %v", name, placement, i+1, got[i].Start, want)
				}
			}
		}
	}
}

// TestOverrunsEndWithAnotherJob: jobs 1 and 2 end at 10, the end of job 2's walltime. Job 1 has passed its own. When it ends, job 2 counts
// as running until the next moment, from which on job 3 no longer ends in the session. It starts when job 2 has ended too.
func TestOverrunsEndWithAnotherJob(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 5, Procs: 1},
		{ID: 2, RunTime: 10, Walltime: 10, Procs: 1},
		{ID: 3, Submit: 1, RunTime: 5, Walltime: 5, Procs: 2},
	}
	for _, placement := range []string{"any", "basic", "contiguous"} {
		placed := backfill.Placed{Placement: placement, Sessions: []backfill.Session{{Days: "all"}, {Begin: 15, Days: "all"}}}
		params := &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: placed, Rules: "plain"}
		for _, order := range []string{"default", "pyss", "cbf2015"} {
			got := run(t, policy(t, "conservative", params), order, false, 2, jobs)
			if d := cmp.Diff([]float64{0, 0, 10}, got); d != "" {
				t.Errorf("placement %s, event order %s: %s", placement, order, d)
			}
		}
	}
}

// TestOrderCountsWhileJobsOverrun has job 1 of user 1 run past its walltime from 10 to 40. Jobs 2 and 3 come at 11. User 2 has used more by
// then, so that job 2 comes first. It needs all processors, and job 3 waits for it. By 30, the next multiple of the period, user 1 has used
// 60 processor-seconds and user 2 still 50. So job 3 comes first, and starts beside job 1.
func TestOrderCountsWhileJobsOverrun(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 40, Walltime: 10, Procs: 2, User: 1},
		{ID: 2, Submit: 11, RunTime: 5, Walltime: 5, Procs: 4, User: 1},
		{ID: 3, Submit: 11, RunTime: 5, Walltime: 5, Procs: 2, User: 2},
	}
	order := backfill.InOrder("fair-share")
	order.By.FairShare.InitialUsage = []backfill.Used{{User: "2", Usage: 50}}
	for _, placement := range []string{"any", "basic"} {
		placed := backfill.Placed{Placement: placement}
		for name, params := range map[string]any{
			"easy":         &backfill.EasyParams{Ordered: order, Placed: placed},
			"conservative": &backfill.ConservativeParams{Ordered: order, Placed: placed},
		} {
			got := run(t, policy(t, name, params), "default", false, 4, jobs)
			if d := cmp.Diff([]float64{0, 40, 30}, got); d != "" {
				t.Errorf("%s, placement %s: %s", name, placement, d)
			}
		}
	}
}

// TestCyclesPlanWhileJobsOverrun plans every 10 s on 10 processors. Jobs 1 and 2 hold 7 of them and run past their walltimes, which end at
// 50 and 55. Job 3 needs 6 processors and is planned for the end of job 1, with none beside it. At 60 both ends are overdue. Either leaves
// 4 processors beside job 3, so job 4 starts, though no job has come or ended.
func TestCyclesPlanWhileJobsOverrun(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 100, Walltime: 50, Procs: 3},
		{ID: 2, RunTime: 100, Walltime: 55, Procs: 4},
		{ID: 3, Submit: 1, RunTime: 10, Walltime: 10, Procs: 6},
		{ID: 4, Submit: 1, RunTime: 200, Walltime: 200, Procs: 3},
	}
	order, placed, planning := backfill.InOrder("fcfs"), backfill.Placed{Placement: "any"}, backfill.Planning{Every: 10}
	for name, params := range map[string]any{
		"easy":         &backfill.EasyParams{Ordered: order, Placed: placed, Planning: planning},
		"conservative": &backfill.ConservativeParams{Ordered: order, Placed: placed, Planning: planning},
	} {
		got := run(t, policy(t, name, params), "default", false, 10, jobs)
		if d := cmp.Diff([]float64{0, 0, 100, 60}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestPyssNeedsTheKill has both planning policies refuse a run in which a plan
// by walltimes would not hold.
func TestPyssNeedsTheKill(t *testing.T) {
	order, err := sim.EventOrderByName("pyss")
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")} {
		var e sim.Engine
		cfg := sim.Config{Platform: simtest.Machine(t, 3), Policy: policy(t, name, params), Progress: progress.Isolated{}, Order: order}
		want := "policy " + name + " with the rules of pyss needs jobs to be ended at their walltime: set the kill at the walltime, or take " +
			"other rules (policy.rules, by default those of engine.event_order)"
		if err := e.Check(cfg); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		cfg.KillAtWalltime = true
		if err := e.Check(cfg); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestParameters checks what a manifest cannot ask for.
func TestParameters(t *testing.T) {
	for name, params := range map[string]any{"easy": easyParams("lifo"), "conservative": conservativeParams("lifo")} {
		k, _ := sim.Policies.Get(name)
		if _, err := k.New(params, sim.Env{}); err == nil || err.Error() != `unknown queue order "lifo"` {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

package placement_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// rows are "job start-finish processors", in order of job.
func rows(t testing.TB, p *sim.Platform, name, order string, kill bool, specs []sim.JobSpec) []string {
	t.Helper()
	o, err := sim.EventOrderByName(order)
	if err != nil {
		t.Fatal(err)
	}
	out := &schedule{}
	run(t, sim.Config{Platform: p, Source: simtest.Source(specs), Policy: policy(t, name), Progress: progress.Isolated{}, Order: o,
		KillAtWalltime: kill, Observers: []sim.Observer{simtest.Watch(out)}})
	return out.lines()
}

func (o *schedule) lines() []string {
	slices.SortFunc(o.rows, func(a, b row) int { return cmp.Compare(a.id, b.id) })
	var got []string
	for _, r := range o.rows {
		got = append(got, fmt.Sprintf("%d %g-%g %s", r.id, r.start, r.finish, r.procs))
	}
	return got
}

// TestExactHole: 4 processors. Job 1 holds 0-2 from 0 to 10. Job 2 needs all 4
// and is planned for 10 to 15. Job 3 comes with it, at 1, and needs one for 9 s.
// Processor 3 is free from 1 to 10: exactly 9 s, and nothing is free after it.
// By our rules job 3 starts at once. The preset wants a longer hole or one
// followed by more room: job 3 gets 15, and at 10, when job 1 ends, nothing is
// free for it.
func TestExactHole(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, Submit: 0, RunTime: 10, Walltime: 10, Procs: 3},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 4},
		{ID: 3, Submit: 1, RunTime: 9, Walltime: 9, Procs: 1},
	}
	for order, want := range map[string][]string{
		"default": {"1 0-10 0-2", "2 10-15 0-3", "3 1-10 3"},
		"cbf2015": {"1 0-10 0-2", "2 10-15 0-3", "3 15-24 0"},
	} {
		if got := rows(t, clusters(t, 1, 4), "basic", order, true, specs); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", order, got, want)
		}
	}
}

// TestEarlyEnd has 4 processors. Job 1 holds 0-1 with a walltime of 100, job 2 holds 2-3 to 10. Job 3 (4 processors for 20) is
// planned for 100 to 120. Job 4 (2 processors for 95) is planned for 120 to 215: beside job 1 it would delay job 3.
// Job 1 ends at 5. After compression job 3 takes 10 to 30 and job 4 follows at 30. In the preset neither fits at 5. Job 3 needs
// 4 processors. For job 4, 0-1 are free from 5 to 100 only, when job 3 has them. That is exactly 95 s, an exact fit that the
// preset's test of a hole at now accepts. So job 4 starts at 5, and job 3 stays at 100.
func TestEarlyEnd(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 5, Walltime: 100, Procs: 2},
		{ID: 2, RunTime: 10, Walltime: 10, Procs: 2},
		{ID: 3, RunTime: 20, Walltime: 20, Procs: 4},
		{ID: 4, RunTime: 95, Walltime: 95, Procs: 2},
	}
	for order, want := range map[string][]string{
		"default": {"1 0-5 0-1", "2 0-10 2-3", "3 10-30 0-3", "4 30-125 0-1"},
		"cbf2015": {"1 0-5 0-1", "2 0-10 2-3", "3 100-120 0-3", "4 5-100 0-1"},
	} {
		if got := rows(t, clusters(t, 2, 2), "local", order, true, specs); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", order, got, want)
		}
	}
}

// TestOverrun: job 1 says 10 s and takes 25. Job 2 needs all processors and is
// planned for 10, then for the next moment until job 1 has really ended. So job 3,
// of 8 s, may not use the processors idle at 12: job 2 might start at any moment. As
// every job in turn is planned anew, job 4 does not, either, though it takes 1 s.
func TestOverrun(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 25, Walltime: 10, Procs: 2},
		{ID: 2, RunTime: 5, Walltime: 5, Procs: 4},
		{ID: 3, Submit: 12, RunTime: 8, Walltime: 8, Procs: 2},
		{ID: 4, Submit: 13, RunTime: 1, Walltime: 1, Procs: 1},
	}
	for _, order := range []string{"default", "cbf2015"} {
		want := []string{"1 0-25 0-1", "2 25-30 0-3", "3 30-38 0-1", "4 30-31 2"}
		if got := rows(t, clusters(t, 1, 4), "basic", order, false, specs); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", order, got, want)
		}
	}
}

// TestOverrunsAreNoticedWhenTheyBegin has 5 processors. Job 3 is planned for 11, the planned end of job 1. It starts at 4, when job 1 ends.
// Job 2 says 10 s and takes 12. The policy notices at 10 that it is still there, though no job waits. So the plan is made anew when it has
// gone: the new jobs 4 and 5 get their places in the order of the queue, the shorter job 5 first.
func TestOverrunsAreNoticedWhenTheyBegin(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 4, Walltime: 11, Procs: 3},
		{ID: 2, RunTime: 12, Walltime: 10, Procs: 2},
		{ID: 3, Submit: 1, RunTime: 30, Walltime: 30, Procs: 3},
		{ID: 4, Submit: 12, RunTime: 9, Walltime: 9, Procs: 2},
		{ID: 5, Submit: 12, RunTime: 3, Walltime: 3, Procs: 2},
	}
	out := &schedule{}
	run(t, sim.Config{Platform: clusters(t, 1, 5), Source: simtest.Source(specs), Policy: shortestFirst(t), Progress: progress.Isolated{},
		Observers: []sim.Observer{simtest.Watch(out)}})
	want := []string{"1 0-4 0-2", "2 0-12 3-4", "3 4-34 0-2", "4 15-24 3-4", "5 12-15 3-4"}
	if got := out.lines(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPlannedEventsKeepTheOrderOfSubmission has 2 processors that are down from 100 s on, which is known before time 0. Jobs 1 to 3 come at
// time 0. They get their places in order of submission, also where shorter jobs come first in the queue.
func TestPlannedEventsKeepTheOrderOfSubmission(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 2},
		{ID: 2, RunTime: 9, Walltime: 9, Procs: 2},
		{ID: 3, RunTime: 8, Walltime: 8, Procs: 2},
	}
	down := sim.Outage{From: 100, Until: 200, Kind: sim.Down, Procs: []sim.Span{{Lo: 0, Hi: 1}}, Ahead: true}
	out := &schedule{}
	run(t, sim.Config{Platform: clusters(t, 1, 2), Source: simtest.Source(specs), Policy: shortestFirst(t), Progress: progress.Isolated{},
		KillAtWalltime: true, Outages: []sim.Outage{down}, Observers: []sim.Observer{simtest.Watch(out)}})
	want := []string{"1 0-10 0-1", "2 10-19 0-1", "3 19-27 0-1"}
	if got := out.lines(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// shortestFirst is conservative backfilling on the lowest processors, shortest job first.
func shortestFirst(t *testing.T) sim.Policy {
	t.Helper()
	k, _ := sim.Policies.Get("conservative")
	p, err := k.New(&backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "sjf"}, Placed: backfill.Placed{Placement: "basic"},
		Rules: "plain"}, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRefusals(t *testing.T) {
	if _, err := placement.NewPlan("nearby"); err == nil || !strings.Contains(err.Error(), `unknown placement "nearby"`) {
		t.Errorf("NewPlan: %v", err)
	}
	unequal, err := sim.NewPlatform("unequal",
		[]sim.Cluster{{Name: "a", Nodes: 3, Cores: 1, Speed: 1}, {Name: "b", Nodes: 2, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range placement.Names {
		var e sim.Engine
		_, err := e.Run(context.Background(), sim.Config{Platform: unequal, Source: simtest.Source(nil), Policy: policy(t, name),
			Progress: progress.Isolated{}})
		if local := strings.HasSuffix(name, "local"); local != (err != nil) || local &&
			!strings.Contains(err.Error(), `needs clusters of equal size; on platform "unequal" cluster "a" has 3 processors and cluster "b" has 2`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func drawSpecs(t *rapid.T, procs, most int, exact bool) []sim.JobSpec {
	specs := make([]sim.JobSpec, rapid.IntRange(1, most).Draw(t, "jobs"))
	at := 0
	for i := range specs {
		at += rapid.SampledFrom([]int{0, 0, 1, 3, 10}).Draw(t, "gap")
		run := rapid.IntRange(0, 20).Draw(t, "run")
		wall := max(run, 1)
		if exact {
			run = wall
		} else {
			wall += rapid.SampledFrom([]int{0, 1, 5, 60}).Draw(t, "over")
		}
		specs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: float64(run), Walltime: float64(wall),
			Procs: int32(rapid.IntRange(1, procs).Draw(t, "procs"))}
	}
	return specs
}

// TestNobodyIsDelayed: with exact estimates a later job changes nothing for the
// earlier ones.
func TestNobodyIsDelayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, size := rapid.IntRange(1, 4).Draw(t, "clusters"), rapid.IntRange(1, 20).Draw(t, "size")
		specs := drawSpecs(t, n*size, 15, true)
		for _, name := range placement.Names {
			all := rowsOf(t, n, size, policy(t, name), specs)
			some := rowsOf(t, n, size, policy(t, name), specs[:len(specs)-1])
			if !slices.Equal(all[:len(some)], some) {
				t.Fatalf("%s: with the last job\n%v, without\n%v", name, all, some)
			}
		}
	})
}

// rowsOf runs in the default order, ending jobs at their walltime.
func rowsOf(t *rapid.T, n, size int, policy sim.Policy, specs []sim.JobSpec) []string {
	cs := make([]sim.Cluster, n)
	for i := range cs {
		cs[i] = sim.Cluster{Nodes: size, Cores: 1, Speed: 1}
	}
	p, err := sim.NewPlatform("drawn", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	out := &schedule{}
	var e sim.Engine
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: simtest.Source(specs), Policy: policy, Progress: progress.Isolated{}, KillAtWalltime: true,
			Observers: []sim.Observer{simtest.Watch(out)}, MaxEvents: 100_000}); err != nil {
		t.Fatal(err)
	}
	return out.lines()
}

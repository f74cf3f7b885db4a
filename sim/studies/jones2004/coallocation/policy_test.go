package coallocation_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/jones2004/coallocation"
	"schedsweep/sim/studies/jones2004/communication"
)

// Clusters of 10, 10 and 12 nodes. Jobs 1 to 3 come first and leave 4, 7 and 2
// free.
func TestPlacesByHand(t *testing.T) {
	const long = 1000
	first := []sim.JobSpec{
		{ID: 1, RunTime: long, Walltime: long, Procs: 6, Home: 0},
		{ID: 2, RunTime: long, Walltime: long, Procs: 3, Home: 1},
		{ID: 3, RunTime: long, Walltime: long, Procs: 10, Home: 2},
	}
	for name, c := range map[string]struct {
		procs int32
		want  string // allocation, or "waits"
	}{
		"no-sharing 4":     {4, "4 0 0"},
		"no-sharing 5":     {5, "waits"},
		"migration-only 2": {2, "0 0 2"}, // the fewest that suffice
		"migration-only 3": {3, "3 0 0"},
		"migration-only 5": {5, "0 5 0"},
		"migration-only 8": {8, "waits"},
		"co-allocation 5":  {5, "0 5 0"},
		"co-allocation 8":  {8, "0 7 1"}, // 7, the most, and the last 1 by best fit
		"co-allocation 10": {10, "3 7 0"},
		"co-allocation 12": {12, "4 7 1"}, // on three clusters since two have no room
		"co-allocation 13": {13, "4 7 2"},
		"co-allocation 14": {14, "waits"},
	} {
		t.Run(name, func(t *testing.T) {
			kind, _, _ := strings.Cut(name, " ")
			// The three first jobs are placed by the policy no-sharing.
			p := &handover{first: policy(t, "no-sharing", "", ""), then: policy(t, kind, "", "")}
			list := append(first[:3:3], sim.JobSpec{ID: 4, Submit: 1, RunTime: 1, Walltime: 1, Procs: c.procs})
			got := outcomes{}
			run(t, sim.Config{Platform: machine(t, 10, 10, 12), Policy: p, Progress: progress.Isolated{}, Source: simtest.Source(list),
				Observers: []sim.Observer{simtest.Watch(got)}})
			if o := got[4]; c.want == "waits" && o.start < long || c.want != "waits" && (o.start != 1 || o.alloc != c.want) {
				t.Errorf("started at %v s on %q, want %q", o.start, o.alloc, c.want)
			}
		})
	}
}

// handover lets one policy decide at time 0 and another from then on.
type handover struct{ first, then sim.Policy }

func (h *handover) Reset(s *sim.State) error {
	if err := h.first.Reset(s); err != nil {
		return err
	}
	return h.then.Reset(s)
}

func (h *handover) now(s *sim.State) sim.Policy {
	if s.Now() == 0 {
		return h.first
	}
	return h.then
}
func (h *handover) Submitted(s *sim.State, j *sim.Job) { h.now(s).Submitted(s, j) }
func (h *handover) Ended(s *sim.State, j *sim.Job)     { h.now(s).Ended(s, j) }
func (h *handover) Pass(s *sim.State)                  { h.now(s).Pass(s) }

// Job 1 holds 6 of 10 nodes until 10 s. Job 2 needs 8 and heads the queue. Of the
// others, 3 ends in time and overtakes, 4 would delay the head and does not, and
// 5 takes no more than the 2 nodes that the head leaves.
func TestEASYByHand(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 6},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 8},
		{ID: 3, Submit: 2, RunTime: 8, Walltime: 8, Procs: 1},
		{ID: 4, Submit: 3, RunTime: 8, Walltime: 8, Procs: 3},
		{ID: 5, Submit: 4, RunTime: 50, Walltime: 50, Procs: 2},
	}
	for backfilling, want := range map[string]map[int64]float64{
		"easy": {1: 0, 2: 10, 3: 2, 4: 15, 5: 4},
		// 4 takes the last 3 until 11 s, and 2 waits for it while 5 starts at 10 s.
		"scan": {1: 0, 2: 11, 3: 2, 4: 3, 5: 10},
	} {
		got := outcomes{}
		run(t, sim.Config{Platform: machine(t, 10), Policy: policy(t, "no-sharing", "", backfilling), Progress: progress.Isolated{},
			Source: simtest.Source(list), Observers: []sim.Observer{simtest.Watch(got)}})
		for id, start := range want {
			if got[id].start != start {
				t.Errorf("%s: job %d starts at %v s, want %v", backfilling, id, got[id].start, start)
			}
		}
	}
}

// Clusters of 5 and 6. Job 3 heads the queue and would fit best on the first at
// 10 s, until 4, which outlasts that, takes 2 of the second: there it now leaves
// none, so that 5 must not take the last one of it.
func TestReservationMovesWithTheBestFit(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 5},
		{ID: 2, RunTime: 10, Walltime: 10, Procs: 3},
		{ID: 3, Submit: 1, RunTime: 5, Walltime: 5, Procs: 4},
		{ID: 4, Submit: 2, RunTime: 20, Walltime: 20, Procs: 2},
		{ID: 5, Submit: 3, RunTime: 20, Walltime: 20, Procs: 1},
	}
	got := outcomes{}
	run(t, sim.Config{Platform: machine(t, 5, 6), Policy: policy(t, "migration-only", "", "easy"), Progress: progress.Isolated{},
		Source: simtest.Source(list), Observers: []sim.Observer{simtest.Watch(got)}})
	for id, want := range map[int64]float64{1: 0, 2: 0, 3: 10, 4: 2, 5: 10} {
		if got[id].start != want {
			t.Errorf("job %d starts at %v s, want %v", id, got[id].start, want)
		}
	}
}

// Jobs 1 and 2 outlast their walltimes of 2 s and 4 s. Job 3 heads the queue from 1 s on, and the end of job 1 would do for it.
// At 3 s job 2 is not due, and leaves job 4 no room beside the head. From 4 s on both are expected to end now, and beside
// the head there is room for jobs 4 and 5 on the processors that are free.
func TestOverdueJobsEndNow(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, RunTime: 20, Walltime: 2, Procs: 4},
		{ID: 2, RunTime: 20, Walltime: 4, Procs: 4},
		{ID: 3, Submit: 1, RunTime: 5, Walltime: 5, Procs: 6},
		{ID: 4, Submit: 3, RunTime: 9, Walltime: 9, Procs: 1},
		{ID: 5, Submit: 5, RunTime: 9, Walltime: 9, Procs: 1},
	}
	for _, name := range []string{"no-sharing", "migration-only", "co-allocation"} {
		got := outcomes{}
		run(t, sim.Config{Platform: machine(t, 10), Policy: policy(t, name, "", "easy"), Progress: progress.Isolated{},
			Source: simtest.Source(list), Observers: []sim.Observer{simtest.Watch(got)}})
		for id, want := range map[int64]float64{3: 20, 4: 5, 5: 5} {
			if got[id].start != want {
				t.Errorf("%s: job %d starts at %v s, want %v", name, id, got[id].start, want)
			}
		}
	}
}

// Without limits on the uplinks, or with computation alone, co-allocation costs
// nothing: both are NO_COMM_PENALTY, exactly.
func TestNoCommunicationPenalty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := machine(t, sizes(rt)...)
		unlimited := machine(t, 1)
		*unlimited = *m
		unlimited.Clusters = append([]sim.Cluster(nil), m.Clusters...)
		for i := range unlimited.Clusters {
			unlimited.Clusters[i].Uplink = sim.Link{}
		}
		list := drawn(rt, m)
		play := func(on *sim.Platform, m sim.Progress) outcomes {
			got := outcomes{}
			run(t, sim.Config{Platform: on, Policy: policy(t, "co-allocation", "", ""), Progress: m, Source: simtest.Source(list),
				Observers: []sim.Observer{simtest.Watch(got)}})
			return got
		}
		all := communication.BandwidthParams{ComputationFraction: .7, BisectionBandwidth: 1e4 * mbps}
		none := communication.BandwidthParams{ComputationFraction: 1, BisectionBandwidth: 1e4 * mbps}
		want := play(m, progress.Isolated{})
		for name, got := range map[string]outcomes{"unlimited links": play(unlimited, communication.NewBandwidth(all)),
			"K = 1": play(m, communication.NewBandwidth(none))} {
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
				rt.Fatalf("%s: %s", name, diff)
			}
		}
	})
}

func TestOnOneClusterAllPoliciesAreEqual(t *testing.T) {
	for _, backfilling := range []string{"scan", "easy"} {
		rapid.Check(t, func(rt *rapid.T) {
			m := machine(t, rapid.IntRange(1, 20).Draw(rt, "nodes"))
			list := drawn(rt, m)
			var want outcomes
			each(func(name, queue, b string) {
				if b != backfilling {
					return
				}
				got := outcomes{}
				run(t, sim.Config{Platform: m, Policy: policy(t, name, queue, b), Progress: bandwidth(1000), Source: simtest.Source(list),
					Observers: []sim.Observer{simtest.Watch(got)}})
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
					rt.Fatalf("%s, %s: %s", name, queue, diff)
				}
			})
		})
	}
}

func TestMigratedShare(t *testing.T) {
	// Job 2 finds its home full and migrates, job 3 has 2 nodes at home. Job 4 is not measured, and stays at home.
	list := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 8},
		{ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 8},
		{ID: 3, Submit: 2, RunTime: 10, Walltime: 10, Procs: 4},
		{ID: 4, Submit: 50, RunTime: 10, Walltime: 10, Procs: 4, Part: sim.RunOut},
	}
	p := policy(t, "co-allocation", "", "")
	run(t, sim.Config{Platform: machine(t, 10, 10), Policy: p, Progress: progress.Isolated{}, Source: simtest.Source(list)})
	if v := p.(*coallocation.Policy).Values(nil)[0]; !(math.Abs(v-1./3) <= 1e-15) {
		t.Errorf("migrated share %v, want 1/3", v)
	}
}

func TestJobsThatNobodyCanPlace(t *testing.T) {
	for name, want := range map[string]string{"no-sharing": "rejected", "migration-only": "finished"} {
		list := []sim.JobSpec{{ID: 1, RunTime: 1, Walltime: 1, Procs: 7}}
		res := run(t, sim.Config{Platform: machine(t, 5, 9), Policy: policy(t, name, "", ""), Progress: progress.Isolated{},
			Source: simtest.Source(list)})
		if got := map[bool]string{true: "rejected", false: "finished"}[res.Rejected == 1]; got != want {
			t.Errorf("%s: a job of 7 processors from a cluster of 5 beside one of 9 was %s, want %s", name, got, want)
		}
	}
	var e sim.Engine
	_, err := e.Run(context.Background(), sim.Config{Platform: machine(t, 5), Policy: policy(t, "no-sharing", "", ""),
		Progress: progress.Isolated{},
		Source:   simtest.Source([]sim.JobSpec{{ID: 1, RunTime: 1, Walltime: 1, Procs: 1, Home: 1}})})
	if err == nil || !strings.Contains(err.Error(), "home cluster of job 1 is number 1") {
		t.Errorf("a job from a cluster that does not exist: %v", err)
	}
}

// Once memory has grown, a run allocates nothing for a job.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	each(func(name, queue, backfilling string) {
		var list []sim.JobSpec
		src := poisson(t, 4, 500).Source()
		for {
			var j sim.JobSpec
			if more, err := src.Next(&j); err != nil || !more {
				break
			}
			list = append(list, j)
		}
		var e sim.Engine
		jobs := simtest.List(list)
		cfg := sim.Config{Platform: grid(t, 4), Policy: policy(t, name, queue, backfilling), Progress: bandwidth(700), Source: &jobs}
		n := testing.AllocsPerRun(3, func() {
			jobs = list
			if _, err := e.Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
		})
		if n > 5 {
			t.Errorf("%s: %v allocations in a run of %d jobs, want next to none", fmt.Sprint(name, "/", queue, "/", backfilling), n, len(list))
		}
	})
}

package timeslice

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// TestReplanDelaysNobody makes a plan anew in the order of planned starts. Running jobs hold no more than the plan says. No job is
// then later than before, although some ended early, were withdrawn or moved up. In the order of submission, backfilled jobs lose
// their position. That must occur, or the queues show nothing.
func TestReplanDelaysNobody(t *testing.T) {
	lost := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		w := world{t: t, r: r, nodes: 1 + r.IntN(64), grid: rapid.Bool().Draw(t, "whole seconds")}
		w.vm.reset(Long, w.nodes, nil, &Slicing{ReplanOrder: "planned"})
		w.ref.reset(w.nodes, 0)
		for range 20 + r.IntN(200) {
			switch r.IntN(8) {
			case 0:
				w.giveBack()
			case 1:
				w.advance()
			case 2:
				w.withdraw()
			case 3:
				w.compress()
			default:
				w.submit()
			}
		}
		// All that is due has started as planned.
		w.vm.Waiting = slices.DeleteFunc(w.vm.Waiting, func(j *Job) bool {
			due := w.vm.Due(j, w.now)
			if due {
				w.running = append(w.running, hold{j.Nodes, j.Start + j.Length})
			}
			return due
		})
		// All running jobs are one unit, so that the plan can be made anew from it.
		w.vm.Units = []*Unit{{holds: w.running}}
		before := map[*Job]float64{}
		for _, j := range w.vm.Waiting {
			before[j] = j.Start
		}
		w.vm.replan(w.now)
		for j, start := range before {
			if Later(j.Start, start) {
				t.Fatalf("at %v s job %d of %d nodes and %v s has gone from %v to %v s", w.now, j.Seq(), j.Nodes, j.Length, start, j.Start)
			}
			before[j] = j.Start
		}
		w.vm.planned = false
		w.vm.replan(w.now)
		for j, start := range before {
			if Later(j.Start, start) {
				lost++
			}
		}
	})
	t.Logf("%d jobs later in the order of submission", lost)
	if lost == 0 {
		t.Error("no job has lost its position in the order of submission")
	}
}

// TestBackfilledKeepPosition: of 4 nodes job 1 needs 3 for 100 s and starts when 2
// of them come free at 10 s. Job 2 needs all for 100 s, from 110 s on. Job 3 needs
// 1 for 110 s and is backfilled at 0 s. The 2 nodes come free at 5 s instead, and
// the plan is made anew then. Where job 3, which has not been started, keeps its
// position, it starts at 5 s and ends at 115 s. Job 1 starts at 5 s too, and job 2 waits for both until 115 s. In the
// order of submission job 2 is planned for 105 s, and job 3 behind it for 205 s.
func TestBackfilledKeepPosition(t *testing.T) {
	for order, want := range map[string][]float64{"planned": {5, 115, 5}, "submission": {5, 105, 205}} {
		var v VM
		v.reset(Long, 4, nil, &Slicing{ReplanOrder: order})
		u := &Unit{holds: []hold{{2, 10}}}
		v.Units = []*Unit{u}
		v.planStarted(&v.Plan, 0)
		for i, c := range []struct {
			nodes  int
			length float64
		}{{3, 100}, {4, 100}, {1, 110}} {
			j := &Job{Job: simtest.NewJob(sim.JobSpec{}, int64(i)), Nodes: c.nodes, Length: c.length}
			v.place(j, 0)
			v.Waiting = append(v.Waiting, j)
		}
		starts := func() (s []float64) {
			for _, j := range v.Waiting {
				s = append(s, j.Start)
			}
			return s
		}
		if got := starts(); !slices.Equal(got, []float64{10, 110, 0}) {
			t.Fatalf("planned for %v s at first", got)
		}
		u.holds[0].end = 5
		if v.replan(5); !slices.Equal(starts(), want) {
			t.Errorf("%s: planned for %v s, want %v", order, starts(), want)
		}
	}
}

// TestPlannedOrder: starts come in order. Starts that differ only by rounding come in the order of submission.
func TestPlannedOrder(t *testing.T) {
	var v VM
	for i, start := range []float64{20, 10 + .9e-6, 10, 5, 10 + 1.8e-6, 10 + 4e-6} {
		v.Waiting = append(v.Waiting, &Job{Job: simtest.NewJob(sim.JobSpec{}, int64(i)), Start: start})
	}
	var got []int64
	for _, j := range v.InPlannedOrder() {
		got = append(got, j.Seq())
	}
	if want := []int64{3, 1, 2, 4, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("jobs in the order %v, want %v", got, want)
	}
	if v.Waiting[0].Seq() != 0 {
		t.Error("the queue itself was sorted")
	}
}

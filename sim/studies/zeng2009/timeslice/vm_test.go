package timeslice

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
)

// TestRealAgainstSeconds walks through the slices in steps of an eighth of a
// second.
func TestRealAgainstSeconds(t *testing.T) {
	const step = .125
	rapid.Check(t, func(t *rapid.T) {
		p := Slicing{Interval: 40, MediumShare: .25, Overhead: 2}
		c := Medium + Class(rapid.IntRange(0, 1).Draw(t, "class"))
		now := step * float64(rapid.IntRange(0, 1000).Draw(t, "now"))
		x := step * float64(rapid.IntRange(1, 1000).Draw(t, "x"))
		got, want, left := p.Real(c, now, x), now, x
		for left > 0 {
			at := math.Mod(want, 40)
			if c == Medium && at >= 2 && at < 10 || c == Long && at >= 12 {
				left -= step
			}
			want += step
		}
		if got != want {
			t.Fatalf("%v s of %s jobs from %v on end at %v, want %v", x, c, now, got, want)
		}
		if end := p.Real(c, now, math.Inf(1)); !math.IsInf(end, 1) {
			t.Fatalf("all time of %s jobs from %v on ends at %v", c, now, end)
		}
	})
}

// TestRealAtTheEndOfASlice: what lasts exactly until the end of a slice does so with a rounding error, too. From 0 s on,
// medium jobs have from 2 to 10 s of each 40 s.
func TestRealAtTheEndOfASlice(t *testing.T) {
	p := Slicing{Interval: 40, MediumShare: .25, Overhead: 2}
	for _, c := range []struct{ x, want float64 }{{8, 10}, {16, 50}, {24, 90}} {
		for _, rounding := range []float64{-1e-9, 0, 1e-9} {
			if got := p.Real(Medium, 0, c.x+rounding); !(math.Abs(got-c.want) <= 1e-8) {
				t.Errorf("%v s end at %v, want %v", c.x+rounding, got, c.want)
			}
		}
	}
}

// TestLeastWithoutRounding: a plan of 4 nodes has what an ended job holds until 1e-9 s from now, and a reservation that
// begins 1e-9 s before an interval of 10 s ends. Neither takes a node from the interval. The reservation of the
// waiting job itself, of 3 nodes, does not count either.
func TestLeastWithoutRounding(t *testing.T) {
	var v VM
	v.Plan.Reset(4, 0)
	v.Plan.Reserve(0, 100+1e-9, 2)
	v.Plan.Reserve(110-1e-9, 120, 4)
	j := &Job{Start: 103, Length: 5, Nodes: 3}
	v.Plan.Reserve(103, 108, 3)
	if got := v.LeastWithout(j, 100, 110); got != 4 {
		t.Errorf("%d nodes are free, want 4", got)
	}
}

// kept checks after each pass that the plan is the sum of what it was made of.
type kept struct {
	*Scheduler
	t *rapid.T
}

func (k kept) Pass(s *sim.State) {
	k.Scheduler.Pass(s)
	for c := range k.vms {
		v := &k.vms[c]
		t := v.Now(s.Now())
		v.Tidy(t)
		var again flat
		again.reset(v.nodes, t)
		for _, u := range v.Units {
			for _, h := range u.holds {
				again.add(t, h.end, -h.n)
			}
		}
		for _, j := range v.Waiting {
			again.add(j.Start, j.Start+j.Length, -j.Nodes)
		}
		// Rounding leaves slivers around the breakpoints of either.
		for i, from := range again.at {
			to := math.Inf(1)
			if i+1 < len(again.at) {
				to = again.at[i+1]
			}
			if to-from < 1e-3 {
				continue
			}
			x := from + min(1, (to-from)/2)
			if got := v.Plan.Least(x, x); got != int(again.free[i]) {
				k.t.Fatalf("at %v s of %s jobs %d nodes are free by the kept plan, %d by its parts", x, v.Class, got, again.free[i])
			}
		}
	}
}

// TestKeptPlan: the plan that is changed with every event agrees with one made of the running and waiting jobs, also
// where classes help each other out.
func TestKeptPlan(t *testing.T) {
	pl, err := sim.NewPlatform("cluster", []sim.Cluster{{Name: "c", Nodes: 6, Cores: 4, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := DefaultSlicing
		p.Interval, p.MediumShare, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit = 100, .4, 20, 10, 10, 50
		p.Yield = rapid.Bool().Draw(t, "yield")
		jobs := make([]sim.JobSpec, rapid.IntRange(1, 40).Draw(t, "jobs"))
		submit := 0.0
		for i := range jobs {
			submit += max(0, rapid.Float64Range(-30, 60).Draw(t, "gap"))
			run := rapid.Float64Range(1, 90).Draw(t, "run")
			jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run,
				Procs: int32(rapid.IntRange(1, 24).Draw(t, "procs"))}
		}
		var e sim.Engine
		src := simtest.List(jobs)
		_, err := e.Run(context.Background(), sim.Config{Platform: pl, Source: &src, Policy: kept{New(p), t},
			Progress: coscheduling.New(coscheduling.Params{})})
		if err != nil {
			t.Fatal(err)
		}
	})
}

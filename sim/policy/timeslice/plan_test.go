package timeslice

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestPlanAgainstArray compares the plan with an array of seconds.
func TestPlanAgainstArray(t *testing.T) {
	const total, span = 8, 60
	rapid.Check(t, func(t *rapid.T) {
		var p Plan
		p.Reset(total, 0)
		var free [span]int
		for i := range free {
			free[i] = total
		}
		from := 0
		fits := func(s, n, d, asFree int) bool {
			for k := s; k < min(s+d, span); k++ {
				if k < asFree && free[k] < n {
					return false
				}
			}
			return true
		}
		earliest := func(from, n, d, limit int) int {
			for s := from; ; s++ {
				if s >= limit || fits(s, n, d, limit) {
					return s
				}
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			n, d := rapid.IntRange(1, total).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				s := earliest(from, n, d, span)
				if got := p.Earliest(float64(from), n, float64(d)); got != float64(s) {
					t.Fatalf("%d nodes for %d s from %d: earliest %v, want %d", n, d, from, got, s)
				}
				if s+d < span {
					p.Add(float64(s), float64(s+d), -n)
					for k := s; k < s+d; k++ {
						free[k] -= n
					}
				}
			case 1:
				limit := rapid.IntRange(from, span-1).Draw(t, "limit")
				want := earliest(from, n, d, limit)
				got, _ := p.search(float64(from), float64(limit), n, float64(d))
				if ok := got < float64(limit); ok != (want < limit) || ok && got != float64(want) {
					t.Fatalf("%d nodes for %d s on [%d, %d): got %v, want %d", n, d, from, limit, got, want)
				}
			case 2:
				least := total
				for k := from; k < min(from+d, span); k++ {
					least = min(least, free[k])
				}
				if got := p.Least(float64(from), float64(from+d)); got != least {
					t.Fatalf("least on [%d, %d): %d, want %d", from, from+d, got, least)
				}
			case 3:
				from = min(from+rapid.IntRange(0, 5).Draw(t, "cut"), span/2)
				p.Cut(float64(from))
			}
		}
	})
}

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
		var again Plan
		v.planStarted(&again, t)
		for _, j := range v.Waiting {
			again.Add(j.Start, j.Start+j.Length, -j.Nodes)
		}
		// Rounding leaves slivers around the breakpoints of either.
		at, free := again.pieces()
		for i, from := range at {
			to := math.Inf(1)
			if i+1 < len(at) {
				to = at[i+1]
			}
			if to-from < 1e-3 {
				continue
			}
			x := from + min(1, (to-from)/2)
			if got := v.Plan.Least(x, x); got != int(free[i]) {
				k.t.Fatalf("at %v s of %s jobs %d nodes are free by the kept plan, %d by its parts", x, v.Class, got, free[i])
			}
		}
	}
}

// TestKeptPlan: the plan that is changed with every event agrees with one made
// of what runs and waits, also where classes help each other out.
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
			jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run, Procs: int32(rapid.IntRange(1, 24).Draw(t, "procs"))}
		}
		var e sim.Engine
		src := simtest.List(jobs)
		_, err := e.Run(context.Background(), sim.Config{Platform: pl, Source: &src, Policy: kept{New(p), t}, Progress: progress.NewCoscheduling(progress.CoschedulingParams{})})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 150
		var s, taken Set
		s, taken = s.Resized(n), taken.Resized(n)
		in := map[int]bool{}
		for _, k := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "nodes") {
			s.Add(k)
			in[k] = true
		}
		if s.Len() != len(in) {
			t.Fatalf("%d nodes, want %d", s.Len(), len(in))
		}
		k := rapid.IntRange(0, len(in)).Draw(t, "take")
		s.TakeLowest(k, taken)
		if taken.Len() != k || s.Len() != len(in)-k || s.Meets(taken) {
			t.Fatalf("took %d and left %d of %d nodes", taken.Len(), s.Len(), len(in))
		}
		highest := -1
		taken.Each(func(node int) bool { highest = node; return in[node] })
		s.Each(func(node int) bool {
			if !in[node] || node < highest {
				t.Fatalf("node %d was left and %d was taken", node, highest)
			}
			return true
		})
	})
}

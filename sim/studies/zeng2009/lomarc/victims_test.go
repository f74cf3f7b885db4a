package lomarc

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// long compares, after each pass, what the policy knows of groups by the last victim
// with what it would find the long way.
type long struct {
	*Policy
	t     *rapid.T
	quick *int // number of groups that the last victim alone showed to be unfair
}

func (l long) Pass(s *sim.State) {
	l.Policy.Pass(s)
	now := s.Now()
	for c := timeslice.Medium; c <= timeslice.Long; c++ {
		v := l.VM(c)
		t := v.Now(now)
		v.Tidy(t)
		l.survey(v, t)
		for _, p := range v.Waiting[:min(len(v.Waiting), 40)] {
			primary := l.waitingMember(p)
			for _, w := range v.Waiting {
				if m := l.waitingMember(w); w != p && l.suits(&primary, &m) {
					l.judge(v, &group{primary: primary, matched: []member{m}, nodes: m.nodes, outcome: play(&primary, []member{m})}, now, t)
				}
			}
		}
	}
}

// judge asks each waiting job in turn, as if it were the last victim.
func (l long) judge(v *timeslice.VM, g *group, now, t float64) {
	defer func(was victim) { l.victims[v.Class] = was }(l.victims[v.Class])
	l.hold(g, t)
	unfair := l.wronged(g, now, t) != nil
	for _, j := range v.Waiting {
		l.victims[v.Class] = victim{j, j.Seq()}
		if !l.crowdsOut(v, g, now, t) {
			continue
		}
		if *l.quick++; !unfair {
			l.t.Fatalf("at %g s a group of job %d is refused for job %d, though it is fair", now, g.primary.job.ID(), j.ID())
		}
	}
}

// drawQueue draws parameters under which groups are formed and refused, and jobs with slowdowns. The number of jobs is one of
// sizes.
func drawQueue(t *rapid.T, sizes []int) (Params, []sim.JobSpec) {
	p := Defaults
	p.BlockSize, p.MinGain, p.MatchedLonger, p.Slack = 3, .2, 50, rapid.Float64Range(.8, 2).Draw(t, "slack")
	p.Interval, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit = 100, 20, 5, 10, 60
	jobs := make([]sim.JobSpec, rapid.SampledFrom(sizes).Draw(t, "jobs"))
	submit := 0.0
	for i := range jobs {
		submit += max(0, rapid.Float64Range(-8, 16).Draw(t, "gap"))
		run := rapid.Float64Range(5, 150).Draw(t, "run")
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run, Procs: int32(rapid.IntRange(1, 36).Draw(t, "procs")),
			Traits: slowdowns.Slowdowns{Node: rapid.Float64Range(.9, 1.4).Draw(t, "node"), Core: rapid.Float64Range(1, 1.7).Draw(t, "core"),
				Key: rapid.Uint64().Draw(t, "key")}.Traits()}
	}
	return p, jobs
}

// TestVictims: a group that is refused for the sake of the last victim would be refused
// by a plan as well.
func TestVictims(t *testing.T) {
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		params, jobs := drawQueue(t, []int{1, 5, 20, 40})
		params.Variant = rapid.SampledFrom([]string{"glts", "cst", "nh", "ns"}).Draw(t, "variant")
		var e sim.Engine
		_, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 9, 4), Policy: long{New(params), t, &quick},
			Progress: coscheduling.New(coscheduling.Params{}), Source: simtest.Source(jobs), MaxEvents: 100000})
		if err != nil {
			t.Fatal(err)
		}
	})
	if quick == 0 {
		t.Error("no shortcut was taken")
	}
}

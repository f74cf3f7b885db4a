package coscheduling

import (
	"context"
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// placing starts and preempts jobs by a list of deeds.
type placing struct {
	jobs  map[int64]*sim.Job
	deeds []deed
}

type deed struct {
	at  float64
	job int64
	on  []sim.Span // nil: preempt it if it runs, resume it if it is suspended
}

func (p *placing) Reset(s *sim.State) error {
	p.jobs = map[int64]*sim.Job{}
	s.TrackProcs()
	for _, d := range p.deeds {
		s.WakeAt(d.at)
	}
	return nil
}
func (p *placing) Submitted(_ *sim.State, j *sim.Job) { p.jobs[j.ID()] = j }
func (p *placing) Ended(*sim.State, *sim.Job)         {}
func (p *placing) Pass(s *sim.State) {
	for _, d := range p.deeds {
		switch j := p.jobs[d.job]; {
		case d.at != s.Now():
		case d.on != nil && j.State() == sim.Waiting:
			s.StartOn(j, d.on)
		case d.on == nil && j.State() == sim.Running:
			s.Preempt(j)
		case d.on == nil && j.State() == sim.Suspended:
			s.Resume(j)
		}
	}
}

// TestCoscheduling plays jobs on nodes of 4 cores. Jobs 1 and 2 have two processes a node. Job 1 is 1.1 times slower by its own
// processes, job 2 .95 times. Let a be the slowdown of job 1 beside job 2, and b that of job 2 beside job 1. For the product f
// is 1.1*a and g is .95*b. For cos alone f is a and g is b.
func TestCoscheduling(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 100, Walltime: 100, Procs: 4, Traits: slowdowns.Slowdowns{Node: 1.1, Core: 1.3, Key: 11}.Traits()},
		{ID: 2, RunTime: 40, Walltime: 40, Procs: 2, Traits: slowdowns.Slowdowns{Node: .95, Core: 1.2, Key: 22}.Traits()},
		{ID: 3, RunTime: 50, Walltime: 50, Procs: 4, Traits: slowdowns.Slowdowns{Node: 1.1, Core: 1.3, Key: 33}.Traits()},
		{ID: 4, RunTime: 50, Walltime: 50, Procs: 3, Traits: slowdowns.Slowdowns{Node: 1.1, Core: 1.3, Key: 44}.Traits()},
		{ID: 5, RunTime: 50, Walltime: 50, Procs: 1, Traits: slowdowns.Slowdowns{Node: 1.3, Core: 1.3, Key: 55}.Traits()},
	}
	a, b := slowdowns.FromTraits(specs[0].Traits).Beside(slowdowns.FromTraits(specs[1].Traits)),
		slowdowns.FromTraits(specs[1].Traits).Beside(slowdowns.FromTraits(specs[0].Traits))
	if a == b || a < 1 || a >= 1.8 || b < 1 || b >= 1.8 {
		t.Fatalf("coscheduling slowdowns %v and %v", a, b)
	}
	for _, mode := range []string{"product", "cos"} {
		f, g := 1.1*a, .95*b
		if mode == "cos" {
			f, g = a, b
		}
		want := simtest.Ends{
			// Alone until 10 s; beside job 2 until that is preempted at 20 s; alone
			// until it comes back at 30 s; beside it until it ends. Job 2 has done 10/g
			// until 20 s, and does the other 40 - 10/g from 30 s on.
			2: 30 + (40-10/g)*g,
			// All four processes on one node: 50 * 1.1 * 1.3. Three count as four.
			3: 50 * 1.1 * 1.3,
			4: 50 * 1.1 * 1.3,
			// One process has no company of its own.
			5: 50,
		}
		done := 10/1.1 + 10/f + 10/1.1 + (want[2]-30)/f
		want[1] = want[2] + (100-done)*1.1
		p, err := sim.NewPlatform("nodes", []sim.Cluster{{Nodes: 6, Cores: 4, Speed: 1}}, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		policy := &placing{deeds: []deed{
			{0, 1, []sim.Span{{Lo: 0, Hi: 1}, {Lo: 4, Hi: 5}}}, {10, 2, []sim.Span{{Lo: 6, Hi: 7}}}, {20, 2, nil}, {30, 2, nil},
			{0, 3, []sim.Span{{Lo: 8, Hi: 11}}}, {0, 4, []sim.Span{{Lo: 13, Hi: 15}}}, {0, 5, []sim.Span{{Lo: 16, Hi: 16}}},
		}}
		got, books := simtest.Ends{}, audit.New(p)
		var e sim.Engine
		src := simtest.List(specs)
		if _, err := e.Run(context.Background(), sim.Config{Platform: p, Source: &src, Policy: policy,
			Progress: New(Params{GroupSlowdown: mode}), Observers: []sim.Observer{simtest.Watch(got), books}}); err != nil {
			t.Fatal(err)
		}
		if err := books.Verdict(true); err != nil {
			t.Error(err)
		}
		for id, w := range want {
			if !(math.Abs(got[id]-w) <= 1e-9*w) {
				t.Errorf("%s: job %d ends at %v s, want %v", mode, id, got[id], w)
			}
		}
	}
}

// The largest of several neighbours' slowdowns counts, also where they stand on
// different nodes of the job.
func TestWorstNeighbourCounts(t *testing.T) {
	specs := []sim.JobSpec{
		{ID: 1, RunTime: 100, Walltime: 100, Procs: 2, Traits: slowdowns.Slowdowns{Key: 1}.Traits()},
		{ID: 2, RunTime: 1000, Walltime: 1000, Procs: 1, Traits: slowdowns.Slowdowns{Key: 2}.Traits()},
		{ID: 3, RunTime: 1000, Walltime: 1000, Procs: 1, Traits: slowdowns.Slowdowns{Key: 3}.Traits()},
	}
	p, err := sim.NewPlatform("nodes", []sim.Cluster{{Nodes: 2, Cores: 2, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	one := slowdowns.FromTraits(specs[0].Traits)
	want := 100 * max(one.Beside(slowdowns.FromTraits(specs[1].Traits)), one.Beside(slowdowns.FromTraits(specs[2].Traits)))
	policy := &placing{deeds: []deed{{0, 1, []sim.Span{{Lo: 0, Hi: 0}, {Lo: 2, Hi: 2}}}, {0, 2, []sim.Span{{Lo: 1, Hi: 1}}},
		{0, 3, []sim.Span{{Lo: 3, Hi: 3}}}}}
	got := simtest.Ends{}
	var e sim.Engine
	src := simtest.List(specs)
	if _, err := e.Run(context.Background(), sim.Config{Platform: p, Source: &src, Policy: policy,
		Progress: New(Params{}), Observers: []sim.Observer{simtest.Watch(got)}}); err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(got[1]-want) <= 1e-9) {
		t.Errorf("job 1 ends at %v s, want %v", got[1], want)
	}
}

func TestCoschedulingRefuses(t *testing.T) {
	cluster := sim.Cluster{Nodes: 2, Cores: 2, Speed: 1}
	for _, c := range []struct {
		clusters []sim.Cluster
		kill     bool
		want     string
	}{
		{[]sim.Cluster{cluster}, false, ""},
		{[]sim.Cluster{cluster, cluster}, false, "needs a platform of one cluster"},
		{[]sim.Cluster{cluster}, true, "engine.at_walltime: continue"},
	} {
		p, err := sim.NewPlatform("p", c.clusters, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		var e sim.Engine
		err = e.Check(sim.Config{Platform: p, Policy: &placing{}, Progress: New(Params{}), KillAtWalltime: c.kill})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d clusters, kill %v: error %v, want %q", len(c.clusters), c.kill, err, c.want)
		}
	}
}

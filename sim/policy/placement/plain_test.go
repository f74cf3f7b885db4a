package placement

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// plain is Conservative once more: no profile, only a list of who holds what
// from when to when, and every question answered by walking over it.
type plain struct {
	name        string
	size, total int
	strict      bool
	held        []*holding // in order of submission
	fresh       []*sim.Job
	ended       bool
	early       bool
}

type holding struct {
	job        *sim.Job
	start, end float64
	procs      []int
	runs       bool
}

func (p *plain) Reset(s *sim.State) error {
	s.TrackProcs()
	*p = plain{name: p.name, size: s.Platform().Clusters[0].Procs(), total: s.Platform().Procs(), strict: s.Order().Name == "cbf2015"}
	return nil
}

func (p *plain) Submitted(_ *sim.State, j *sim.Job) { p.fresh = append(p.fresh, j) }

func (p *plain) Ended(s *sim.State, j *sim.Job) {
	p.ended = true
	p.held = slices.DeleteFunc(p.held, func(h *holding) bool {
		p.early = p.early || h.job == j && h.end > s.Now()
		return h.job == j
	})
}

// free lists who is free all the time from a to b, not counting what but holds.
func (p *plain) free(a, b float64, but *holding) []int {
	var free []int
	for q := range p.total {
		if !slices.ContainsFunc(p.held, func(h *holding) bool {
			return h != but && h.start < b && h.end > a && slices.Contains(h.procs, q)
		}) {
			free = append(free, q)
		}
	}
	return free
}

// try puts h at time t if there is room.
func (p *plain) try(h *holding, t float64) bool {
	free := p.free(t, t+h.job.Walltime(), h)
	if len(free) < int(h.job.Procs()) {
		return false
	}
	procs, ok := plainChoice(p.name, free, int(h.job.Procs()), p.size)
	if ok {
		h.start, h.end, h.procs = t, t+h.job.Walltime(), procs
	}
	return ok
}

// place puts h at its earliest place.
func (p *plain) place(h *holding, now float64) {
	times := []float64{now}
	for _, o := range p.held {
		if o != h {
			times = append(times, max(o.start, now), max(o.end, now))
		}
	}
	slices.Sort(times)
	for _, t := range times {
		if p.strict {
			// Until when are as many free at each single moment?
			room := math.Inf(1)
			for _, u := range times {
				if u >= t && len(p.free(u, math.Nextafter(u, math.Inf(1)), h)) < int(h.job.Procs()) {
					room = u
					break
				}
			}
			if !(room-t > h.job.Walltime()) {
				continue
			}
		}
		if p.try(h, t) {
			return
		}
	}
	panic("no place")
}

func (p *plain) Pass(s *sim.State) {
	now := s.Now()
	for _, h := range p.held {
		switch {
		case h.runs:
		case p.strict && p.ended:
			if len(p.free(now, math.Nextafter(now, math.Inf(1)), nil)) >= int(h.job.Procs()) {
				p.try(h, now)
			}
		case !p.strict && p.early:
			p.place(h, now)
		}
	}
	p.ended, p.early = false, false
	for _, j := range p.fresh {
		h := &holding{job: j}
		p.place(h, now)
		p.held = append(p.held, h)
	}
	p.fresh = nil
	next := math.Inf(1)
	for _, h := range p.held {
		there := func(o *holding) bool {
			return o.runs && slices.ContainsFunc(o.procs, func(q int) bool { return slices.Contains(h.procs, q) })
		}
		if !h.runs && h.start <= now && !slices.ContainsFunc(p.held, there) {
			var spans []sim.Span
			for _, q := range h.procs {
				spans = append(spans, sim.Span{Lo: int32(q), Hi: int32(q)})
			}
			h.runs = true
			s.StartOn(h.job, spans)
		} else if !h.runs && h.start > now {
			next = min(next, h.start)
		}
	}
	if !math.IsInf(next, 1) {
		s.WakeAt(next)
	}
}

// record writes down who ran when and where.
type record struct{ lines []string }

func (r *record) Submitted(*sim.View, *sim.Job) {}
func (r *record) Started(*sim.View, *sim.Job)   {}
func (r *record) Ended(_ *sim.View, j *sim.Job) {
	var procs []int
	for _, sp := range j.Alloc().Procs {
		for q := sp.Lo; q <= sp.Hi; q++ {
			procs = append(procs, int(q))
		}
	}
	r.lines = append(r.lines, fmt.Sprintf("%d: %g-%g %v", j.ID(), j.Start(), j.Finish(), procs))
}

func TestConservativeEqualsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters, size := rapid.IntRange(1, 4).Draw(t, "clusters"), rapid.SampledFrom([]int{1, 2, 3, 4, 17}).Draw(t, "size")
		cs := make([]sim.Cluster, clusters)
		for i := range cs {
			cs[i] = sim.Cluster{Nodes: size, Cores: 1, Speed: 1}
		}
		platform, err := sim.NewPlatform("drawn", cs, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		specs := make([]sim.JobSpec, rapid.IntRange(1, 20).Draw(t, "jobs"))
		at := 0
		for i := range specs {
			at += rapid.SampledFrom([]int{0, 0, 0, 1, 3, 10}).Draw(t, "gap")
			run := rapid.IntRange(0, 20).Draw(t, "run")
			// Some run to their walltime's end, some to be killed at it.
			wall := max(1, run+rapid.SampledFrom([]int{-2, 0, 0, 1, 5, 60, 1000}).Draw(t, "over"))
			specs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: float64(run), Walltime: float64(wall), Procs: int32(rapid.IntRange(1, platform.Procs()).Draw(t, "procs"))}
		}
		name := rapid.SampledFrom(Names).Draw(t, "placement")
		fast, err := New(name, sim.RulesOfOrder)
		if err != nil {
			t.Fatal(err)
		}
		order := rapid.SampledFrom(sim.EventOrders).Draw(t, "order")
		var lines [2][]string
		for i, policy := range []sim.Policy{fast, &plain{name: name}} {
			var e sim.Engine
			var r record
			if _, err := e.Run(context.Background(), sim.Config{Platform: platform, Source: simtest.Source(specs), Policy: policy, Progress: progress.Isolated{},
				Order: order, KillAtWalltime: true, Observers: []sim.Observer{simtest.Watch(&r)}, MaxEvents: 10_000}); err != nil {
				t.Fatalf("%T: %v", policy, err)
			}
			lines[i] = r.lines
		}
		if !slices.Equal(lines[0], lines[1]) {
			t.Fatalf("%s in order %s:\n%q, plainly\n%q", name, order.Name, lines[0], lines[1])
		}
	})
}

// TestOverrunsAreSurvived lets many jobs outlast their walltimes: everybody
// must run all the same, and the engine sees to it that nobody shares.
func TestOverrunsAreSurvived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		platform := machineOf(t, 3, 4)
		specs := make([]sim.JobSpec, rapid.IntRange(1, 20).Draw(t, "jobs"))
		at := 0
		for i := range specs {
			at += rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "gap")
			specs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: float64(rapid.IntRange(0, 30).Draw(t, "run")),
				Walltime: float64(rapid.IntRange(1, 30).Draw(t, "walltime")), Procs: int32(rapid.IntRange(1, 12).Draw(t, "procs"))}
		}
		policy, err := New(rapid.SampledFrom(Names).Draw(t, "placement"), sim.RulesOfOrder)
		if err != nil {
			t.Fatal(err)
		}
		var e sim.Engine
		res, err := e.Run(context.Background(), sim.Config{Platform: platform, Source: simtest.Source(specs), Policy: policy, Progress: progress.Isolated{},
			Order: rapid.SampledFrom(sim.EventOrders).Draw(t, "order"), MaxEvents: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		if res.Finished != int64(len(specs)) {
			t.Fatalf("%d of %d jobs finished", res.Finished, len(specs))
		}
	})
}

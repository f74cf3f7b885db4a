package backfill

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// A plan on a machine that switches idle nodes off ([sim.SwitchOff]) knows from when on each node can be had. A node that is off can be had
// after its boot, and one that shuts down after that. A place on such nodes starts when they are on. The plan boots a node as late as the
// start of the first place on it allows, and has the engine leave nodes on that a place needs before they could be on again.

// mayDarken refuses plans that do not know nodes that are off.
func (p *Backfill) mayDarken(s *sim.State) error {
	if !s.Switches() {
		return nil
	}
	if s.Requests() {
		return errors.New("jobs that request memory, GPUs, features or licences, or span classes, go with nodes that are always on: drop " +
			"platform.off, or the requests")
	}
	for _, m := range p.members {
		if _, cycles := m.(*Cycles); cycles {
			return errors.New("policy.planning goes with nodes that are always on: drop platform.off, or policy.planning")
		}
	}
	return nil
}

// PowerChanged tells the members.
func (p *Backfill) PowerChanged(s *sim.State) {
	for i, m := range p.members {
		m.(darkened).darken(s)
		if p.of != nil {
			p.news[i] = true
		}
	}
}

// Spare asks the member that plans the class.
func (p *Backfill) Spare(s *sim.State, class int, until float64) []sim.Span {
	for _, m := range p.members {
		if spare, plans := m.(darkened).planned().spare(s, class, until); plans {
			return spare
		}
	}
	return []sim.Span{{Lo: 0, Hi: int32(s.Platform().Procs()) - 1}} // it is in no partition
}

// darkened is a member that knows nodes that are off.
type darkened interface {
	darken(s *sim.State)
	planned() *Plan
}

func (p *EasyHeads) planned() *Plan    { return &p.plan }
func (p *Conservative) planned() *Plan { return &p.plan }

// darken has the next pass choose reservations anew.
func (p *EasyHeads) darken(s *sim.State) {
	p.plan.darken(s)
	p.news = true
}

// darken has the plan keep off other nodes. Places stay where they are.
func (p *Conservative) darken(s *sim.State) {
	p.plan.darken(s)
	p.news = true
}

// darken has the plan keep off the nodes that are not on now until they can be.
func (p *Plan) darken(s *sim.State) {
	p.dim, p.boots = false, 0
	for i := range p.parts {
		p.parts[i].closed = p.parts[i].closed[:0]
	}
	for d := range s.Dark() {
		for i := range p.parts {
			q := &p.parts[i]
			if !sim.Overlap(d.Procs, q.procs(s.Platform())) {
				continue
			}
			p.dim, p.boots = true, max(p.boots, d.Boot)
			q.closed = append(q.closed, placement.Closed{From: math.Inf(-1), Until: d.From, Set: q.sets.Of(d.Procs), Dark: true, Off: d.Off,
				Goes: d.Goes, Boot: d.Boot})
		}
	}
	for i := range p.parts {
		q := &p.parts[i]
		q.sets.Close(q.closed)
	}
}

// dusk brings the times up to date at which nodes that are off can be had, at the begin of a pass.
func (p *Plan) dusk(now float64) {
	for i := range p.parts {
		for k := range p.parts[i].closed {
			if c := &p.parts[i].closed[k]; c.Off {
				c.Until = now + c.Boot
			}
		}
	}
}

// spare returns the processors of a class that no place holds until a time, and reports whether the plan is about the class.
func (p *Plan) spare(s *sim.State, class int, until float64) (spare []sim.Span, plans bool) {
	for i := range p.parts {
		if q := &p.parts[i]; q.class < 0 || q.class == class {
			q.cut(s.Now())
			return q.chosen().Spare(nil, until), true
		}
	}
	return nil, false
}

// boot boots the nodes of the place of j that have to, and returns when to ask again.
func (p *Plan) boot(s *sim.State, j *sim.Job, start float64) float64 {
	return s.Boot(p.part(j).chosen().Procs(j), start)
}

// wake asks for a pass at a time after now, for a boot.
func (p *Plan) wake(s *sim.State, alarm *alarm, t float64) {
	if t = max(t, math.Nextafter(s.Now(), math.Inf(1))); t != p.bootAt && t < math.Inf(1) {
		p.bootAt = t
		alarm.at(s, t)
	}
}

// retake takes the place of a waiting job again in a plan that was made anew.
func (p *Plan) retake(j *sim.Job, start, now float64) {
	p.part(j).sets.Hold(j.Slot(), max(start, now), start+j.Walltime())
}

// call gives j, which cannot start now, its earliest place for good, if there it waits for boots alone, and reports whether it does.
func (p *EasyHeads) call(s *sim.State, j *sim.Job) bool {
	if !p.plan.mayWait(j, s.Now()) {
		return false
	}
	start := p.plan.Place(j, s.Now())
	if !p.plan.part(j).chosen().Waits(j) {
		p.plan.Withdraw(j, start)
		return false
	}
	p.waiting[j.Partition()]--
	p.called = append(p.called, head{j, start})
	return true
}

// mayWait reports whether the earliest place of j may be one where it waits for boots alone.
func (p *Plan) mayWait(j *sim.Job, now float64) bool {
	if p.tries == nil {
		return p.parts[0].chosen().MayWait(j, now)
	}
	return slices.ContainsFunc(p.tries[j.Partition()], func(i int32) bool {
		q := &p.parts[i]
		return int(q.need(j)) <= q.size() && q.chosen().MayWait(j, now)
	})
}

func (p *EasyHeads) isCalled(j *sim.Job) bool {
	return slices.ContainsFunc(p.called, func(h head) bool { return h.job == j })
}

// startCalled starts jobs whose nodes are on.
func (p *EasyHeads) startCalled(s *sim.State) {
	p.called = slices.DeleteFunc(p.called, func(h head) bool {
		switch {
		case h.start > s.Now():
			return false
		case p.queue.holds(s, h.job):
			p.plan.Withdraw(h.job, h.start)
			p.news = true
			return true
		}
		return p.start(s, h.job)
	})
}

// boot boots nodes for reservations.
func (p *EasyHeads) boot(s *sim.State) {
	if !p.plan.dim {
		return
	}
	again := math.Inf(1)
	for _, h := range slices.Concat(p.heads, p.called) {
		if h.job != nil {
			again = min(again, p.plan.boot(s, h.job, h.start))
		}
	}
	p.plan.wake(s, p.alarm, again)
}

// boot boots nodes for places that start soon.
func (p *Conservative) boot(s *sim.State) {
	if !p.plan.dim {
		return
	}
	soon, next := p.starts.due(s.Now(), p.plan.boots, nil)
	again := next - p.plan.boots
	for _, j := range soon {
		again = min(again, p.plan.boot(s, j, p.starts.of(j)))
	}
	p.plan.wake(s, p.alarm, again)
}

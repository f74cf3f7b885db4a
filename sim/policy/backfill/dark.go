package backfill

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// A plan on a machine that switches idle nodes off ([power.SwitchOff]) knows from when on each node is available. A
// node that is off is available after its boot. A node that shuts down is available after shutdown and boot. A place
// on such nodes starts when they are on. The plan boots a node as late as the start of the first place on it allows.
// A node stays on if a place needs it by the time at which it could be on again, and if a job waits for it whose place has begun.

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
		if d, ok := m.(darkened); ok && d.planned().eligible != nil && (d.planned().watts != nil || s.Platform().SwitchingVaries()) {
			return errors.New("sessions go with a cap, or with nodes that are switched off, and not with both, nor with times of boots that " +
				"vary: drop policy.sessions, platform.off, the cap, or the law of boots and shutdowns")
		}
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
		p.news[i] = true
	}
}

// boot has the members boot nodes that have passed at this instant: after the last pass, as limits may take a reservation back before.
func (p *Backfill) boot(s *sim.State) {
	for _, m := range p.members {
		m.(darkened).boot(s)
	}
}

// Spare asks the member that plans the class. Nodes stay on whose job waits for them now: all nodes of its place, until it starts.
func (p *Backfill) Spare(s *sim.State, class int, until float64) ([]sim.Span, int) {
	for _, m := range p.members {
		plan := m.(darkened).planned()
		if !plan.plans(class) {
			continue
		}
		procs, nodes := plan.spare(s, class, until)
		m.(darkened).begun(s.Now(), func(j *sim.Job) {
			procs = sim.Without(procs, plan.part(j).chosen().Procs(j))
		})
		return procs, nodes
	}
	return []sim.Span{{Lo: 0, Hi: int32(s.Platform().Procs()) - 1}}, p.members[0].(darkened).planned().mayShutDown(s, class)
}

// darkened is a member that knows nodes that are off.
type darkened interface {
	darken(s *sim.State)
	planned() *Plan
	boot(s *sim.State)
	begun(now float64, do func(j *sim.Job)) // visits waiting jobs whose places have begun, or that wait for boots alone
}

func (p *EasyHeads) planned() *Plan    { return &p.plan }
func (p *Conservative) planned() *Plan { return &p.plan }

// darken has the next pass choose reservations anew.
func (p *EasyHeads) darken(s *sim.State) {
	p.plan.darken(s)
	p.news = true
}

// darken has the plan keep off other nodes. Places stay where they are, but under a cap the pass moves jobs forward: it planned power for
// boots that are not necessary once a node is on, or has begun to boot for another job. Where the times of boots vary, the pass makes the
// whole plan anew when nodes have come on.
func (p *Conservative) darken(s *sim.State) {
	lit := p.plan.darken(s)
	p.news, p.learned = true, p.learned || lit && s.Platform().SwitchingVaries()
	p.early = p.early || p.plan.watts != nil
}

// darken has the plan keep off the nodes that are not on now until they can be. It reports whether some have come on.
func (p *Plan) darken(s *sim.State) (lit bool) {
	before := p.dark
	p.dim, p.boots, p.dark = false, 0, 0
	for i := range p.parts {
		q := &p.parts[i]
		q.closed, q.before, q.same = q.before[:0], q.closed, 0
	}
	for d := range s.Dark() {
		for _, sp := range d.Procs {
			p.dark += sp.Len()
		}
		for i := range p.parts {
			q := &p.parts[i]
			if q.class >= 0 && q.class != d.Class {
				continue
			}
			p.dim, p.boots = true, max(p.boots, d.Boot)
			c := placement.Closed{From: math.Inf(-1), Until: d.From, Procs: d.Procs, Dark: true, Off: d.Off, Goes: d.Goes, Moves: d.Moves,
				Boot: d.Boot}
			for k := q.same; k < len(q.before); k++ { // both lists have the same order, and nodes on the way stay the same
				if o := &q.before[k]; o.Off == d.Off && (d.Off || &o.Procs[0] == &d.Procs[0]) {
					c.Set, c.Made, q.same = o.Set, !d.Off, k+1
					break
				}
			}
			q.closed = append(q.closed, c)
		}
	}
	for i := range p.parts {
		q := &p.parts[i]
		q.sets.Close(q.closed)
	}
	if p.watts != nil {
		p.watts.use.Cut(s.Now())
		p.watts.darken(p, s)
	}
	return p.dark < before
}

// dusk updates, at the begin of a pass, the times from which nodes that are off are available.
func (p *Plan) dusk(now float64) {
	p.allOn = now
	for i := range p.parts {
		for k := range p.parts[i].closed {
			c := &p.parts[i].closed[k]
			if c.Moves {
				c.Until = now + c.Boot
			}
			if c.Dark {
				p.allOn = max(p.allOn, c.Until)
			}
		}
	}
}

// plans reports whether the plan is about a class.
func (p *Plan) plans(class int) bool {
	return slices.ContainsFunc(p.parts, func(q part) bool { return q.class < 0 || q.class == class })
}

// spare returns the processors of a class that no place holds up to a time, inclusive, and how many of its nodes may shut down. Under a
// cap it leaves out all that any place holds: the plan has no power to boot them again.
func (p *Plan) spare(s *sim.State, class int, until float64) ([]sim.Span, int) {
	if p.watts != nil {
		until = math.Inf(1)
	}
	nodes := p.mayShutDown(s, class)
	if nodes == 0 {
		return nil, 0
	}
	i := slices.IndexFunc(p.parts, func(q part) bool { return q.class < 0 || q.class == class })
	q := &p.parts[i]
	q.cut(s.Now())
	return q.chosen().Spare(nil, math.Nextafter(until, math.Inf(1))), nodes
}

// mayShutDown returns the number of nodes of a class that may shut down now, by the cap.
func (p *Plan) mayShutDown(s *sim.State, class int) int {
	takes := s.Platform().Clusters[class].Power.Shutdown.Time
	if p.watts == nil || p.watts.down[class] == 0 || takes == 0 {
		return math.MaxInt
	}
	p.watts.use.Cut(s.Now())
	p.watts.extend(s.Now() + takes)
	return max(0, p.watts.use.Least(s.Now(), s.Now()+takes)) / int(p.watts.down[class])
}

// boot boots the nodes of the place of j that have to, and returns when to ask again. It reports whether all of them boot or are on.
func (p *Plan) boot(s *sim.State, j *sim.Job, start float64) (again float64, lit bool) {
	if q := p.part(j).chosen(); q.Boots(j) {
		return s.Boot(q.Procs(j), start), false
	}
	return math.Inf(1), true
}

// sooner is the earlier of two times to ask again for boots. While a job is beyond its walltime (late), starts that build on its
// unknown end move on with each pass. A boot for them at the next moment is no reason for a pass: the end of that job is.
func sooner(s *sim.State, late bool, again, at float64) float64 {
	if late && at <= s.Now()+startSlack {
		return again
	}
	return min(again, at)
}

// wake asks for a pass at a time after now, for a boot.
func (p *Plan) wake(s *sim.State, alarm *alarm, t float64) {
	if t = max(t, math.Nextafter(s.Now(), math.Inf(1))); t != p.bootAt && t < math.Inf(1) {
		p.bootAt = t
		alarm.at(s, t)
	}
}

// retake takes the place of a waiting job again in a plan that was made anew.
func (p *Plan) retake(j *sim.Job, start float64) {
	p.part(j).sets.Hold(j.Slot(), start, start+j.Walltime())
	if p.watts != nil {
		p.watts.take(p.part(j), p.part(j).need(j), start, start+j.Walltime(), 1)
		q := p.part(j)
		units := times(int64(q.chosen().OffNodes(j.Slot())), p.watts.boot[q.class])
		p.watts.book(j.Slot(), surplus{start - q.on.Clusters[q.class].Power.Boot.Time, start, units})
	}
}

// call gives j, which cannot start now, its earliest place for good, if there it waits for boots alone, and reports whether it does. There
// is no room for j before a time from. If j is not called, call returns such a time for j and for larger jobs.
func (p *EasyHeads) call(s *sim.State, j *sim.Job, from float64) (_ float64, called bool) {
	in, start := int32(0), from
	if by := p.callsBy(s); by < math.Inf(1) {
		if start = p.plan.mayWait(j, s.Now(), by); math.IsInf(start, 1) {
			return start, false
		}
	}
	if in, start = p.plan.find(j, s.Now(), from); math.IsInf(start, 1) {
		return start, false
	}
	from = p.plan.least
	if q := &p.plan.parts[in]; !q.chosen().Waits(start) {
		p.plan.latest = max(p.plan.latest, start+j.Walltime())
		if at := q.chosen().NextBoot(start, s.Now()); at < math.Inf(1) {
			p.callAt = sooner(s, p.late, p.callAt, at)
		}
		return from, false
	}
	p.plan.enter(j, in, start)
	p.waiting[j.Partition()]--
	p.called = append(p.called, head{job: j, start: start})
	return start, true
}

// callsBy is a time. A job whose place starts later need not be called before the next pass: a job ends before its nodes have to boot.
func (p *EasyHeads) callsBy(s *sim.State) float64 {
	if !s.KillsAtWalltime() { // a job may not end by its walltime
		return math.Inf(1)
	}
	return p.running.First() + p.plan.boots
}

// mayWait is before when the earliest place of j does not start, if there it may wait for boots alone, or may start by a time; else +Inf.
func (p *Plan) mayWait(j *sim.Job, now, by float64) float64 {
	if p.tries == nil {
		return p.parts[0].chosen().MayWait(j, now, by)
	}
	for _, i := range p.tries[j.Partition()] {
		if q := &p.parts[i]; int(q.need(j)) <= q.size() && q.chosen().MayWait(j, now, by) < math.Inf(1) {
			return now
		}
	}
	return math.Inf(1)
}

func (p *EasyHeads) isCalled(j *sim.Job) bool {
	return slices.ContainsFunc(p.called, func(h head) bool { return h.job == j })
}

// begun visits jobs that are called, and heads whose reservations have begun: they wait for jobs beyond their walltimes.
func (p *EasyHeads) begun(now float64, do func(j *sim.Job)) {
	for _, h := range p.called {
		do(h.job)
	}
	for _, h := range p.heads {
		if h.job != nil && h.start <= now {
			do(h.job)
		}
	}
}

// begun visits jobs whose places have begun.
func (p *Conservative) begun(now float64, do func(j *sim.Job)) {
	p.due, _ = p.starts.due(now, 0, p.due[:0])
	for _, j := range p.due {
		do(j)
	}
}

// startCalled starts jobs whose nodes are on. The place of such a job may have begun before now: a job was there beyond its planned end, or
// a boot took longer than expected. Or it begins later, and all its nodes are on by now. It then begins now, so that the job keeps its
// nodes. startCalled reports whether there was such a place: the plan must be made anew.
func (p *EasyHeads) startCalled(s *sim.State) (moved bool) {
	for i := range p.called {
		h := &p.called[i]
		if q := p.plan.part(h.job).chosen(); h.start < s.Now() || h.start > s.Now() && s.Platform().SwitchingVaries() && q.Lit(h.job) {
			q.Move(h.job, s.Now())
			h.start, moved = s.Now(), true
		}
	}
	p.called = slices.DeleteFunc(p.called, func(h head) bool {
		switch {
		case h.start > s.Now():
			return false
		case p.queue.holds(h.job):
			p.plan.Withdraw(h.job, h.start)
			p.news = true
			return true
		case p.queue.limits.bars(h.job, p.plan.class(h.job)):
			p.plan.Withdraw(h.job, h.start)
			p.waiting[h.job.Partition()]++
			p.news = true
			return true
		}
		return p.start(s, h.job)
	})
	return moved
}

// boot boots nodes for reservations.
func (p *EasyHeads) boot(s *sim.State) {
	if !p.plan.booting {
		return
	}
	p.plan.booting = false
	again := p.callAt
	for _, some := range [2][]head{p.heads, p.called} {
		for i := range some {
			if h := &some[i]; h.job != nil && h.start < math.Inf(1) && !h.lit {
				var at float64
				at, h.lit = p.plan.boot(s, h.job, h.start)
				again = sooner(s, p.late, again, at)
			}
		}
	}
	p.plan.wake(s, p.alarm, again)
}

// boot boots nodes for places that start soon.
func (p *Conservative) boot(s *sim.State) {
	if !p.plan.booting {
		return
	}
	p.plan.booting = false
	ahead := p.plan.boots
	if p.overrun {
		ahead += startSlack
	}
	soon, next := p.starts.due(s.Now(), ahead, nil)
	again := next - p.plan.boots
	for _, j := range soon {
		at, _ := p.plan.boot(s, j, p.starts.of(j))
		again = sooner(s, p.overrun, again, at)
	}
	p.plan.wake(s, p.alarm, again)
}

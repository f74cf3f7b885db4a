package timeslice

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// wakeUp finds the slice at hand after the machine was empty.
func (p *Scheduler) wakeUp(s *sim.State) {
	now := s.Now()
	base := math.Floor(now/p.P.Interval) * p.P.Interval
	if base != p.interval || now == base {
		p.interval, p.withShort = base, now == base && p.anyShort()
	}
	p.slice = Short
	if !p.withShort {
		p.slice = Medium
	}
	for {
		from, to := p.P.slice(p.slice, p.withShort)
		if begin := p.interval + from + p.P.Overhead; now < begin {
			p.phase, p.bound = switching, begin
			break
		}
		if end := p.interval + to; now < end {
			p.phase, p.bound = running, end
			p.vms[p.slice].activate(now)
			break
		}
		p.nextSlice()
	}
	s.WakeAt(p.bound)
}

// Woken ends a phase: an overhead, after which the class's units are resumed, or
// a slice, at whose end everything is preempted.
func (p *Scheduler) Woken(s *sim.State) {
	now := s.Now()
	if p.phase == asleep || now < p.bound {
		return
	}
	if p.phase == running {
		p.endSlice(s, now)
		if p.inside == 0 {
			p.phase = asleep
			return
		}
		p.nextSlice()
		from, _ := p.P.slice(p.slice, p.withShort)
		p.phase, p.bound = switching, p.interval+from+p.P.Overhead
	}
	if now >= p.bound {
		p.beginSlice(s, now)
	}
	s.WakeAt(p.bound)
}

// nextSlice moves on. Whether there is a slice for short jobs is decided at the
// interval's start.
func (p *Scheduler) nextSlice() {
	if p.slice != Long {
		p.slice++
		return
	}
	p.interval, p.withShort = p.interval+p.P.Interval, p.anyShort()
	p.slice = Medium
	if p.withShort {
		p.slice = Short
	}
}

// anyShort reports whether an interval that begins now has a slice for short jobs.
func (p *Scheduler) anyShort() bool {
	short := &p.vms[Short]
	return p.P.ShortSlice > 0 && len(short.Waiting)+len(short.Units) > 0
}

func (p *Scheduler) beginSlice(s *sim.State, now float64) {
	_, to := p.P.slice(p.slice, p.withShort)
	p.phase, p.bound = running, p.interval+to
	v := &p.vms[p.slice]
	v.activate(now)
	for _, u := range v.Units {
		p.resume(s, u)
	}
}

func (p *Scheduler) endSlice(s *sim.State, now float64) {
	for _, u := range p.running {
		p.preempt(s, u)
	}
	clear(p.running)
	p.running = p.running[:0]
	v := &p.vms[p.slice]
	v.time, v.active = v.Now(now), false
}

// preempt suspends a unit; the caller takes it off the list of running units.
func (p *Scheduler) preempt(s *sim.State, u *Unit) {
	p.vms[u.Class].sync(u, s.Now())
	for _, j := range u.Members {
		s.Preempt(j.Job)
	}
	p.leave(u, u.On)
	u.Running = false
}

// resume continues a unit on its nodes, which are all idle.
func (p *Scheduler) resume(s *sim.State, u *Unit) {
	for _, j := range u.Members {
		s.Resume(j.Job)
	}
	p.enter(u, u.On, s.Now())
	p.running = append(p.running, u)
}

// enter notes that the unit runs on nodes of its own and that none of it ran before.
func (p *Scheduler) enter(u *Unit, on placement.Set, now float64) {
	n := on.Len()
	p.busy.Join(on)
	if u.Class != p.slice {
		p.other += n
	}
	u.Running, u.synced = true, now
}

// leave notes that the unit runs on some of its nodes no more.
func (p *Scheduler) leave(u *Unit, on placement.Set) {
	n := on.Len()
	p.busy.Drop(on)
	if u.Class != p.slice {
		p.other -= n
	}
}

// slice returns when the slice of class c begins and ends, in seconds from the
// start of its interval.
func (p *Slicing) slice(c Class, withShort bool) (from, to float64) {
	short := 0.0
	if withShort {
		short = p.ShortSlice
	}
	medium := short + (p.Interval-short)*p.MediumShare
	switch c {
	case Short:
		return 0, short
	case Medium:
		return short, medium
	}
	return medium, p.Interval
}

// Real returns when class c, medium or long, has received x more seconds of its own time, seen from time now. It
// assumes intervals without a slice for short jobs. It returns +Inf for x +Inf.
func (p *Slicing) Real(c Class, now, x float64) float64 {
	if math.IsInf(x, 1) {
		return x // of a job without a walltime, or behind one
	}
	from, to := p.slice(c, false)
	from += p.Overhead
	base := math.Floor(now/p.Interval) * p.Interval
	at := math.Max(now, base+from)
	if left := base + to - at; left > 0 {
		if x <= left+near {
			return at + x
		}
		x -= left
	}
	whole := math.Max(0, math.Ceil((x-near)/(to-from))-1)
	return base + (1+whole)*p.Interval + from + (x - whole*(to-from))
}

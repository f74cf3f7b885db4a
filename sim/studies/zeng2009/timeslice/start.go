package timeslice

import (
	"math"
	"math/bits"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// Start starts the waiting job by itself, with its processes per node, on the
// lowest-numbered nodes that are idle for its class. There must be as many.
func (p *Scheduler) Start(s *sim.State, v *VM, j *Job) {
	p.Claim(v, j.Nodes, j.On)
	p.StartUnit(s, v, p.NewUnit(v), []*Job{j})
}

// Claim adds n nodes that are idle for the class and not in to yet to the set
// to, the lowest-numbered ones. There must be as many.
func (p *Scheduler) Claim(v *VM, n int, to placement.Set) {
	for i := range p.free {
		p.free[i] = p.all[i] &^ (p.busy[i] | v.Held[i] | to[i])
	}
	p.free.TakeLowest(n, to)
}

func (p *Scheduler) NewUnit(v *VM) *Unit {
	var u *Unit
	if n := len(p.units); n > 0 {
		u, p.units = p.units[n-1], p.units[:n-1]
	} else {
		u = &Unit{}
	}
	*u = Unit{Class: v.Class, Members: u.Members[:0], On: u.On.Resized(p.nodes), holds: u.holds[:0]}
	return u
}

// recycle takes a unit that is in no list any more.
func (p *Scheduler) recycle(u *Unit) { p.units = append(p.units, u) }

// StartUnit starts waiting jobs, whose nodes On and PPN are set, as members of u:
// a new unit, or one that runs. The nodes must be idle, or u's.
func (p *Scheduler) StartUnit(s *sim.State, v *VM, u *Unit, jobs []*Job) {
	now := s.Now()
	t := v.Now(now)
	fresh := len(u.Members) == 0
	v.Changes++
	planned := fresh && len(jobs) == 1 && jobs[0].Start >= t-near && jobs[0].Start <= t+near && !v.broken
	p.scratch.Clear()
	for _, j := range jobs {
		for i := range p.scratch {
			p.scratch[i] |= j.On[i] &^ u.On[i]
		}
		j.Unit, j.mark = u, t
		u.Members = append(u.Members, j)
		if !planned {
			v.unplan(j)
			j.Nodes = j.On.Len()
		}
	}
	u.On.Join(p.scratch)
	v.Held.Join(p.scratch)
	if fresh {
		v.Units = append(v.Units, u)
		p.running = append(p.running, u)
	}
	p.enter(u, p.scratch, now)
	if planned {
		p.startAsPlanned(v, u, t)
	} else {
		v.hold(u, t)
		v.broken = true
	}
	for _, j := range jobs {
		p.spans = v.occupy(j, p.Cores, p.spans[:0])
		s.StartOn(j.Job, p.spans)
	}
}

// startAsPlanned turns the job's reservation into what it holds. The plan does
// not change.
func (p *Scheduler) startAsPlanned(v *VM, u *Unit, t float64) {
	j := u.Members[0]
	slow := v.con.Own(j.Job, j.Most())
	j.speed, j.mark, j.End = 1/slow, t, j.Start+j.Length
	if n := j.On.Len(); n != j.Nodes || math.Abs(j.Length-j.left*slow) > near {
		v.unplan(j)
		v.hold(u, t)
		v.broken = true
		return
	}
	u.holds = append(u.holds, hold{j.Nodes, j.End})
	v.unqueue(j)
}

// occupy gives the job's processes cores on its nodes, lowest first, and appends
// their numbers to dst.
func (v *VM) occupy(j *Job, cores int, dst []sim.Span) []sim.Span {
	left := int(j.Procs())
	j.On.Each(func(node int) bool {
		for k := min(left, j.PPN); k > 0; k-- {
			c := bits.TrailingZeros64(^v.used[node])
			v.used[node] |= 1 << c
			proc := int32(node*cores + c)
			dst = sim.Joined(dst, sim.Span{Lo: proc, Hi: proc})
			left--
		}
		return left > 0
	})
	return dst
}

// vacate gives the cores of an ended job back.
func (v *VM) vacate(j *Job, cores int) {
	for _, sp := range j.Alloc().Procs {
		for q := int(sp.Lo); q <= int(sp.Hi); q++ {
			v.used[q/cores] &^= 1 << (q % cores)
		}
	}
}

// startEasy starts waiting jobs by EASY backfilling: in order of submission as long as they fit, and behind the first
// that does not, the ones that do not delay it. The conservative plan is kept beside it for the estimates at submission
// and for backfilling into the slices of others.
func (p *Scheduler) startEasy(s *sim.State, v *VM, t float64) {
	v.planStarted(&p.easy, t)
	blocked := false
	for i := 0; i < len(v.Waiting); i++ {
		j := v.Waiting[i]
		start := p.easy.Earliest(t, j.Nodes, j.Length)
		switch {
		case start <= t+near && p.MakeRoom(s, v, j.Nodes):
			p.easy.Reserve(start, start+j.Length, j.Nodes)
			p.Start(s, v, j)
			i--
		case !blocked:
			blocked = true
			p.easy.Reserve(start, start+j.Length, j.Nodes)
		}
	}
	v.Tidy(t)
}

// StartGroup makes a group of primary and matched. Some of them wait, with PPN and On set, and some run alone. All of
// them are one unit from now on.
func (p *Scheduler) StartGroup(s *sim.State, v *VM, primary *Job, matched []*Job) {
	u := p.NewUnit(v)
	var waiting []*Job
	for i := -1; i < len(matched); i++ {
		j := primary
		if i >= 0 {
			j = matched[i]
		}
		if j.Unit == nil {
			waiting = append(waiting, j)
			continue
		}
		old := j.Unit
		p.forget(v, old)
		u.Members = append(u.Members, j)
		u.On.Join(old.On)
		u.holds = append(u.holds, old.holds...)
		u.Running, u.synced, j.Unit = true, old.synced, u
		p.recycle(old)
	}
	if len(u.Members) > 0 {
		v.Units = append(v.Units, u)
		p.running = append(p.running, u)
	}
	u.Primary = primary
	p.StartUnit(s, v, u, waiting)
	for _, j := range u.Members {
		j.Grouped = true
	}
}

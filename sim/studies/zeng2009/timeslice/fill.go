package timeslice

import "schedsweep/sim"

// fill is the backfilling of other classes into the slice at hand: idle nodes go first to preempted or waiting short
// jobs. Then they go to preempted jobs of the other classes whose nodes are all idle. Then they go to waiting jobs of
// these classes that are planned to start now. Together they take no more nodes than the slice's own plan leaves free
// up to its end.
func (p *Scheduler) fill(s *sim.State, v *VM, t float64) {
	if p.P.OtherClasses == "off" || p.busy.Len() == p.nodes {
		return
	}
	plan := &v.Plan
	if p.P.Backfilling == "easy" && p.Match == nil {
		plan = &p.easy
	}
	// What an ended job or the next slice holds there is rounding.
	spare := plan.Least(t+near, t+(p.bound-s.Now())-near) - p.other
	if spare <= 0 {
		return
	}
	if p.slice != Short {
		short := &p.vms[Short]
		spare = p.fillPreempted(s, short, spare)
		spare = p.fillWaiting(s, short, spare)
	}
	if p.P.OtherClasses == "short" {
		return
	}
	for c := Medium; c <= Long; c++ {
		if c != p.slice {
			spare = p.fillPreempted(s, &p.vms[c], spare)
		}
	}
	for c := Medium; c <= Long; c++ {
		if c != p.slice {
			spare = p.fillWaiting(s, &p.vms[c], spare)
		}
	}
}

// fillPreempted resumes what fits, in order of start, and returns the nodes
// that are left.
func (p *Scheduler) fillPreempted(s *sim.State, v *VM, spare int) int {
	for _, u := range v.Units {
		if spare <= 0 {
			break
		}
		if u.Running || u.On.Meets(p.busy) {
			continue
		}
		if n := u.On.Len(); n <= spare {
			p.resume(s, u)
			spare -= n
		}
	}
	return spare
}

// fillWaiting starts what fits, in order of submission; of short jobs all, of others the ones that are due by their
// plan as of its last event: what the class's units gain in this slice moves its plan when they end or are preempted.
func (p *Scheduler) fillWaiting(s *sim.State, v *VM, spare int) int {
	idle := min(spare, p.Idle(v))
	if idle <= 0 || len(v.Waiting) == 0 {
		return spare
	}
	t := v.Now(s.Now())
	if v.Class != Short {
		v.Tidy(t)
		if !v.AnyDue(t) {
			return spare
		}
	}
	for i := 0; i < len(v.Waiting) && idle > 0; i++ {
		if j := v.Waiting[i]; j.Nodes <= idle && (v.Class == Short || v.Due(j, t)) {
			p.Start(s, v, j)
			idle -= j.Nodes
			spare -= j.Nodes
			i--
		}
	}
	return spare
}

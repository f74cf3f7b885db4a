package lomarc

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// waitingMember is a waiting job as it would be in a group.
func (l *Policy) waitingMember(j *timeslice.Job) member {
	return member{job: j, ppn: l.ppn, nodes: timeslice.NodesFor(j.Procs(), l.ppn), left: j.Walltime()}
}

// runningMember is a running job: it keeps its nodes and processes per node.
func (l *Policy) runningMember(j *timeslice.Job, now, t float64) member {
	return member{job: j, ppn: j.PPN, nodes: j.On.Len(), left: j.Left(t),
		delay: (l.P.Real(j.Class, now, j.End-t) - j.Submit()) / j.Estimate}
}

// eligible returns the running jobs that may join a group: alone on their nodes, with cores to spare, the least delayed
// first. A job that has outlasted its walltime may not, because nothing would be left to gain.
func (l *Policy) eligible(v *timeslice.VM, now, t float64) []member {
	dst := l.partners[:0]
	for _, u := range v.Units {
		if !u.Running || len(u.Members) > 1 {
			continue
		}
		if j := u.Members[0]; j.PPN <= l.Cores/2 && timeslice.Later(j.End, t) {
			dst = append(dst, l.runningMember(j, now, t))
		}
	}
	slices.SortStableFunc(dst, func(a, b member) int { return cmp.Compare(a.delay, b.delay) })
	l.partners = dst
	return dst
}

// limit returns the largest number of nodes that the jobs matched with a primary may take together.
func (l *Policy) limit(primary *member) int {
	return primary.nodes + int(l.p.MatchedLarger*float64(primary.nodes))
}

// suits reports whether c is a candidate for primary, and fills in how they slow
// each other down: it is not too large, they bear each other and c does not last
// too much longer. This is step 1.
func (l *Policy) suits(primary, c *member) bool {
	if c.nodes > l.limit(primary) {
		return false
	}
	p, j := primary.job, c.job
	if l.bearing(c, primary) > l.p.Four || l.bearing(primary, c) > l.p.Four {
		return false
	}
	con := l.Contention()
	c.slow = con.Beside(j.Job, c.most(), p.Job)
	c.harm = con.Beside(p.Job, primary.most(), j.Job)
	longer := c.left*c.slow - primary.left*c.harm
	if l.plain {
		longer = c.left - primary.left
	}
	return longer <= l.p.MatchedLonger
}

// bearing is the slowdown of m beside by that step 1 compares with MAX_SL.
func (l *Policy) bearing(m, by *member) float64 {
	own := slowdowns.Of(m.job.Job)
	f := own.Beside(slowdowns.Of(by.job.Job))
	if l.product {
		f *= own.Own(m.most())
	}
	return f
}

// consider adds c to the candidates of primary if it suits.
func (l *Policy) consider(primary, c *member) {
	if l.suits(primary, c) {
		l.candidates = append(l.candidates, *c)
	}
}

// considerWaiting makes candidates of all other waiting jobs.
func (l *Policy) considerWaiting(v *timeslice.VM, primary *member) {
	l.candidates = l.candidates[:0]
	for _, w := range v.Waiting {
		if w != primary.job {
			m := l.waitingMember(w)
			l.consider(primary, &m)
		}
	}
	l.count(len(l.candidates))
}

// waitingPrimary is case 1: j with other waiting jobs.
func (l *Policy) waitingPrimary(v *timeslice.VM, j *timeslice.Job) {
	primary, idle := l.waitingMember(j), l.Idle(v)
	if primary.nodes <= idle {
		l.considerWaiting(v, &primary)
		l.form(&builder{primary: primary, fits: startable{most: idle}})
	}
}

// withRunning is case 2: j with running jobs.
func (l *Policy) withRunning(s *sim.State, v *timeslice.VM, j *timeslice.Job, t float64) {
	primary, idle := l.waitingMember(j), l.Idle(v)
	l.candidates = l.candidates[:0]
	for _, m := range l.eligible(v, s.Now(), t) {
		l.consider(&primary, &m)
	}
	l.count(len(l.candidates))
	l.form(&builder{primary: primary, fits: startable{least: primary.nodes - idle, most: math.MaxInt}})
}

// runningPrimary is case 3: j, and perhaps other waiting jobs, with one of the
// least delayed running jobs.
func (l *Policy) runningPrimary(s *sim.State, v *timeslice.VM, j *timeslice.Job, t float64) {
	idle := l.Idle(v)
	for i, primary := range l.eligible(v, s.Now(), t) {
		if i == l.p.RunningPrimaries {
			break
		}
		l.considerWaiting(v, &primary)
		l.form(&builder{primary: primary, must: j, fits: startable{most: primary.nodes + idle}})
	}
}

// full is the number of nodes and seconds that j takes with all cores of its
// nodes.
func (l *Policy) full(j *timeslice.Job) (nodes int, length float64) {
	return timeslice.NodesFor(j.Procs(), l.Cores), j.Walltime() * l.Contention().Own(j.Job, min(l.Cores, int(j.Procs())))
}

// fullNodes is case 5: j alone with all cores of its nodes. It reports whether
// that is allowed and gains enough.
func (l *Policy) fullNodes(v *timeslice.VM, j *timeslice.Job) (group, bool) {
	n, length := l.full(j)
	if l.pairs || j.Procs() == 1 || n > l.Idle(v) || l.p.FullNodes == "within-max-sl" && slowdowns.Of(j.Job).Own(l.Cores) > l.p.Four {
		return group{}, false
	}
	gain := float64(j.Procs())*j.Walltime()/(float64(n)*length) - 1
	return group{primary: member{job: j, ppn: l.Cores, nodes: n, left: j.Walltime()}, outcome: outcome{gain: gain}}, gain >= l.p.MinGain
}

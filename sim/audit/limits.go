package audit

import "schedsweep/sim"

// bounds are the audit's own counts of what limits are about (A15).
type bounds struct {
	policy sim.Limited // nil where it keeps none
	limits []sim.Limit
	counts map[bound]*counted
	news   []bound // of jobs that have come since the last check
}

// bound is a limit and the value of its field each.
type bound struct{ limit, each int32 }

type counted struct{ jobs, procs, submitted int64 }

// watch has the audit hold the policy to its limits until the next reset.
func (b *bounds) watch(policy any) { b.policy, _ = policy.(sim.Limited) }

// enters counts a job that comes, or leaves.
func (b *bounds) enters(s *sim.View, j *sim.Job, by int64) {
	if b.counts == nil {
		b.limits, b.counts = b.policy.Limits(), map[bound]*counted{}
		if len(b.limits) == 0 {
			b.policy = nil
		}
	}
	b.of(s, j, func(at bound, c *counted) {
		if c.submitted += by; by > 0 {
			b.news = append(b.news, at)
		}
	})
}

// changes counts what a job starts or ceases to hold, and checks the limits that are about it.
func (b *bounds) changes(a *Audit, s *sim.View, now, before *sim.Hold) {
	jobs, procs := int64(1), int64(now.Procs())
	if before.Any() {
		jobs, procs = -1, -int64(before.Procs())
	}
	b.of(s, now.Job, func(at bound, c *counted) {
		l := &b.limits[at.limit]
		c.jobs, c.procs = c.jobs+jobs, c.procs+procs
		if l.Jobs > 0 && c.jobs > l.Jobs || l.Procs > 0 && c.procs > l.Procs {
			a.violate("A15", "with job %d at %g s %d jobs run on %d processors, and a limit allows %d jobs and %d processors (0: any number)",
				now.Job.ID(), s.Now(), c.jobs, c.procs, l.Jobs, l.Procs)
		}
	})
}

// settled checks the limits on jobs in the system at the end of an instant.
func (b *bounds) settled(a *Audit, s *sim.View) {
	for _, at := range b.news {
		if l, c := &b.limits[at.limit], b.counts[at]; l.Submitted > 0 && c.submitted > l.Submitted {
			a.violate("A15", "at %g s %d jobs are in the system, and a limit allows %d", s.Now(), c.submitted, l.Submitted)
		}
	}
	b.news = b.news[:0]
}

// of visits the counts of the limits that are about j.
func (b *bounds) of(s *sim.View, j *sim.Job, visit func(bound, *counted)) {
	for i := range b.limits {
		each, is := b.limits[i].Bounds(s, j)
		if !is {
			continue
		}
		at := bound{int32(i), each}
		if b.counts[at] == nil {
			b.counts[at] = &counted{}
		}
		visit(at, b.counts[at])
	}
}

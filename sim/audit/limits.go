package audit

import "schedsweep/sim"

// bounds are the audit's own counts for limits (A15).
type bounds struct {
	policy sim.SitePolicy // nil where it keeps none
	limits []sim.Limit
	counts map[bound]*counted
	news   []bound // of jobs that have come since the last check
}

// bound is a limit and the value of its field each.
type bound struct{ limit, each int32 }

type counted struct {
	sim.Uses
	submitted int64
}

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

// changes counts the processors that a job starts or ceases to hold, and checks the limits that are about it.
func (b *bounds) changes(a *Audit, s *sim.View, now, before *sim.Hold) {
	by, has := int64(1), now
	if before.Any() {
		by, has = -1, before
	}
	uses := sim.Uses{Jobs: 1, Procs: int64(has.Procs()), GPUs: a.gpus(has)}
	b.of(s, now.Job, func(at bound, c *counted) {
		most := b.limits[at.limit].Running
		if c.Uses = c.Plus(uses, by); c.Exceeds(most) {
			a.violate("A15", "with job %d at %g s %d jobs run on %d processors and %d GPUs, and a limit allows %d jobs, %d processors and %d "+
				"GPUs (0: any number)", now.Job.ID(), s.Now(), c.Jobs, c.Procs, c.GPUs, most.Jobs, most.Procs, most.GPUs)
		}
	})
}

// gpus returns the number of GPUs that a job holds: all of a whole node, or what it requests on each node or beside each processor.
func (a *Audit) gpus(h *sim.Hold) (n int64) {
	d := &a.divided
	if !d.on() {
		return 0
	}
	ask, whole := sim.Request{}, d.partitions[h.Job.Partition()-1].Whole
	if b := a.bookOf(h.Job); b != nil && b.spec.Request != nil {
		ask = b.request
	}
	for c, procs := range h.Alloc.Counts {
		each, gpus := int64(1), int64(ask.GPUs)
		switch {
		case whole:
			each, gpus = int64(a.clusters[c].Cores), int64(a.clusters[c].GPUs)
		case ask.Nodes > 0:
			each = int64((h.Job.Procs() + ask.Nodes - 1) / ask.Nodes)
		}
		n += int64(procs) / each * gpus
	}
	return n
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

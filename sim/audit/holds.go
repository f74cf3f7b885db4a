package audit

import (
	"slices"
	"strconv"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Held compares the change with the audit's own books and enters the new hold.
func (a *Audit) Held(s *sim.View, now, before *sim.Hold) {
	a.tick(s)
	if a.supply.on {
		a.takes(s, before, -1)
		a.takes(s, now, 1)
	}
	if now.Job == nil {
		a.enter(nil, &before.Alloc, -before.Share)
		a.enter(nil, &now.Alloc, now.Share)
		a.switched(s.Now(), before, before.Alloc.Procs, -1)
		a.switched(s.Now(), now, now.Alloc.Procs, 1)
		return
	}
	j := now.Job
	b := a.bookOf(j)
	if b == nil {
		return
	}
	if b.promise.job != nil {
		a.kept(s, j, b, j.Rate())
	}
	a.step(s, now, before, b)
	if a.bounds.policy != nil && now.Any() != before.Any() {
		a.bounds.changes(a, s, now, before)
	}
	if now.Killed && !before.Killed {
		b.killed = s.Now()
	}
	if b.share > 0 {
		if !a.simple {
			a.letsGo(s, now, b)
		}
		b.area += b.share * float64(b.size) * (s.Now() - b.since)
		a.enter(nil, &b.held, -b.share)
	}
	b.since, b.share = s.Now(), 0
	if now.Any() {
		a.has(s, now, before, b)
	}
}

// has enters the present holdings of the book's job.
func (a *Audit) has(s *sim.View, now, before *sim.Hold, b *book) {
	b.share = now.Share
	if len(b.held.Procs)+len(now.Alloc.Procs) > 0 {
		b.held.Procs = append(b.held.Procs[:0], now.Alloc.Procs...)
	}
	b.held.Counts = append(b.held.Counts[:0], now.Alloc.Counts...)
	if !a.simple {
		a.takesUp(s, now, !before.Any(), b)
	}
	a.enter(now.Job, &b.held, now.Share)
	if !before.Any() {
		b.size = a.size(s.Platform(), now, b)
	}
	if a.policy != nil {
		a.promised(s, now.Job, b)
	}
}

// letsGo ends in the books of a machine that is not simple what the job of the book held until now.
func (a *Audit) letsGo(s *sim.View, now *sim.Hold, b *book) {
	if a.supply.on {
		watts := a.draws(b)
		b.joules += watts * (s.Now() - b.since)
		b.charges.add(a.supply.tariffs, b.since, s.Now(), power.Energy{Busy: watts})
	}
	if a.switches.rule.On {
		a.switched(s.Now(), now, b.held.Procs, -1)
	}
	if a.divided.on() {
		a.divided.onNodes(a, b.held.Procs, -1)
		a.onRequests(b, b.held.Procs, -1)
	}
	if a.events.procs != nil {
		a.events.change(s, b.held.Procs, 0, 0, -1)
	}
}

// takesUp enters in the books of a machine that is not simple what the job of the book holds now, after it held none or something else.
func (a *Audit) takesUp(s *sim.View, now *sim.Hold, starts bool, b *book) {
	if a.switches.rule.On {
		a.switched(s.Now(), now, b.held.Procs, 1)
	}
	if a.divided.on() {
		a.inPartition(now)
		a.divided.onNodes(a, b.held.Procs, 1)
		a.onRequests(b, b.held.Procs, 1)
	}
	if a.events.procs != nil {
		a.events.change(s, b.held.Procs, 0, 0, 1)
		if starts {
			a.starts(s, now)
		}
	}
	if a.cap.on && starts {
		a.underCap(s, true)
	}
}

// step checks a change from one hold to the next.
func (a *Audit) step(s *sim.View, now, before *sim.Hold, b *book) {
	j := now.Job
	holds := b.ran && !b.idle
	switch {
	case before.Job == nil:
		a.start(s, j, b)
	case before.Any() && !holds:
		if j.State() == sim.Suspended { // of an end Ended says the same
			a.violate("A8", "job %d was preempted at %g s without running", j.ID(), s.Now())
		}
	case !before.Any() && holds:
		a.violate("A8", "job %d was resumed at %g s without being suspended", j.ID(), s.Now())
	case before.Any() && before.Share != b.share:
		a.violate("A9", "job %d had the share %g, and the engine says %g", j.ID(), b.share, before.Share)
	case !now.Any() && j.State() == sim.Suspended:
		if j.Rate() != 0 {
			a.violate("A8", "job %d was preempted and keeps the rate %g", j.ID(), j.Rate())
		}
		b.idle, b.left = true, s.Now()
	case now.Any() && b.idle:
		a.resume(s, now, b)
	case now.Any() && !same(&b.held, now.Alloc):
		a.violate("A9", "job %d was moved from the processors %s to %s", j.ID(), sim.AppendSpans(nil, b.held.Procs),
			sim.AppendSpans(nil, now.Alloc.Procs))
	}
}

// start checks the first hold of the job.
func (a *Audit) start(s *sim.View, j *sim.Job, b *book) {
	if b.ran {
		a.violate("A4", "job %d was started twice", j.ID())
	}
	a.began++
	if a.delay.policy != nil {
		a.delay.starts(a, s, j)
	}
	if a.order.policy != nil {
		a.order.starts(a, s, j)
	}
	b.ran, b.changed, b.start = true, s.Now(), j.Start()
	if s.Now() < j.Submit() {
		a.violate("A1", "job %d started at %g s, before its submission at %g s", j.ID(), s.Now(), j.Submit())
	}
}

// resume checks that the job gets the same hold, and that no work was done meanwhile.
func (a *Audit) resume(s *sim.View, now *sim.Hold, b *book) {
	j := now.Job
	b.idle, b.changed = false, s.Now()
	b.lost += s.Now() - b.left
	if !same(&b.held, now.Alloc) {
		a.violate("A8", "job %d was preempted on the processors %s and resumed on %s", j.ID(), sim.AppendSpans(nil, b.held.Procs),
			sim.AppendSpans(nil, now.Alloc.Procs))
	}
	if done := j.Work() - j.WorkLeft(s.Now()); done-b.done > tolerance*j.Work() || b.done-done > tolerance*j.Work() {
		a.violate("A8", "job %d had done %g units of work when it was preempted and %g when it was resumed", j.ID(), b.done, done)
	}
}

// same reports whether two allocations are equal.
func same(a *sim.Allocation, b sim.Allocation) bool {
	return slices.Equal(a.Procs, b.Procs) && slices.Equal(a.Counts, b.Counts)
}

// size checks A3, and returns how many processors the job has to get.
func (a *Audit) size(p *sim.Platform, h *sim.Hold, b *book) int32 {
	j, total, size := h.Job, int32(0), h.Job.Procs()
	for c, n := range h.Alloc.Counts {
		if total += n; n > 0 {
			size = a.divided.size(j, int32(a.clusters[c].Cores), size)
		}
	}
	if r := b.spec.Request; r != nil { // A12 says more
		if n := int(j.Partition()); n > 0 && n <= len(a.divided.partitions) && a.divided.partitions[n-1].Whole {
			size = total
		} else if r.Nodes > 0 {
			size = (j.Procs() + r.Nodes - 1) / r.Nodes * r.Nodes
		}
	}
	if total != size {
		a.violate("A3", "job %d of %d processors got %d", j.ID(), size, total)
	}
	if len(h.Alloc.Procs) == 0 {
		return size
	}
	n := int32(0)
	for _, sp := range h.Alloc.Procs {
		n += int32(sp.Len())
	}
	if n != size {
		a.violate("A3", "job %d of %d processors got the %d processors %s", j.ID(), size, n, sim.AppendSpans(nil, h.Alloc.Procs))
	}
	for c := range h.Alloc.Counts {
		lo, hi, on := int32(p.First(c)), int32(p.First(c+1))-1, int32(0)
		for _, sp := range h.Alloc.Procs {
			on += max(0, min(sp.Hi, hi)-max(sp.Lo, lo)+1)
		}
		if on != h.Alloc.Counts[c] {
			a.violate("A3", "job %d holds %d processors of cluster %d by number and %d by count", j.ID(), on, c, h.Alloc.Counts[c])
		}
	}
	return size
}

// enter adds shares of processors to the shares held, or takes them back, and checks A2 and A10.
func (a *Audit) enter(j *sim.Job, alloc *sim.Allocation, share float64) {
	for _, sp := range alloc.Procs {
		if n := int(sp.Hi) + 1; n > len(a.sum) {
			a.sum = append(a.sum, make([]float64, n-len(a.sum))...)
		}
		for q := sp.Lo; q <= sp.Hi; q++ {
			if a.sum[q] += share; a.sum[q] > 1+slack {
				a.violate(used(share), "%s brings the shares of processor %d to %g", owner(j), q, a.sum[q])
			}
		}
	}
	for c, n := range alloc.Counts {
		if n == 0 {
			continue
		}
		if a.inUse[c] += share * float64(n); a.inUse[c] > a.limits[c] && share > 0 {
			a.violate(used(share), "%s brings cluster %d to %g of %d processors in use", owner(j), c, a.inUse[c], a.clusters[c].Procs())
		}
	}
}

// used is the invariant that bounds the sum of such shares.
func used(share float64) string {
	if share < 1 {
		return "A10"
	}
	return "A2"
}

func owner(j *sim.Job) string {
	if j == nil {
		return "an outage"
	}
	return "job " + strconv.FormatInt(j.ID(), 10)
}

package backfill

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// alone has a plan of nodes keep the reservation of the head apart. That needs one partition and no events, so that the head's is the only
// reservation.
func (p *EasyHeads) alone(s *sim.State) {
	p.sole, p.groups, p.total = nil, nil, 0
	if len(p.plan.parts) == 1 && p.queue.limits == nil && !p.plan.switches {
		p.groups, _ = p.plan.parts[0].sets.(*placement.Plan)
	}
	if of := p.plan.of; len(of.partitions) == 1 && !s.HasEvents() && p.plan.eligible == nil && p.plan.watts == nil &&
		!s.Platform().Partition(of.partitions[0]).Span {
		if p.sole, _ = p.plan.parts[0].sets.(*placement.Nodes); p.sole != nil {
			p.sole.Alone()
		}
		for _, class := range of.classes {
			p.total += int64(s.Platform().Clusters[class].Procs())
		}
	}
}

// head is the head of the only partition.
func (p *EasyHeads) head() *head { return &p.heads[p.plan.of.partitions[0]] }

// stays reports whether the head stays the head when j ends now, if it has to wait. It keeps its reservation if the planned end of j is
// before it: the running jobs free more and more processors with time. So before the planned end, no more are free now than there were at
// that end. Otherwise it keeps its nodes if those of j are behind them, or are free then in any case.
func (p *EasyHeads) stays(j *sim.Job) bool {
	if p.sole == nil || p.queue.limits != nil || p.head().job == nil {
		return false
	}
	if p.plan.End(j) >= p.head().start {
		p.sooner = true
		p.moved = p.moved || !p.pending && !p.sole.Behind(j)
	}
	return true
}

// waits reports whether the head waits after ends.
func (p *EasyHeads) waits(s *sim.State) bool {
	h := p.head()
	return h.start > s.Now() && (!p.sooner || int64(p.plan.need(h.job)) > p.total-p.running.sum)
}

// renew gives the head, which waits after ends, its reservation anew where it may be another.
func (p *EasyHeads) renew(s *sim.State) {
	if !p.sooner {
		return
	}
	h := p.head()
	if from := p.from(s, h.job); p.moved || from != h.start {
		p.withdraw(h)
		h.start, p.pending = from, true
	}
}

// from is a time before which too few processors are free for j on any nodes.
func (p *EasyHeads) from(s *sim.State, j *sim.Job) float64 {
	if need := int64(p.plan.need(j)) - (p.total - p.running.sum); need > 0 && need <= p.running.sum {
		return s.ExpectedEnd(p.running.reaching(need))
	}
	return s.Now()
}

// reserve gives the head j its reservation, and returns its start. With sole it is a time before which too few processors are free on any
// nodes, and the nodes are chosen when another job may start.
func (p *EasyHeads) reserve(s *sim.State, j *sim.Job) float64 {
	if p.sole == nil {
		return p.plan.Place(j, s.Now())
	}
	p.pending = true
	return p.from(s, j)
}

// settle chooses the nodes of the head.
func (p *EasyHeads) settle(s *sim.State) {
	h := p.head()
	p.slots = p.running.slots(p.slots[:0])
	h.start, p.pending = p.sole.Reserve(h.job, max(s.Now(), h.start), p.slots), false
	p.bound()
}

// withdraw takes back the reservation of a head.
func (p *EasyHeads) withdraw(h *head) {
	if p.sole == nil {
		p.plan.Withdraw(h.job, h.start)
		return
	}
	if !p.pending {
		p.sole.Unreserve()
	}
	p.pending = false
}

// bound makes p.room a bound on jobs that may start beside the only head, on any nodes. A search of the queue passes over the others.
func (p *EasyHeads) bound() {
	if p.sole == nil || p.queue.limits != nil || p.pending {
		return
	}
	if h := p.head(); h.job != nil && h.start < h.start+h.job.Walltime() {
		p.room.Shadow, p.room.Extra = h.start, p.sole.Beside()
	}
}

// decide works out more of the reservation of the head, if j may delay it by the part that is known. It reports whether p.room changed.
func (p *EasyHeads) decide(s *sim.State, j *sim.Job) bool {
	h := p.head()
	if p.sure && s.Now()+j.Walltime() <= h.start {
		return false
	}
	if p.sure || p.queue.limits != nil || h.start+h.job.Walltime() <= h.start || !p.sole.Sure(h.job) {
		p.settle(s)
		return true
	}
	p.sure, p.room.Shadow = true, h.start
	p.room.Extra = int32(p.total - p.running.sum + p.running.until(h.start) - int64(p.plan.need(h.job)))
	return true
}

// mayFit reports false if j, which is behind the only head in the queue, finds too few processors beside it.
func (p *EasyHeads) mayFit(s *sim.State, j *sim.Job) bool {
	if p.sole == nil {
		return true
	}
	p.room.Now, p.room.Free = s.Now(), int32(s.Free())
	for p.room.Admits(p.plan.need(j), j.Walltime()) {
		if !p.pending || !p.decide(s, j) {
			return true
		}
	}
	return false
}

package backfill

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// alone has a plan of nodes keep the reservation of the head apart. That needs one partition and no events, so that the head's is the only
// reservation.
func (p *EasyHeads) alone(s *sim.State) {
	p.sole, p.total = nil, 0
	if of := p.plan.of; len(of.partitions) == 1 && s.Events() == sim.NoEvents && p.plan.eligible == nil && p.plan.watts == nil &&
		!s.Platform().Partition(of.partitions[0]).Span {
		p.sole, _ = p.plan.parts[0].sets.(*placement.Nodes)
		for _, class := range of.classes {
			p.total += int64(s.Platform().Clusters[class].Procs())
		}
	}
}

// head is the head of the only partition.
func (p *EasyHeads) head() *head { return &p.heads[p.plan.of.partitions[0]] }

// stays reports whether the head keeps its reservation when j ends now. It does if the planned end of j is before the reservation: the
// running jobs free more and more processors with time. So before the planned end, no more are free now than there were at that end.
func (p *EasyHeads) stays(j *sim.Job) bool {
	return p.sole != nil && p.queue.limits == nil && p.head().job != nil && p.plan.End(j) < p.head().start
}

// reserve gives the head j its reservation, and returns its start.
func (p *EasyHeads) reserve(s *sim.State, j *sim.Job) float64 {
	from := s.Now()
	if p.sole == nil {
		return p.plan.Place(j, from)
	}
	if need := int64(p.plan.need(j)) - (p.total - p.running.sum); need > 0 && need <= p.running.sum {
		from = max(from, p.running.reaching(need)) // before that, too few processors are free on any nodes
	}
	return p.sole.Reserve(j, from)
}

// withdraw takes back the reservation of a head.
func (p *EasyHeads) withdraw(h *head) {
	if p.sole == nil {
		p.plan.Withdraw(h.job, h.start)
		return
	}
	p.sole.Unreserve()
}

// bound makes p.room a bound on jobs that may start beside the only head, on any nodes. A search of the queue passes over the others.
func (p *EasyHeads) bound() {
	if p.sole == nil || p.queue.limits != nil {
		return
	}
	if h := p.head(); h.job != nil {
		p.room.Shadow, p.room.Extra = h.start, p.sole.Beside()
	}
}

// mayFit reports false if j, which is behind the only head in the queue, finds too few processors beside it.
func (p *EasyHeads) mayFit(s *sim.State, j *sim.Job) bool {
	p.room.Now, p.room.Free = s.Now(), int32(s.Free())
	return p.sole == nil || p.queue.limits != nil || p.room.Admits(p.plan.need(j), j.Walltime())
}

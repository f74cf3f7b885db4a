package coallocation

import "schedsweep/sim"

func (p *Policy) passEasy(s *sim.State) {
	if len(p.claims) > 1 || len(p.lines) == 1 {
		// Each line has a head of its own.
		for i := range p.lines {
			c := &p.claims[i]
			all := p.ended || c.head == nil || c.moved
			if all {
				*c = p.claim(s, p.heads(s, i))
			}
			p.backfill(s, i, c, all)
		}
		return
	}
	c := &p.claims[0]
	all := p.ended || c.head == nil || c.moved
	if all {
		*c = p.claim(s, p.firstHead(s))
	}
	for i := range p.lines {
		p.backfill(s, i, c, all)
	}
}

// heads starts heads of a line while they fit and returns the first that does
// not, or nil.
func (p *Policy) heads(s *sim.State, at int) *sim.Job {
	q := &p.lines[at]
	for q.count > 0 {
		i := q.next(0, &anybody)
		j := q.jobs[i]
		if p.room(&p.free, s, at, &none); j.Procs() > p.free.Extra {
			return j
		}
		q.take(i)
		p.place(s, j, &none)
		p.start(s, j)
	}
	return nil
}

// firstHead starts jobs in order of submission, of all lines, and returns
// the first that does not fit, or nil. It takes time in the lines for each.
func (p *Policy) firstHead(s *sim.State) *sim.Job {
	for {
		first, place := -1, 0
		for k := range p.lines {
			q := &p.lines[k]
			if q.count == 0 {
				continue
			}
			if i := q.next(0, &anybody); first < 0 || q.jobs[i].Seq() < p.lines[first].jobs[place].Seq() {
				first, place = k, i
			}
		}
		if first < 0 {
			return nil
		}
		j := p.lines[first].jobs[place]
		if p.room(&p.free, s, first, &none); j.Procs() > p.free.Extra {
			return j
		}
		p.lines[first].take(place)
		p.place(s, j, &none)
		p.start(s, j)
	}
}

// claim is the reservation of a blocked head, which may be nil.
func (p *Policy) claim(s *sim.State, head *sim.Job) claim {
	if head == nil {
		return none
	}
	c := claim{head: head, seq: head.Seq(), cluster: -1}
	c.shadow, c.cluster, c.extra = p.plan.fits(s, head, p.scope)
	return c
}

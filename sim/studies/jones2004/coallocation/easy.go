package coallocation

import "schedsweep/sim"

func (p *Policy) passEasy(s *sim.State) {
	if len(p.claims) > 1 { // each line has a head of its own
		for i := range p.lines {
			c := &p.claims[i]
			all := p.ended || c.stale(s)
			if all {
				*c = p.claim(s, p.heads(s, i))
			}
			p.backfill(s, i, c, all)
		}
		return
	}
	c := &p.claims[0]
	all := p.ended || c.stale(s)
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
	for {
		j := p.waiting.Head(at)
		if j == nil || !p.startsAsHead(s, at, j) {
			return j
		}
	}
}

// firstHead starts jobs in order of submission, of all lines, and returns
// the first that does not fit, or nil. It takes time in the lines for each.
func (p *Policy) firstHead(s *sim.State) *sim.Job {
	for {
		first, at := (*sim.Job)(nil), 0
		for k := range p.lines {
			if j := p.waiting.Head(k); j != nil && (first == nil || j.Seq() < first.Seq()) {
				first, at = j, k
			}
		}
		if first == nil || !p.startsAsHead(s, at, first) {
			return first
		}
	}
}

// startsAsHead starts the first job of a line if it fits, and reports whether it does.
func (p *Policy) startsAsHead(s *sim.State, at int, j *sim.Job) bool {
	if p.room(&p.free, s, at, &none); j.Procs() > p.free.Extra {
		return false
	}
	p.waiting.Remove(j)
	p.place(s, j, &none)
	p.start(s, j)
	return true
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

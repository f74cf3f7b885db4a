package communication

import (
	"slices"

	"schedsweep/sim"
)

// Update gives new rates to the jobs whose phi can have changed: the jobs that have just been co-allocated, and the
// users of uplinks whose users have changed and which are or were overloaded. All jobs that are connected with these
// through overloaded uplinks get new rates too.
func (p *Bandwidth) Update(s *sim.Rates) {
	if len(p.dirty)+len(p.fresh) == 0 {
		return
	}
	p.settle()
	for _, at := range p.affected {
		f := &p.flows[at]
		s.SetRate(f.job, p.rate(f))
	}
}

// settle finds the jobs whose phi can have changed, and their phi.
func (p *Bandwidth) settle() {
	p.round++
	p.affected, p.tight = p.affected[:0], p.tight[:0]
	for _, at := range p.fresh {
		if p.flows[at].job != nil {
			p.visit(at)
		}
	}
	for _, c := range p.dirty {
		l := &p.links[c]
		l.asked = 0
		for _, u := range l.users {
			l.asked += u.asks
		}
		was := l.overloaded
		l.dirty, l.overloaded = false, l.asked > l.capacity
		p.note(c, l.overloaded)
		if l.overloaded {
			p.crowd(c)
		} else if was {
			for _, u := range l.users {
				p.visit(u.flow)
			}
		}
	}
	p.dirty, p.fresh = p.dirty[:0], p.fresh[:0]
	p.connect()
	p.solve()
}

// crowd enters an overloaded uplink and its users.
func (p *Bandwidth) crowd(c int32) {
	l := &p.links[c]
	l.seen = p.round
	p.tight = append(p.tight, c)
	for _, u := range l.users {
		p.visit(u.flow)
	}
}

func (p *Bandwidth) visit(at int32) {
	if f := &p.flows[at]; f.seen != p.round {
		f.seen = p.round
		p.affected = append(p.affected, at)
	}
}

// connect completes the affected jobs by all that they can affect in turn, and
// collects the overloaded uplinks among them.
func (p *Bandwidth) connect() {
	unseen := p.overloaded
	if len(p.links) <= maskBits {
		for _, c := range p.tight {
			unseen &^= 1 << c
		}
	}
	for i := 0; i < len(p.affected); i++ {
		f := &p.flows[p.affected[i]]
		if f.links&unseen == 0 {
			continue
		}
		for _, u := range f.uses {
			l := &p.links[u.res]
			if !l.overloaded || l.seen == p.round {
				continue
			}
			p.crowd(u.res)
			if len(p.links) <= maskBits {
				unseen &^= 1 << u.res
			}
		}
	}
}

// solve is the allotment algorithm of section 3.5 for the affected jobs. For each uplink it takes the ratio of the
// rest of its capacity to the demand of its unfixed jobs (equation 3). The smallest ratio, if below 1, becomes the
// phi of the unfixed jobs of that uplink, on all their uplinks. These jobs are then fixed, and what they get is taken
// from their uplinks. That is repeated until no uplink is short. The jobs that remain get all.
//
// The result is max-min fair in phi: each job with phi below 1 has a saturated uplink on which no job has a larger phi.
// It takes at most one round for each overloaded uplink, and a round takes time in their users.
func (p *Bandwidth) solve() {
	for _, at := range p.affected {
		p.flows[at].phi, p.open[at] = 1, 1
	}
	slices.Sort(p.tight) // the same solution, bit for bit, however it was come upon
	for _, c := range p.tight {
		l := &p.links[c]
		l.left, l.open, l.stale = l.capacity, l.asked, false
	}
	phi := 0.0
	for {
		least, ratio := int32(-1), 1.0
		for _, c := range p.tight {
			l := &p.links[c]
			if l.stale {
				p.tally(l)
			}
			if l.open > 0 && l.left < ratio*l.open {
				least, ratio = c, l.left/l.open
			}
		}
		if least < 0 {
			return
		}
		// Ratios rise from round to round; rounding must not turn that around.
		phi = max(phi, ratio)
		for _, u := range p.links[least].users {
			if p.open[u.flow] == 0 {
				continue
			}
			f := &p.flows[u.flow]
			f.phi, p.open[u.flow] = phi, 0
			for _, w := range f.uses {
				l := &p.links[w.res]
				l.left -= phi * w.weight
				l.stale = true
			}
		}
		// All its users are fixed: no job wants more of it.
		p.links[least].open, p.links[least].stale = 0, false
	}
}

// tally sums anew what the jobs that are not yet fixed ask of an uplink: taking
// off what the others ask would gather rounding errors. Adding nothing for them
// is cheaper than to branch, and the sum is the same.
func (p *Bandwidth) tally(l *uplink) {
	asked := 0.0
	for _, u := range l.users {
		asked += u.asks * p.open[u.flow]
	}
	l.open, l.stale = asked, false
}

// rate is the job's in seconds of run time a second.
func (p *Bandwidth) rate(f *flow) float64 {
	if f.phi == 1 {
		return f.speed // exactly: K + (1-K) may round
	}
	return f.speed / (p.fraction + (1-p.fraction)/f.phi)
}

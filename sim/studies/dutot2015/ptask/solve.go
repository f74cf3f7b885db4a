package ptask

import (
	"math"

	"schedsweep/sim"
)

// precision is SimGrid's: a resource with less than this left (in flop/s or
// B/s) is exhausted.
const precision = 1e-5

// maxRounds ends a solution that does not settle. Each round leaves at most
// (1 - 1/users) of some shared resource, so thousands are far out of reach;
// only fat pipes can defeat that.
const maxRounds = 1_000_000

// resource is a backbone, the central link, or a part of a shared node.
type resource struct {
	capacity float64 // flop/s or B/s; 0 is no limit
	fat      bool    // every user may take all of it

	left, share float64
	users       int32 // tasks not frozen that use it; 0 is out of the game
	dead        bool  // exhausted in this round
	taken       float64
}

func linkResource(l sim.Link) resource {
	return resource{capacity: l.Bandwidth, fat: l.Sharing == sim.FatPipe}
}

// solve sets the rates of the enabled tasks by the rounds of SimGrid's
// bottleneck solver: a round divides the rest of each resource equally among its users (not their rates). Each task
// advances by as much as its scarcest share allows. A task that meets an exhausted resource or its own bound is
// frozen.
//
// SimGrid subtracts the last step of a frozen task again in every later round
// (sharing "simgrid"), which loses capacity; "clean" subtracts each step once.
//
// A round costs time in the number of tasks times the backbones they use. solve
// reports false when maxRounds did not suffice.
func (p *Model) solve() bool {
	for i := range p.res {
		p.res[i].left = p.res[i].capacity
	}
	p.alive = append(p.alive[:0], p.enabl...)
	for _, t := range p.alive {
		t.rate, t.mu, t.frozen = 0, 0, false
		for i := range t.lims {
			t.lims[i].left = t.lims[i].capacity
		}
	}
	for round := 0; len(p.alive) > 0; round++ {
		if round == maxRounds {
			return false
		}
		p.divide()
		for _, t := range p.alive {
			t.advance(p.res)
		}
		p.consume()
		p.freeze()
	}
	return true
}

// divide sets each resource's share for one more user.
func (p *Model) divide() {
	for i := range p.res {
		p.res[i].users = 0
	}
	for _, t := range p.alive {
		for i := range t.uses {
			p.res[t.uses[i].res].users++
		}
	}
	for i := range p.res {
		r := &p.res[i]
		switch {
		case r.users == 0:
		case r.fat:
			r.share, r.taken = r.left, r.left
		default:
			r.share = r.left / float64(r.users)
		}
	}
}

// advance raises the task's rate by what its scarcest resource allows.
func (t *task) advance(res []resource) {
	mu := math.Inf(1)
	for i := range t.lims {
		mu = min(mu, t.lims[i].left/t.lims[i].weight)
	}
	for i := range t.uses {
		mu = min(mu, res[t.uses[i].res].share/t.uses[i].weight)
	}
	mu = min(mu, t.bound-t.rate)
	t.mu = mu
	t.rate += mu
	t.frozen = t.rate == t.bound
	for i := range t.lims {
		l := &t.lims[i]
		l.left -= l.weight * mu
		t.frozen = t.frozen || l.left < precision
	}
}

// consume takes the steps of all enabled tasks, frozen or not, from the capacity left. Under "clean" the steps of frozen tasks are 0.
func (p *Model) consume() {
	for _, t := range p.enabl {
		if p.clean && t.mu == 0 {
			continue
		}
		for i := range t.uses {
			u := &t.uses[i]
			if r := &p.res[u.res]; r.fat {
				r.taken = min(r.taken, u.weight*t.mu)
			} else {
				r.left -= u.weight * t.mu
			}
		}
	}
	for i := range p.res {
		r := &p.res[i]
		if r.users == 0 {
			continue
		}
		if r.fat {
			r.left -= r.taken
		}
		r.dead = r.left < precision
	}
}

// freeze takes the tasks that have met their bound or an exhausted resource
// out of the rounds to come.
func (p *Model) freeze() {
	alive := p.alive[:0]
	for _, t := range p.alive {
		for i := range t.uses {
			t.frozen = t.frozen || p.res[t.uses[i].res].dead
		}
		if !t.frozen {
			alive = append(alive, t)
		} else if p.clean {
			t.mu = 0
		}
	}
	p.alive = alive
}

package placement

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// moveUp lets each waiting job in order of submission move to now if its own
// rule of placement finds room there, with its present place taken out; else it
// stays where it is, so nothing need be taken out to find that no room is.
func (c *Conservative) moveUp(now float64) {
	p := &c.profile
	c.ladder.valid = false
	for _, slot := range c.waiting {
		w := &c.plans[slot]
		if int(p.pieces[0].free) < w.q {
			continue
		}
		end := now + c.jobs[slot].Walltime()
		if !c.roomNow(w, end) {
			continue
		}
		clear(c.chosen)
		if !c.rule.choose(c.chosen, c.scratch, w.q) {
			continue
		}
		p.give(w.start, w.end, w.set, w.q)
		w.start, w.end = now, end
		w.set, c.chosen = c.chosen, w.set
		p.take(now, end, w.set, w.q)
		c.ladder.valid = false
	}
}

// roomNow reports whether q processors are free from now to end once w is taken
// out, and leaves them in c.scratch. In most cases the common table of reaches
// answers without a look at the profile.
func (c *Conservative) roomNow(w *plan, end float64) bool {
	p, r := &c.profile, &c.ladder
	if !r.valid {
		r.build(p)
	}
	if w.start >= end {
		if r.until(w.q) < end {
			return false
		}
		r.common(c.scratch, end)
		return true
	}
	if r.until(w.q) < w.start {
		return false
	}
	i := 0
	if w.start > p.pieces[0].start {
		r.common(c.scratch, w.start)
		i = p.find(w.start)
	} else {
		for k := range c.scratch {
			c.scratch[k] = math.MaxUint64
		}
	}
	// The job's own place lasts as long as any that starts now.
	for ; i < len(p.pieces) && p.pieces[i].start < end; i++ {
		if intersectUnion(c.scratch, p.of(i), w.set) < w.q {
			return false
		}
	}
	return true
}

// overrun reports whether a job runs beyond its planned end. Whose planned end is
// now may still end at this instant unless it is over.
func (c *Conservative) overrun(now float64) bool {
	return slices.ContainsFunc(c.running, func(slot int32) bool {
		end := c.plans[slot].end
		return end < now || end == now && c.woken
	})
}

// replan plans all that runs and waits from nothing.
func (c *Conservative) replan(s *sim.State) {
	now := s.Now()
	c.profile.reset(c.rule.total, now)
	for _, slot := range c.running {
		w := &c.plans[slot]
		c.profile.take(now, s.ExpectedEnd(w.end), w.set, w.q)
	}
	for _, slot := range c.waiting {
		c.place(&c.plans[slot], c.jobs[slot].Walltime())
	}
}

// plannedEnd is the first planned end after now of what runs.
func (c *Conservative) plannedEnd(now float64) float64 {
	next := math.Inf(1)
	for _, slot := range c.running {
		if end := c.plans[slot].end; end > now {
			next = min(next, end)
		}
	}
	return next
}

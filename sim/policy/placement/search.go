package placement

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// Earliest is the earliest start of j, not before from, and chooses its processors for [Plan.Take]. Candidate starts
// are from and the starts of intervals behind it; the last interval, in which everything is free, always takes the job.
//
// The search holds a window of consecutive intervals with at least q free
// processors each. Its first interval becomes a candidate when the window is long
// enough for the walltime: longer than that in a strict plan, which thus
// finds a hole of exactly that length only if what follows has q free as well;
// at least as long otherwise.
func (c *Plan) Earliest(j *sim.Job, from float64) float64 {
	p := &c.profile
	walltime, last := j.Walltime(), len(p.intervals)-1
	need, node := c.need(j)
	if len(c.closed) > 0 || c.grouped {
		return c.earliestOpen(j, from, math.Inf(1), need, node)
	}
	q := int32(need)
	first := p.find(from)
	for i := first; i <= last; i++ {
		if p.intervals[i].free < q {
			first = i + 1
			continue
		}
		for first <= i {
			start := max(p.intervals[first].start, from)
			end := start + walltime
			if i < last && (p.end(i) < end || c.strict && p.end(i) == end) {
				break
			}
			if c.hole(j, first, start, need, node) {
				return start
			}
			first++
		}
	}
	panic("placement: no place even on the idle machine")
}

// Fits reports whether j may start now, beside all that have places, and chooses its processors for [Plan.Take].
func (c *Plan) Fits(j *sim.Job, now float64) bool {
	q, node := c.need(j)
	if c.grouped && !c.twice && !c.others {
		return int(c.Free()) >= q && c.fitsNow(j, now, q, node)
	}
	c.lit = true
	_, crowded := c.roomy(0, q, now+j.Walltime())
	fits := !crowded && int(c.Free()) >= q && c.hole(j, 0, now, q, node)
	c.lit = false
	if c.grouped {
		return fits && !c.touches(c.busy, c.picked)
	}
	return fits && !c.chosen.Meets(c.busy)
}

// hole tests the hole of q processors for j that begins at a time in interval i, and chooses them.
func (c *Plan) hole(j *sim.Job, i int, start float64, q, node int) bool {
	p, s, end := &c.profile, c.scratch, start+j.Walltime()
	if c.grouped {
		return c.groupHole(j, i, start, end, q, node)
	}
	copy(s, p.of(i))
	if len(c.closed) > 0 && c.dropClosed(s, j, start) < q { // first: most starts before nodes are on fail here
		return false
	}
	for i++; i < len(p.intervals) && p.intervals[i].start < end; i++ {
		if s.intersect(p.of(i)) < q {
			return false
		}
	}
	return c.choose(s, q, node)
}

// Advance takes the waiting job j out and gives it its earliest place anew, which it returns. Its old place is free
// again then. A rule that allowed it allows the processors that are free there now, so the new start is never later.
//
// Most jobs stay where they are, so a job is taken out only in thought: the
// profile changes when the place does.
func (c *Plan) Advance(j *sim.Job) float64 {
	p, w := &c.profile, &c.places[j.Slot()]
	if c.grouped {
		return c.Again(j, p.intervals[0].start) // now
	}
	from, to := p.cut(w.start), p.cut(w.end)
	i, chosen := c.earliest(w, j.Walltime(), from, to)
	if !chosen || i == from && slices.Equal(c.chosen, w.set) {
		p.join(to)
		p.join(from)
		w.stamp = p.stamp
		return w.start
	}
	start := p.intervals[i].start
	p.give(w.start, w.end, w.set, w.q)
	c.Take(j, start)
	return start
}

// earliest returns the interval at which w fits first if its own place, the intervals
// from from to to-1, is taken out. chosen says that c.chosen holds its
// processors; otherwise the place is the old one and nothing has changed there.
//
// A hole without an interval that has changed since w was last planned is as it
// was: too small before w's start, and just right there. An interval that has since been cut off a longer one makes no
// difference. A hole that begins inside an interval is no larger than the hole that begins with the interval.
func (c *Plan) earliest(w *place, walltime float64, from, to int) (i int, chosen bool) {
	p := &c.profile
	last, first, changed, q := len(p.intervals)-1, 0, -1, int32(w.q)
	for i := range p.intervals {
		x := &p.intervals[i]
		if x.free < q && (i < from || i >= to) {
			first = i + 1
			continue
		}
		if x.stamp > w.stamp {
			changed = i
		}
		for first <= i {
			end := p.intervals[first].start + walltime
			if i < last && p.end(i) < end {
				break
			}
			if changed >= first {
				if c.holeWithout(w, first, end, from, to) {
					return first, true
				}
			} else if first == from {
				return first, false
			}
			first++
		}
	}
	panic("placement: a job has lost its place")
}

// holeWithout tests the hole from interval i to time end with w's own place taken
// out, and chooses processors in it.
func (c *Plan) holeWithout(w *place, i int, end float64, from, to int) bool {
	p := &c.profile
	s := c.scratch
	copy(s, p.of(i))
	if i >= from && i < to {
		for k, own := range w.set {
			s[k] |= own
		}
	}
	for i++; i < len(p.intervals) && p.intervals[i].start < end; i++ {
		n := 0
		if i >= from && i < to {
			n = s.intersectUnion(p.of(i), w.set)
		} else {
			n = s.intersect(p.of(i))
		}
		if n < w.q {
			return false
		}
	}
	return c.choose(s, w.q, w.node)
}

package placement

import "slices"

// compress takes each waiting job out in queue order and gives it its earliest
// place anew. Its old place is free again then, and a rule that allowed it
// allows what is free there now, so the new start is never later.
//
// Most jobs stay where they are, so a job is taken out only in thought: the
// profile changes when the place does.
func (c *Conservative) compress() {
	p := &c.profile
	for _, slot := range c.waiting {
		w := &c.plans[slot]
		walltime := c.jobs[slot].Walltime()
		from, to := p.cut(w.start), p.cut(w.end)
		i, chosen := c.earliest(w, walltime, from, to)
		if !chosen || i == from && slices.Equal(c.chosen, w.set) {
			p.join(to)
			p.join(from)
			w.stamp = p.stamp
			continue
		}
		start := p.pieces[i].start
		p.give(w.start, w.end, w.set, w.q)
		w.start, w.end = start, start+walltime
		w.set, c.chosen = c.chosen, w.set
		p.take(w.start, w.end, w.set, w.q)
		w.stamp = p.stamp
	}
}

// earliest returns the piece at which w fits first if its own place, the pieces
// from from to to-1, is taken out. chosen says that c.chosen holds its
// processors; otherwise the place is the old one and nothing has changed there.
//
// A hole without a piece that has changed since w was last planned is as it
// was: too small before w's start, and just right there. A piece that has since
// been cut off a longer one makes no difference, for a hole that begins inside
// a piece is no larger than the one that begins where the piece does.
func (c *Conservative) earliest(w *plan, walltime float64, from, to int) (i int, chosen bool) {
	p := &c.profile
	last, first, changed, q := len(p.pieces)-1, 0, -1, int32(w.q)
	for i := range p.pieces {
		piece := &p.pieces[i]
		if piece.free < q && (i < from || i >= to) {
			first = i + 1
			continue
		}
		if piece.stamp > w.stamp {
			changed = i
		}
		for first <= i {
			end := p.pieces[first].start + walltime
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

// holeWithout tests the hole from piece i to time end with w's own place taken
// out, and chooses processors in it.
func (c *Conservative) holeWithout(w *plan, i int, end float64, from, to int) bool {
	p := &c.profile
	s := c.scratch
	copy(s, p.of(i))
	if i >= from && i < to {
		for k, own := range w.set {
			s[k] |= own
		}
	}
	for i++; i < len(p.pieces) && p.pieces[i].start < end; i++ {
		n := 0
		if i >= from && i < to {
			n = intersectUnion(s, p.of(i), w.set)
		} else {
			n = intersect(s, p.of(i))
		}
		if n < w.q {
			return false
		}
	}
	clear(c.chosen)
	return c.rule.choose(c.chosen, s, w.q)
}

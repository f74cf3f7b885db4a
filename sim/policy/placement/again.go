package placement

import (
	"math"
	"math/bits"
	"slices"

	"schedsweep/sim"
)

// Again gives the waiting job j its earliest place anew, not before now, and returns its start.
//
// Before its present start the job found no hole. Nodes that are not on only come later than they could when it was planned. So only holes
// with an interval that has changed since are tested there, as in [Plan.Advance].
func (c *Plan) Again(j *sim.Job, now float64) float64 {
	p, w := &c.profile, &c.places[j.Slot()]
	start, end := w.start, w.end
	from := now
	if c.grouped && start >= now && len(c.closed) == 0 && !c.twice {
		if from = c.soonest(w, j.Walltime()); from == start && c.settled(w) {
			w.stamp = p.stamp
			return start
		}
	}
	p.trial = c.grouped
	c.Release(j, start)
	if c.grouped && start > now {
		c.since, c.before = w.stamp, start
	}
	t := c.Earliest(j, from)
	c.since, c.before = -1, math.Inf(-1)
	if p.trial && (t != start || !slices.Equal(c.picked, w.spans)) {
		p.trial = false
		p.mark(start, end)
	}
	c.Take(j, t)
	p.trial = false
	return t
}

// soonest is the first start of a waiting job for which its processors are enough with its own place w taken out. Before the present
// start it tests holes with an interval that has changed since the last search. The plan stays as it is.
//
// A hole that lasts into the place has two kinds of processors: some are free all the time, and others are free up to the place and
// belong to it.
func (c *Plan) soonest(w *place, walltime float64) float64 {
	p, own, changed := &c.profile, c.setOf(w), -1
	for len(c.reaches) < len(p.intervals) {
		c.reaches = append(c.reaches, reach{})
	}
	for i, low, last, falls := 0, 0, -1, 0; i < len(p.intervals) && p.intervals[i].start < w.start; i++ {
		start := p.intervals[i].start
		end, crowded := start+walltime, false
		for low = max(low, i); low < len(p.intervals) && p.intervals[low].start < end; low++ {
			x := &p.intervals[low]
			if crowded = int(x.free) < w.q && x.start < w.start; crowded {
				i = low
				break
			}
			if x.stamp > w.stamp {
				changed = low
			}
		}
		if crowded || changed < i {
			continue
		}
		if last < i { // the last start before the next fall has most room
			for ; p.fallAfter(falls) <= start; falls++ {
			}
			for last = i; last+1 < len(p.intervals) && p.intervals[last+1].start < min(p.fallAfter(falls), w.start); last++ {
			}
		}
		if !c.enough(c.reachFrom(&c.reaches[last], p.intervals[last].start, false), w, own, end) {
			i = last
		} else if last == i || c.enough(c.reachFrom(&c.reaches[i], start, false), w, own, end) {
			return start
		}
	}
	return w.start
}

// enough reports whether the processors of a hole from the begin of r to a time suffice for w, whose own groups are free.
func (c *Plan) enough(r *reach, w *place, own Set, end float64) bool {
	k, q := c.step(r, min(end, w.start), w.q), w.q
	if r.sizes[k] < q || end <= w.start {
		return r.sizes[k] >= q
	}
	for i, free := range r.set(k) {
		q -= c.weigh(i, free&own[i])
	}
	return r.sizes[c.step(r, end, q)] >= q
}

// settled reports whether no processor before the last one of the place w is free as long as the place lasts. Its processors are then the
// lowest that it can have.
func (c *Plan) settled(w *place) bool {
	p, own := &c.profile, c.setOf(w)
	_, hi := own.extent()
	s, i := c.scratch[:hi], p.find(w.start)
	copy(s, p.of(i))
	s[hi-1] &= 1<<(bits.Len64(own[hi-1])-1) - 1
	first, _ := slices.BinarySearch(p.falls, math.Nextafter(w.start, math.Inf(1)))
	for _, fall := range p.falls[first:] {
		if fall >= w.end {
			break
		}
		for ; p.intervals[i].start < fall; i++ {
		}
		if s.intersect(p.of(i)) == 0 {
			return true
		}
	}
	return s.Len() == 0
}

package placement

import (
	"math"
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
	from, stays := c.Soonest(j, now)
	if stays {
		w.stamp = p.stamp
		return start
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

// Soonest returns a time, not before from, before which the waiting job j has no place. It reports whether a search from then on would
// leave j where it is, on nodes that are on.
func (c *Plan) Soonest(j *sim.Job, from float64) (soonest float64, stays bool) {
	w := &c.places[j.Slot()]
	if !c.grouped || w.start < from || c.twice {
		return from, false
	}
	from = max(from, c.soonest(w, j.Walltime(), from))
	return from, from == w.start && c.settled(j, w)
}

// soonest is the first start of a waiting job for which its processors are enough with its own place w taken out, not before the interval
// of a time from. The plan stays as it is.
//
// A hole that lasts into the place has two kinds of processors: some are free all the time, and others are free up to the place and
// belong to it. Of all starts up to a time, with a hole to the first one's end, the last has most room. So one test refuses the starts up
// to a number of falls: eight at first, twice as many after each test that fails, and half as many after each that does not.
func (c *Plan) soonest(w *place, walltime, from float64) float64 {
	p := &c.profile
	for len(c.reaches) < len(p.intervals) {
		c.reaches = append(c.reaches, reach{})
	}
	for i, last, falls, far := p.find(from), -1, 0, 8; i < len(p.intervals) && p.intervals[i].start < w.start; i++ {
		start := p.intervals[i].start
		end := start + walltime
		if last < i {
			for ; p.fallAfter(falls) <= start; falls++ {
			}
			until := min(p.fallAfter(falls+far-1), w.start, end)
			if last = p.find(until); p.intervals[last].start == until {
				last--
			}
		}
		switch enough := c.enough(c.reachFrom(&c.reaches[last], p.intervals[last].start, false), w, end); {
		case !enough:
			i, far = last, min(2*far, len(p.falls)+1)
		case far > 1: // try i again
			i, last, far = i-1, i-1, far/2
		case last == i || c.enough(c.reachFrom(&c.reaches[i], start, false), w, end):
			return start
		}
	}
	return w.start
}

// enough reports whether the processors of a hole from the begin of r to a time suffice for w, whose own are free.
func (c *Plan) enough(r *reach, w *place, end float64) bool {
	k, q := c.step(r, min(end, w.start), w.q), w.q
	if r.sizes[k] < q || end <= w.start {
		return r.sizes[k] >= q
	}
	own := c.setOf(w)
	if r.version != c.profile.version { // groups have new numbers
		return c.enough(c.reachFrom(r, r.from, false), w, end)
	}
	for i, free := range r.set(k) {
		q -= c.weigh(i, free&own[i])
	}
	return r.sizes[c.step(r, end, q)] >= q
}

// settled reports whether no processor before the last one of the place w of j is free as long as the place lasts, and nothing closes the
// place. Its processors are then the lowest that it can have. The rule powered-first takes free nodes that are off later.
func (c *Plan) settled(j *sim.Job, w *place) bool {
	if c.rule.name == "best-effort-contiguous" { // which takes the longest runs
		return false
	}
	if len(c.closed) > 0 && c.touches(c.dark, w.spans) {
		return false
	}
	for i := range c.closed {
		if o := &c.closed[i]; c.others && o.Bars(j, w.start) && c.touches(o.Set, w.spans) {
			return false
		}
	}
	p, last := &c.profile, c.groupFrom(0, w.spans[len(w.spans)-1].Hi)
	s, i := c.scratch[:last/64+1], p.find(w.start)
	copy(s, p.of(i))
	s[last/64] &= 1<<(last%64) - 1
	if c.rule.name == PoweredFirst {
		s.Drop(c.off)
	}
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

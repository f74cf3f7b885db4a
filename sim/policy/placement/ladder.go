package placement

import (
	"math"

	"schedsweep/sim"
)

// ladder holds the processors that stay free from now on, and until when, by steps
// of ever smaller sets, each with the time to which all of it is free. It is
// built in one walk over the profile and answers for all waiting jobs.
type ladder struct {
	valid bool
	words int
	ends  []float64
	sizes []int
	sets  []uint64
}

func (r *ladder) reset(words int) { r.valid, r.words = false, words }

// build climbs the ladder from the profile's first interval.
func (r *ladder) build(p *profile) {
	r.valid = true
	r.ends, r.sizes = append(r.ends[:0], math.Inf(1)), append(r.sizes[:0], int(p.intervals[0].free))
	r.sets = append(r.sets[:0], p.of(0)...)
	for i := 1; i < len(p.intervals); i++ {
		last := len(r.sizes) - 1
		if r.sizes[last] == 0 {
			return
		}
		n := 0
		r.sets = append(r.sets, r.sets[last*r.words:]...)
		if n = Set(r.sets[(last+1)*r.words:]).intersect(p.of(i)); n == r.sizes[last] {
			r.sets = r.sets[:(last+1)*r.words]
			continue
		}
		r.ends[last] = p.intervals[i].start
		r.ends, r.sizes = append(r.ends, math.Inf(1)), append(r.sizes, n)
	}
}

// until returns the time to which q processors stay free.
func (r *ladder) until(q int) float64 {
	lo, hi := 0, len(r.sizes) // the last rung with at least q is before hi
	for lo < hi {
		if m := int(uint(lo+hi) / 2); r.sizes[m] >= q {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == 0 {
		return math.Inf(-1)
	}
	return r.ends[lo-1]
}

// common makes s the processors that stay free to time end.
func (r *ladder) common(s Set, end float64) {
	lo, hi := 0, len(r.ends)-1
	for lo < hi {
		if m := int(uint(lo+hi) / 2); r.ends[m] >= end {
			hi = m
		} else {
			lo = m + 1
		}
	}
	copy(s, r.sets[lo*r.words:])
}

// Free is the number of processors that are free now.
func (c *Plan) Free() int32 { return c.profile.intervals[0].free }

// MoveUp moves the waiting job j to now if its rule of placement finds room there with its present place taken out.
// At least as many processors as j needs must be free now. It reports whether j moved; otherwise the job stays where
// it is.
func (c *Plan) MoveUp(j *sim.Job, now float64) bool {
	w := &c.places[j.Slot()]
	end := now + j.Walltime()
	if !c.roomNow(w, end) {
		return false
	}
	if !c.choose(c.scratch, w.q, w.node) {
		return false
	}
	c.profile.give(w.start, w.end, w.set, w.q)
	c.Take(j, now)
	c.ladder.valid = false
	return true
}

// roomNow reports whether q processors are free from now to end once w is taken
// out, and leaves them in c.scratch. In most cases the common table of reaches
// answers without a look at the profile.
func (c *Plan) roomNow(w *place, end float64) bool {
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
	if w.start > p.intervals[0].start {
		r.common(c.scratch, w.start)
		i = p.find(w.start)
	} else {
		for k := range c.scratch {
			c.scratch[k] = math.MaxUint64
		}
	}
	// The job's own place lasts as long as any that starts now.
	for ; i < len(p.intervals) && p.intervals[i].start < end; i++ {
		if c.scratch.intersectUnion(p.of(i), w.set) < w.q {
			return false
		}
	}
	return true
}

package placement

import "math"

// ladder knows which processors stay free from now on, and until when, by steps
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

// build climbs the ladder from the profile's first piece.
func (r *ladder) build(p *profile) {
	r.valid = true
	r.ends, r.sizes = append(r.ends[:0], math.Inf(1)), append(r.sizes[:0], int(p.pieces[0].free))
	r.sets = append(r.sets[:0], p.of(0)...)
	for i := 1; i < len(p.pieces); i++ {
		last := len(r.sizes) - 1
		if r.sizes[last] == 0 {
			return
		}
		n := 0
		r.sets = append(r.sets, r.sets[last*r.words:]...)
		if n = intersect(r.sets[(last+1)*r.words:], p.of(i)); n == r.sizes[last] {
			r.sets = r.sets[:(last+1)*r.words]
			continue
		}
		r.ends[last] = p.pieces[i].start
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
func (r *ladder) common(s []uint64, end float64) {
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

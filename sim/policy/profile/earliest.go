package profile

import "math"

// Earliest is the earliest start, not before from, at which n processors stay
// free for d seconds. A hole of exactly that length is accepted. It is +Inf when
// there is none, which takes a reservation without an end.
func (p *Profile) Earliest(from float64, n int, d float64) float64 {
	bound := p.bounds.get(n, d)
	s, ok := p.search(max(from, bound), math.Inf(1), n, d)
	if !ok {
		s = math.Inf(1)
	}
	// The walk has proved that nothing fits on [from, s), which bounds other
	// searches if it began no later than any of them can.
	if from <= p.cut {
		p.bounds.set(n, d, s)
	}
	return s
}

// EarlierThan is the earliest start on [from, start) for a job of n processors
// and d seconds that holds a reservation from start on: what the job would find
// if that reservation were taken out. It reports whether there is one. Because
// the own reservation frees n processors from start to start + d, only the time
// before start decides, and nothing needs to be taken out to see it.
//
// What earlier calls have proved (see proofs) is not searched again.
func (p *Profile) EarlierThan(from, start float64, n int, d float64) (float64, bool) {
	bound, none := p.proofs.get(start, n, d)
	if none || !(from < start) {
		return 0, false
	}
	// Not even a bound beyond start says whether the piece just before start is
	// wide enough, which would let the job begin there.
	first := max(from, min(bound, math.Nextafter(start, from)))
	s, ok := p.search(first, start, n, d)
	if ok && s == first && first > from {
		// The hole may have begun before first where it reaches to start; by (2)
		// it cannot otherwise.
		s, ok = p.search(from, start, n, d)
	}
	// Proved is something of all s from from on, which is all s there are if the
	// profile begins there.
	if from <= p.cut {
		if ok {
			p.proofs.set(s, n, d)
		} else {
			p.proofs.set(start, n, d)
		}
	}
	return s, ok
}

// search walks to the first hole of n processors and d seconds that begins on
// [from, limit), where everything from limit on counts as free.
func (p *Profile) search(from, limit float64, n int, d float64) (float64, bool) {
	if !(from < limit) {
		return 0, false
	}
	b, i := p.find(from)
	need, start := int32(n), from
	h := &p.heads[b]
	open := p.blocks[h.at].free[i]+h.add >= need
	for i++; ; i = 0 {
		if open && h.least < need || !open && h.most >= need {
			k := &p.blocks[h.at]
			frees, least := k.free[:h.n], need-h.add
			for ; i < len(frees); i++ {
				if frees[i] >= least == open {
					continue
				}
				t := k.t[i]
				if t >= limit || open && start+d <= t {
					return start, open
				}
				start, open = t, !open
			}
		}
		if b++; b == len(p.heads) {
			return start, open
		}
		if h = &p.heads[b]; h.t >= limit {
			return start, open
		}
	}
}

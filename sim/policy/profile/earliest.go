package profile

import "math"

// Earliest is the earliest start, not before from, at which n processors stay
// free for d seconds; a hole of exactly that length is accepted. It is +Inf when
// there is none, which takes a reservation without an end. Neither from nor that of
// Advance is before the profile's beginning, or negative.
func (p *Profile) Earliest(from float64, n int, d float64) float64 {
	s, _ := p.search(from, p.bounds.get(n, d), math.Inf(1), n, d)
	if from <= p.heads[0].at {
		p.bounds.set(n, d, s)
	}
	return s
}

// Advance moves a reservation of n processors for d seconds from start to the earliest
// start on [from, start) at which there is room for it once it is taken out. It
// returns where the reservation begins then.
func (p *Profile) Advance(from, start float64, n int, d float64) float64 {
	s, in := p.search(from, from, start, n, d)
	if !(s < start) {
		return start
	}
	// What the old and the new place have in common does not change.
	p.add(in, s, min(start, s+d), -n)
	tail := max(start, s+d)
	p.add(p.findNear(in.h, tail), tail, start+d, n)
	return s
}

// Soonest is a time on [from, start], before which [Profile.Advance] finds no start.
func (p *Profile) Soonest(from, start float64, n int, d float64) float64 {
	s, _ := p.search(from, from, start, n, d)
	return min(s, start)
}

// search is the earliest start, not before from, and the piece that it lies in,
// if everything from limit on is free; limit when there is none before. There is
// none before known.
func (p *Profile) search(from, known, limit float64, n int, d float64) (float64, spot) {
	first := p.proofs.bound(max(from, known), limit, int32(n), d)
	if !(first < limit) {
		return limit, spot{}
	}
	s, in := p.walk(first, limit, n, d)
	if from <= p.heads[0].at {
		p.proofs.note(int32(n), d, s)
	}
	return s, in
}

// walk is search without proofs. It takes the pieces as they come, without jumps
// by whether they fit: in a crowded plan holes are many and short, and a wrong
// guess of the processor costs as much as ten pieces. Times are compared as bits,
// whose order is that of the times from 0 on.
func (p *Profile) walk(from, limit float64, n int, d float64) (float64, spot) {
	h, i := p.find(from)
	b, w := p.block(h), int32(n)
	if b.at[i] >= min(limit, from+d) {
		return from, spot{h, i}
	}
	// The piece lies in a stretch that begins at start, where a job would last
	// until end.
	start, end, last := order(from), order(from+d), order(limit)
	first, firstBlock := i, h
	blocked := b.free[i] < w
	for i++; ; i = 0 {
		at, free, known := b.at[:b.n], b.free[:b.n], start
		for ; i < len(at) && i < len(free); i++ {
			x, y := order(at[i]), order(at[i]+d)
			if blocked {
				start = x
			}
			if blocked {
				end = y
			}
			if blocked {
				first = i
			}
			if x >= end || x >= last {
				if start != known {
					firstBlock = h
				}
				return math.Float64frombits(uint64(start)), spot{firstBlock, first}
			}
			blocked = free[i] < w
		}
		if start != known {
			firstBlock = h
		}
		if h++; h == len(p.heads) {
			break
		}
		b = p.block(h)
	}
	if blocked {
		return limit, spot{}
	}
	return math.Float64frombits(uint64(start)), spot{firstBlock, first}
}

// Agree is the earliest time from which on all searches agree with: each returns the first time, from a given one on, that
// suits it. It is +Inf where one of them finds none.
func Agree(from float64, searches ...func(from float64) float64) float64 {
	for i, agreed := 0, 0; agreed < len(searches); i = (i + 1) % len(searches) {
		t := searches[i](from)
		if math.IsInf(t, 1) {
			return t
		}
		if agreed++; t != from {
			from, agreed = t, 1
		}
	}
	return from
}

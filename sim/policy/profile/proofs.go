package profile

import "math"

// proofs remembers the proofs of the last searches of a profile: that no n
// processors are free for d seconds at any start before s. The same holds for
// everything at least as wide and as long. A reservation leaves a proof as it
// is. A release on [a, b) counts only for starts whose d seconds reach beyond a,
// and only if n processors are free there then. Earlier starts stay ruled
// out. So compressing a plan, which gives and takes by turns, does not wear the
// proofs out.
//
// More has been proved for a job that has a reservation from s on: with everything
// free from there, too, no start before s fits, for each comes upon a moment before
// s at which fewer than n are free. That holds until something is released before s.
// In a real queue many have the same start, and need no search.
//
// In a crowded plan holes that are wide enough but too short are many, and a search would look at all of them. With
// the proofs of a few others it begins close to its answer: as likely as not, one of them is at most as wide and as
// long. They are few because each search and each change looks at all of them: from 4 to 16 are about as fast, 8 by a
// little the fastest.
//
// Times are kept as bits, whose order is that of the times from 0 on; a negative
// one rules nothing out. That spares all conditional jumps.
type proofs struct {
	list [memory]proof
	last int
}

// memory is the number of proofs that are kept.
const memory = 8

type proof struct {
	d    float64
	s    int64 // by order
	held int64 // s as long as it holds with all free from s on, too; then -1
	n    int32
}

// slack, in seconds, keeps differences of times on the safe side of rounding, for
// times up to 1e12 s.
const slack = 1e-3

// order is a number in the order of times.
func order(t float64) int64 { return int64(math.Float64bits(t)) }

// forget drops all proofs.
func (p *proofs) forget() {
	for i := range p.list {
		p.list[i].n = math.MaxInt32
	}
}

// note keeps a proof instead of the oldest one.
func (p *proofs) note(n int32, d, s float64) {
	p.last = (p.last + 1) % memory
	p.list[p.last] = proof{d, order(s), order(s), n}
}

// given weakens the proofs after processors were released from time a on, so that
// up to n are free there.
func (p *proofs) given(n int32, a float64) {
	from := order(a)
	a -= slack
	for i := range p.list {
		e := &p.list[i]
		s, held, left := e.s, e.held, order(a-e.d)
		if held > from {
			held = -1
		}
		if e.n > n {
			left, held = s, e.held
		}
		if left < s {
			s = left
		}
		e.s, e.held = s, held
	}
}

// bound is the latest time, or from, before which n processors are known not to be
// free for d seconds, even if everything from limit on were free.
func (p *proofs) bound(from, limit float64, n int32, d float64) float64 {
	best, length, last := order(from), order(d), order(limit)
	limit -= slack
	for i := range p.list {
		e := &p.list[i]
		s := e.s
		if left := order(limit - e.d); left < s {
			s = left
		}
		if e.held == last {
			s = last
		}
		if e.n > n {
			s = 0
		}
		if order(e.d) > length {
			s = 0
		}
		if s > best {
			best = s
		}
	}
	return math.Float64frombits(uint64(best))
}

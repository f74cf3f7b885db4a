package timeslice

import "math"

// proofs remembers what the last searches of a plan have proved: that no n nodes
// are free for d seconds at any start before s. The same holds for everything at
// least as wide and as long. What is taken from the plan leaves a proof as it is.
// What is given back on [a, b) counts only for starts whose d seconds reach
// beyond a, and only if n nodes are free there then; earlier starts stay ruled
// out. So compressing a plan, which gives and takes by turns, does not wear the
// proofs out.
//
// In a crowded plan holes that are wide enough but too short are many, and a
// search would look at all of them. By the proofs of a few others, of which one
// is as narrow and as short as not, it begins close to its answer. They are few
// because each search and each change looks at all of them: from 4 to 16 are
// about as fast, 8 by a little the fastest.
//
// Times are kept as bits, whose order is that of the times from 0 on; a negative
// one rules nothing out. That spares all conditional jumps.
type proofs struct {
	list [memory]proof
	last int
}

// memory is how many proofs there are.
const memory = 8

type proof struct {
	d float64
	s int64 // by order
	n int32
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
	p.list[p.last] = proof{d, order(s), n}
}

// given weakens the proofs after nodes were given back from time a on, so that up
// to n are free there.
func (p *proofs) given(n int32, a float64) {
	a -= slack
	for i := range p.list {
		e := &p.list[i]
		s, left := e.s, order(a-e.d)
		if e.n > n {
			left = s
		}
		if left < s {
			s = left
		}
		e.s = s
	}
}

// bound is the latest time, or from, before which n nodes are known not to be
// free for d seconds, even if everything from limit on were free.
func (p *proofs) bound(from, limit float64, n int32, d float64) float64 {
	best, length := order(from), order(d)
	limit -= slack
	for i := range p.list {
		e := &p.list[i]
		s := e.s
		if left := order(limit - e.d); left < s {
			s = left
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

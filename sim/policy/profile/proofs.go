package profile

import "math"

// proofs remembers what the last searches of EarlierThan have found, so that a
// queue that is gone through job by job is not searched for anew for each. A
// search for n processors and d seconds, where everything from start on counts as
// free, that finds nothing before start has proved
//
//	(1) for each s before start, fewer than n processors are free at some moment
//	    of [s, min(s+d, start)).
//
// The window of a job of m >= n processors and e >= d seconds contains that of
// (1), so that whoever holds a reservation from the same start on cannot begin
// earlier either. For a reservation from another moment on there is what follows
// from (1) and says nothing about windows that are open at their end:
//
//	(2) for each s before start, fewer than n processors are free at some moment
//	    of [s, s+d).
//
// When a search finds a place, (1) holds with that place for start: a window that
// is wide enough from some s up to there would go on in the hole that begins
// there, and the search would have found that s.
//
// What is reserved only takes, and when the profile is cut there are fewer s; both
// leave all that is proved. A release from time a on leaves (1) where a is not
// before start, since its windows end there, and otherwise leaves (2) for the
// windows that end no later than a, which are those of s up to a - d. All this
// holds in floating point too, in which adding and taking the lesser keep the
// order of what they are applied to.
//
// Neighbours in a queue are alike, so a few proofs do; all of them are looked at
// each time, in O(1).
type proofs struct {
	list [proofCount]proof
	next int // the one to be replaced
}

// proofCount is how many proofs are kept. On the log of Curie 4 answer most
// searches, and more cost more than they save.
const proofCount = 4

// proof says that nothing of n processors and d seconds begins before start.
type proof struct {
	n     int
	d     float64
	start float64
	held  bool // (1) holds, else only (2)
}

// forget drops all proofs.
func (q *proofs) forget() {
	q.next = 0
	for i := range q.list {
		q.list[i] = proof{start: math.Inf(-1)}
	}
}

// get returns the best bound by (2) for the start of n processors and d seconds,
// and reports whether (1) excludes all that is before start.
func (q *proofs) get(start float64, n int, d float64) (bound float64, none bool) {
	bound = math.Inf(-1)
	for i := range q.list {
		f := &q.list[i]
		if f.n > n || f.d > d {
			continue
		}
		if f.start == start && f.held {
			return start, true
		}
		bound = max(bound, f.start)
	}
	return bound, false
}

// set notes (1) for n processors and d seconds.
func (q *proofs) set(start float64, n int, d float64) {
	q.list[q.next] = proof{n, d, start, true}
	q.next = (q.next + 1) % proofCount
}

// released keeps what is left when something is released from time a on.
func (q *proofs) released(a float64) {
	for i := range q.list {
		f := &q.list[i]
		if f.held && f.start <= a || !f.held && f.start+f.d <= a {
			continue
		}
		last := a - f.d
		for last+f.d > a {
			last = math.Nextafter(last, math.Inf(-1))
		}
		f.start, f.held = min(f.start, last), false
	}
}

package timeslice

import "math/bits"

// Set is a set of nodes, one bit each.
type Set []uint64

// Resized returns an empty set for n nodes that uses the memory of s.
func (s Set) Resized(n int) Set { return append(s[:0], make(Set, (n+63)/64)...) }

// Add puts a node into the set.
func (s Set) Add(node int) { s[node>>6] |= 1 << (node & 63) }

// Len is the number of nodes in the set.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Clear empties the set.
func (s Set) Clear() { clear(s) }

// Copy makes s equal to t.
func (s Set) Copy(t Set) { copy(s, t) }

// Join adds all nodes of t.
func (s Set) Join(t Set) {
	for i := range s {
		s[i] |= t[i]
	}
}

// Drop removes all nodes of t.
func (s Set) Drop(t Set) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// Meets reports whether the sets have a node in common.
func (s Set) Meets(t Set) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// Each calls f for the nodes in ascending order until it returns false.
func (s Set) Each(f func(node int) bool) {
	for i, w := range s {
		for w != 0 {
			if !f(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
			w &= w - 1
		}
	}
}

// TakeLowest moves the n lowest nodes of s to t. There must be as many.
func (s Set) TakeLowest(n int, t Set) {
	for i := 0; n > 0; i++ {
		w := s[i]
		if c := bits.OnesCount64(w); c > n {
			// Only the n lowest bits of this word.
			rest := w
			for range n {
				rest &= rest - 1
			}
			w &^= rest
		}
		s[i] &^= w
		t[i] |= w
		n -= bits.OnesCount64(w)
	}
}

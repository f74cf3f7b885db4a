package placement

import (
	"math/bits"

	"schedsweep/sim"
)

// Set is a set of processors or nodes: bit p%64 of word p/64 is number p. Sets that are combined have equal
// length.
type Set []uint64

// Resized returns an empty set for n numbers that uses the memory of s.
func (s Set) Resized(n int) Set { return append(s[:0], make(Set, (n+63)/64)...) }

// Add puts a number into the set.
func (s Set) Add(n int) { s[n>>6] |= 1 << (n & 63) }

// has reports whether a number is in the set.
func (s Set) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

// drop removes a number.
func (s Set) drop(n int) { s[n>>6] &^= 1 << (n & 63) }

// Len returns the number of elements of the set.
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

// Join adds all of t.
func (s Set) Join(t Set) {
	for i, w := range t[:len(s)] {
		s[i] |= w
	}
}

// Drop removes all of t.
func (s Set) Drop(t Set) {
	for i, w := range t[:len(s)] {
		s[i] &^= w
	}
}

// Meets reports whether the sets have anything in common.
func (s Set) Meets(t Set) bool {
	for i, w := range t[:len(s)] {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

// within reports whether all of s are in t.
func (s Set) within(t Set) bool {
	for i, w := range t[:len(s)] {
		if s[i]&^w != 0 {
			return false
		}
	}
	return true
}

// extent is the words of s from the first to the last that is not empty.
func (s Set) extent() (lo, hi int) {
	for hi = len(s); hi > 0 && s[hi-1] == 0; {
		hi--
	}
	for lo < hi && s[lo] == 0 {
		lo++
	}
	return lo, hi
}

// Each calls f for the numbers in ascending order until it returns false.
func (s Set) Each(f func(n int) bool) {
	for i, w := range s {
		for w != 0 {
			if !f(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
			w &= w - 1
		}
	}
}

// TakeLowest moves the n lowest of s to t. There must be as many.
func (s Set) TakeLowest(n int, t Set) {
	for i := 0; n > 0; i++ {
		w := s[i]
		if c := bits.OnesCount64(w); c > n {
			w = lowest(w, n)
		}
		s[i] &^= w
		t[i] |= w
		n -= bits.OnesCount64(w)
	}
}

// lowest returns the n lowest bits of w, which has more.
func lowest(w uint64, n int) uint64 {
	rest := w
	for range n {
		rest &= rest - 1
	}
	return w &^ rest
}

// fill makes s the set of the processors 0 .. n-1.
func (s Set) fill(n int) {
	for i := range s {
		s[i] = 0
		if k := min(n-64*i, 64); k > 0 {
			s[i] = ^uint64(0) >> (64 - k)
		}
	}
}

// intersect makes s the common part of s and o and returns its size.
func (s Set) intersect(o Set) int {
	n := 0
	for i, w := range o[:len(s)] {
		w &= s[i]
		s[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// intersectUnion makes s the common part of s and (o or a) and returns its size.
func (s Set) intersectUnion(o, a Set) int {
	n := 0
	for i, w := range o[:len(s)] {
		w = (w | a[i]) & s[i]
		s[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// countIn returns the number of processors of s from lo to hi-1.
func (s Set) countIn(lo, hi int) int {
	n := 0
	for i := lo / 64; i*64 < hi; i++ {
		n += bits.OnesCount64(s[i] & mask(i, lo, hi))
	}
	return n
}

// mask is the bits of word i that stand for processors from lo to hi-1.
func mask(i, lo, hi int) uint64 {
	m := ^uint64(0)
	if d := lo - 64*i; d > 0 {
		m <<= d
	}
	if d := 64*i + 64 - hi; d > 0 {
		m = m << d >> d
	}
	return m
}

// copyLowest adds the up to q lowest processors of s from lo to hi-1 to dst and
// returns how many there were.
func (s Set) copyLowest(dst Set, lo, hi, q int) int {
	moved := 0
	for i := lo / 64; i*64 < hi && moved < q; i++ {
		w := s[i] & mask(i, lo, hi)
		if n := bits.OnesCount64(w); moved+n <= q {
			dst[i] |= w
			moved += n
			continue
		}
		dst[i] |= lowest(w, q-moved)
		return q
	}
	return moved
}

// nextRun returns the first maximal run [lo, hi) of consecutive processors of s
// that begins at from or later; lo is hi when there is none.
func (s Set) nextRun(from int) (lo, hi int) {
	lo = s.seek(from, 0)
	return lo, s.seek(lo, ^uint64(0))
}

// seek returns the first processor at or after from that is in s, or, with flip
// all ones, that is not; 64*len(s) when there is none.
func (s Set) seek(from int, flip uint64) int {
	i := from / 64
	if i >= len(s) {
		return 64 * len(s)
	}
	w := (s[i] ^ flip) >> (from % 64) << (from % 64)
	for w == 0 {
		if i++; i == len(s) {
			return 64 * i
		}
		w = s[i] ^ flip
	}
	return 64*i + bits.TrailingZeros64(w)
}

// last returns the last number of the set that is at most n. There must be one.
func (s Set) last(n int) int {
	i := n >> 6
	w := s[i] << (63 - n&63) >> (63 - n&63)
	for w == 0 {
		i--
		w = s[i]
	}
	return i<<6 + 63 - bits.LeadingZeros64(w)
}

// addRange adds the numbers from lo to hi-1.
func (s Set) addRange(lo, hi int) {
	for i := lo / 64; i*64 < hi; i++ {
		s[i] |= mask(i, lo, hi)
	}
}

// dropRange removes the numbers from lo to hi-1.
func (s Set) dropRange(lo, hi int) {
	for i := lo / 64; i*64 < hi; i++ {
		s[i] &^= mask(i, lo, hi)
	}
}

// wholeNodes removes the processors of nodes that are not in s as a whole, of total processors, and returns how many are left.
func (s Set) wholeNodes(node, total int) int {
	n := 0
	for lo := 0; lo < total; lo += node {
		if s.countIn(lo, lo+node) == node {
			n += node
			continue
		}
		for i := lo / 64; i*64 < lo+node; i++ {
			s[i] &^= mask(i, lo, lo+node)
		}
	}
	return n
}

// appendSpans appends s as spans to dst, numbered from first on.
func (s Set) appendSpans(dst []sim.Span, first int32) []sim.Span {
	for lo, hi := s.nextRun(0); lo < hi; lo, hi = s.nextRun(hi) {
		dst = append(dst, sim.Span{Lo: first + int32(lo), Hi: first + int32(hi) - 1})
	}
	return dst
}

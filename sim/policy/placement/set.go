package placement

import (
	"math/bits"

	"schedsweep/sim"
)

// A set of processors is a bitset: bit p%64 of word p/64 stands for processor p.

// fill makes s the set of the processors 0 .. n-1.
func fill(s []uint64, n int) {
	for i := range s {
		s[i] = 0
		if k := min(n-64*i, 64); k > 0 {
			s[i] = ^uint64(0) >> (64 - k)
		}
	}
}

// intersect makes s the common part of s and o and returns its size.
func intersect(s, o []uint64) int {
	n := 0
	for i, w := range o[:len(s)] {
		w &= s[i]
		s[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// intersectUnion makes s the common part of s and (o or a) and returns its size.
func intersectUnion(s, o, a []uint64) int {
	n := 0
	for i, w := range o[:len(s)] {
		w = (w | a[i]) & s[i]
		s[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// disjoint reports whether s and o have nothing in common.
func disjoint(s, o []uint64) bool {
	for i, w := range s {
		if w&o[i] != 0 {
			return false
		}
	}
	return true
}

// countIn returns how many processors from lo to hi-1 are in s.
func countIn(s []uint64, lo, hi int) int {
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

// moveLowest adds the up to q lowest processors of s from lo to hi-1 to dst and
// returns how many there were.
func moveLowest(dst, s []uint64, lo, hi, q int) int {
	moved := 0
	for i := lo / 64; i*64 < hi && moved < q; i++ {
		w := s[i] & mask(i, lo, hi)
		if n := bits.OnesCount64(w); moved+n <= q {
			dst[i] |= w
			moved += n
			continue
		}
		for ; moved < q; moved++ {
			low := w & -w
			dst[i] |= low
			w ^= low
		}
	}
	return moved
}

// nextRun returns the first maximal run [lo, hi) of consecutive processors of s
// that begins at from or later; lo is hi when there is none.
func nextRun(s []uint64, from int) (lo, hi int) {
	lo = seek(s, from, 0)
	return lo, seek(s, lo, ^uint64(0))
}

// seek returns the first processor at or after from that is in s, or, with flip
// all ones, that is not; 64*len(s) when there is none.
func seek(s []uint64, from int, flip uint64) int {
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

// appendSpans appends s as spans to dst.
func appendSpans(dst []sim.Span, s []uint64) []sim.Span {
	for lo, hi := nextRun(s, 0); lo < hi; lo, hi = nextRun(s, hi) {
		dst = append(dst, sim.Span{Lo: int32(lo), Hi: int32(hi) - 1})
	}
	return dst
}

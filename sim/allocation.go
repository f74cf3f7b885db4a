package sim

import (
	"slices"
	"strconv"
)

// Span is the processors Lo, Lo+1, ..., Hi.
type Span struct{ Lo, Hi int32 }

// Len is the number of processors in the span.
func (s Span) Len() int { return int(s.Hi-s.Lo) + 1 }

// Allocation is the set of processors that a job holds.
type Allocation struct {
	// Counts is the number of processors on each cluster.
	Counts []int32
	// Procs is the set of processors as disjoint ascending spans. It is empty
	// where only counts are kept (see [Config.TrackProcs]).
	Procs []Span
}

// AppendSpans appends the interval set in the notation of the field's files,
// such as "0-3 7", to dst.
func AppendSpans(dst []byte, spans []Span) []byte {
	for i, s := range spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, int64(s.Lo), 10)
		if s.Hi > s.Lo {
			dst = append(dst, '-')
			dst = strconv.AppendInt(dst, int64(s.Hi), 10)
		}
	}
	return dst
}

// spanSet is the free processors as disjoint ascending spans that never touch.
// Its operations cost a binary search and a move of the spans behind: machines
// have few hundreds of spans even when tens of thousands of processors are
// fragmented, for which a move in one cache-resident slice beats any tree.
type spanSet struct {
	spans []Span
	spare []Span // memory for the next pass over the whole set
}

func (s *spanSet) reset(n int) {
	s.spans = append(s.spans[:0], Span{0, int32(n) - 1})
}

// takeLowest moves the n lowest processors from the set to dst. The caller has
// checked that there are as many.
func (s *spanSet) takeLowest(n int, dst []Span) []Span {
	i := 0
	for n > 0 {
		sp := &s.spans[i]
		if l := sp.Len(); l <= n {
			dst = append(dst, *sp)
			n -= l
			i++
			continue
		}
		dst = append(dst, Span{sp.Lo, sp.Lo + int32(n) - 1})
		sp.Lo += int32(n)
		n = 0
	}
	s.spans = slices.Delete(s.spans, 0, i)
	return dst
}

// find returns the index of the first span whose Hi is at least p.
func (s *spanSet) find(p int32) int {
	i, _ := slices.BinarySearchFunc(s.spans, p, func(sp Span, p int32) int { return int(sp.Hi) - int(p) })
	return i
}

// has reports whether all of sp is in the set.
func (s *spanSet) has(sp Span) bool {
	i := s.find(sp.Lo)
	return i < len(s.spans) && s.spans[i].Lo <= sp.Lo && sp.Hi <= s.spans[i].Hi
}

// take removes sp, which the caller has checked to be in the set.
func (s *spanSet) take(sp Span) {
	i := s.find(sp.Lo)
	cur := s.spans[i]
	left, right := Span{cur.Lo, sp.Lo - 1}, Span{sp.Hi + 1, cur.Hi}
	switch {
	case left.Len() > 0 && right.Len() > 0:
		s.spans[i] = left
		s.spans = slices.Insert(s.spans, i+1, right)
	case left.Len() > 0:
		s.spans[i] = left
	case right.Len() > 0:
		s.spans[i] = right
	default:
		s.spans = slices.Delete(s.spans, i, i+1)
	}
}

// give puts sp, which is not in the set, back.
func (s *spanSet) give(sp Span) {
	i := s.find(sp.Lo)
	joinsLeft := i > 0 && s.spans[i-1].Hi+1 == sp.Lo
	joinsRight := i < len(s.spans) && s.spans[i].Lo == sp.Hi+1
	switch {
	case joinsLeft && joinsRight:
		s.spans[i-1].Hi = s.spans[i].Hi
		s.spans = slices.Delete(s.spans, i, i+1)
	case joinsLeft:
		s.spans[i-1].Hi = sp.Hi
	case joinsRight:
		s.spans[i].Lo = sp.Lo
	default:
		s.spans = slices.Insert(s.spans, i, sp)
	}
}

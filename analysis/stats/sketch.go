package stats

import (
	"iter"
	"math"
	"slices"
)

// Sketch is the distribution of any number of values that are 0 or larger, in memory that does not grow with them:
// counts of buckets. Each power of 2 has 64 (2^[sketchBits]) of equal width, with their upper ends included. It is
// HdrHistogram's division (G. Tene) and not that of DDSketch or a t-digest, for a bucket is found from the bits of a
// number: no logarithm that machines round differently, and counts are whole numbers. So the sketch of a union is the same bit for
// bit in any order of rows and workers. The share of values up to the end of a bucket is exact.
type Sketch struct {
	zeros, n int64
	high     float64 // the largest value
	first    int     // number of the first bucket
	counts   []int64
}

const sketchBits = 6

// bucketOf is the number of the bucket of a value above 0: values up to its end and above that of the one before.
func bucketOf(v float64) int {
	return int((math.Float64bits(v) - 1) >> (52 - sketchBits))
}

// Add adds values; values that are negative, infinite or no numbers are left out. It returns how many.
func (s *Sketch) Add(values []float64) (left int) {
	for _, v := range values {
		switch {
		case v == 0:
			s.zeros++
			s.n++
		case v > 0 && !math.IsInf(v, 1):
			b := bucketOf(v)
			s.reach(b, b)
			s.counts[b-s.first]++
			s.high = max(s.high, v)
			s.n++
		default:
			left++
		}
	}
	return left
}

func (s *Sketch) reach(from, to int) {
	if len(s.counts) == 0 {
		s.first = from
	}
	if from < s.first {
		s.counts = slices.Insert(s.counts, 0, make([]int64, s.first-from)...)
		s.first = from
	}
	if more := to + 1 - s.first - len(s.counts); more > 0 {
		s.counts = append(s.counts, make([]int64, more)...)
	}
}

func (s *Sketch) N() int64 { return s.n }

// Merge adds the values of another sketch.
func (s *Sketch) Merge(o *Sketch) {
	s.zeros += o.zeros
	s.n += o.n
	if len(o.counts) == 0 {
		return
	}
	s.reach(o.first, o.first+len(o.counts)-1)
	for i, n := range o.counts {
		s.counts[o.first+i-s.first] += n
	}
	s.high = max(s.high, o.high)
}

// Shares yields values with the exact share of the values up to them: ends of buckets before which there are some, and
// the largest value. A power of 2 has at most sketchBuckets >> coarse of these.
func (s *Sketch) Shares(coarse int) iter.Seq2[float64, float64] {
	return func(yield func(float64, float64) bool) {
		at, told := s.zeros, s.zeros
		if s.zeros > 0 && !yield(0, float64(at)/float64(s.n)) {
			return
		}
		for i, n := range s.counts {
			at += n
			end := (s.first+i+1)>>coarse<<coarse == s.first+i+1
			if at == told || !end && at < s.n {
				continue
			}
			last := math.Float64frombits(uint64(s.first+i+1) << (52 - sketchBits)) // of the bucket
			if told = at; !yield(min(last, s.high), float64(at)/float64(s.n)) {
				return
			}
		}
	}
}

// UpTo is the share of the values up to v, exact where v is 0, the end of a bucket, or the largest value or more; NaN of
// none.
func (s *Sketch) UpTo(v float64) float64 {
	switch {
	case s.n == 0:
		return math.NaN()
	case v < 0:
		return 0
	case v >= s.high:
		return 1
	}
	at := s.zeros
	if v > 0 {
		for _, n := range s.counts[:min(max(bucketOf(v)+1-s.first, 0), len(s.counts))] {
			at += n
		}
	}
	return float64(at) / float64(s.n)
}

package stats

import (
	"iter"
	"math"
	"slices"
)

// Sketch is the distribution of any number of values, in memory that does not grow with them:
// counts of buckets. Each power of 2, and of -2, has 64 (2^[sketchBits]) of equal width, with their upper ends included. It is
// HdrHistogram's division (G. Tene) and not that of DDSketch or a t-digest, for a bucket is found from the bits of a
// number: no logarithm that machines round differently, and counts are whole numbers. So the sketch of a union is the same bit for
// bit in any order of rows and workers. The share of values up to the end of a bucket is exact. Values between -2^-1028 and 0 count as 0.
type Sketch struct {
	zeros, n     int64
	high         float64 // the largest value
	below, above buckets // of values below 0, by their sizes, and of those above
}

type buckets struct {
	first  int // number of the first bucket
	counts []int64
}

const (
	sketchBits  = 6
	sketchShift = 52 - sketchBits
)

// bucketOf is the number of the bucket of a value above 0: values up to its end and above that of the one before.
func bucketOf(v float64) int {
	return int((math.Float64bits(v) - 1) >> sketchShift)
}

// bucketBelow is the number of the bucket of a value below 0: values up to its end, which is the least in size, and above that of the
// next.
func bucketBelow(v float64) int {
	return int(math.Float64bits(-v) >> sketchShift)
}

// Add adds values; values that are infinite or no numbers are left out. It returns how many.
func (s *Sketch) Add(values []float64) (left int) {
	for _, v := range values {
		switch {
		case v > 0 && !math.IsInf(v, 1):
			s.above.add(bucketOf(v))
		case v < 0 && !math.IsInf(v, -1) && bucketBelow(v) > 0:
			s.below.add(bucketBelow(v))
		case v <= 0 && !math.IsInf(v, -1):
			v = 0
			s.zeros++
		default:
			left++
			continue
		}
		if s.n == 0 || v > s.high {
			s.high = v
		}
		s.n++
	}
	return left
}

func (b *buckets) add(bucket int) {
	b.reach(bucket, bucket)
	b.counts[bucket-b.first]++
}

func (b *buckets) reach(from, to int) {
	if len(b.counts) == 0 {
		b.first = from
	}
	if from < b.first {
		b.counts = slices.Insert(b.counts, 0, make([]int64, b.first-from)...)
		b.first = from
	}
	if more := to + 1 - b.first - len(b.counts); more > 0 {
		b.counts = append(b.counts, make([]int64, more)...)
	}
}

func (b *buckets) merge(o *buckets) {
	if len(o.counts) == 0 {
		return
	}
	b.reach(o.first, o.first+len(o.counts)-1)
	for i, n := range o.counts {
		b.counts[o.first+i-b.first] += n
	}
}

func (s *Sketch) N() int64 { return s.n }

// Merge adds the values of another sketch.
func (s *Sketch) Merge(o *Sketch) {
	if o.n > 0 && (s.n == 0 || o.high > s.high) {
		s.high = o.high
	}
	s.zeros += o.zeros
	s.n += o.n
	s.below.merge(&o.below)
	s.above.merge(&o.above)
}

// Shares yields values with the exact share of the values up to them: ends of buckets before which there are some, and
// the largest value. A power of 2 has at most sketchBuckets >> coarse of these.
func (s *Sketch) Shares(coarse int) iter.Seq2[float64, float64] {
	return func(yield func(float64, float64) bool) {
		at, told := int64(0), int64(0)
		tell := func(end float64) bool {
			told = at
			return yield(min(end, s.high), float64(at)/float64(s.n))
		}
		ends := func(bucket int) bool { return bucket>>coarse<<coarse == bucket }
		for i, n := range slices.Backward(s.below.counts) {
			at += n
			bucket := s.below.first + i
			if at > told && (ends(bucket) || i == 0 || at == s.n) && !tell(-math.Float64frombits(uint64(bucket)<<sketchShift)) {
				return
			}
		}
		if at += s.zeros; at > told && !tell(0) {
			return
		}
		for i, n := range s.above.counts {
			at += n
			next := s.above.first + i + 1
			if at > told && (ends(next) || at == s.n) && !tell(math.Float64frombits(uint64(next)<<sketchShift)) {
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
	case v >= s.high:
		return 1
	}
	at := int64(0)
	from := 0
	if v < 0 {
		from = min(max(bucketBelow(v)-s.below.first, 0), len(s.below.counts))
	}
	for _, n := range s.below.counts[from:] {
		at += n
	}
	if v >= 0 {
		at += s.zeros
	}
	if v > 0 {
		for _, n := range s.above.counts[:min(max(bucketOf(v)+1-s.above.first, 0), len(s.above.counts))] {
			at += n
		}
	}
	return float64(at) / float64(s.n)
}

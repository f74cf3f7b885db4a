package metrics

import (
	"math"
	"math/bits"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/sum"
)

// MaxQuantileJobs is the number of jobs up to which quantiles are computed: 8 MB
// for each quantity that has them. Beyond it they are NaN; means never are.
const MaxQuantileJobs = 1 << 20

// total is the accumulator of the sums of metrics.
type total = sum.Total

// quantity holds the statistics of one quantity of all jobs.
type quantity struct {
	n       int64
	sum     total
	largest float64
	values  []float64
	parted  int // nothing before it in values is larger than anything from it on
}

func (s *quantity) reset() { *s = quantity{largest: math.Inf(-1), values: s.values[:0]} }

func (s *quantity) add(x float64) {
	s.n++
	s.sum.Add(x)
	s.largest = max(s.largest, x)
	if s.n <= MaxQuantileJobs {
		if len(s.values) == cap(s.values) {
			s.values = slices.Grow(s.values, max(len(s.values), 64)) // append alone would make room for a quarter
		}
		s.values = append(s.values, x)
		s.parted = 0
	}
}

func (s *quantity) mean() float64 { return s.sum.Value() / float64(s.n) }

func (s *quantity) max() float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.largest
}

func (s *quantity) quantile(p float64) float64 {
	if int(s.n) != len(s.values) {
		return math.NaN()
	}
	if n := len(s.values); n > 0 {
		// Quantile looks at two neighbours only; the second is the least of the rest.
		k := int(p * float64(n-1))
		if k < s.parted {
			s.parted = 0
		}
		settle(s.values[s.parted:], k-s.parted)
		s.parted = k
		for i, rest := 1, s.values[min(k+1, n-1):]; i < len(rest); i++ {
			if rest[i] < rest[0] {
				rest[0], rest[i] = rest[i], rest[0]
			}
		}
	}
	return sim.Quantile(s.values, p)
}

// settle reorders the values so that position k has its value of the sorted order, with nothing larger before it and
// nothing smaller behind. It takes time linear in their number, O(n log n) at worst (D. R. Musser, "Introspective
// sorting and selection algorithms", 1997).
func settle(values []float64, k int) {
	lo, hi := 0, len(values)
	for range 2 * bits.Len(uint(len(values))) {
		a, b, c := values[lo], values[(lo+hi)/2], values[hi-1]
		pivot := max(min(a, b), min(max(a, b), c))
		less := lo
		for i := lo; i < hi; i++ {
			x := values[i]
			values[i], values[less] = values[less], x
			if x < pivot {
				less++
			}
		}
		if k < less {
			hi = less
			continue
		}
		equal := less
		for i := less; i < hi; i++ {
			x := values[i]
			values[i], values[equal] = values[equal], x
			if x == pivot {
				equal++
			}
		}
		if k < equal {
			return
		}
		lo = equal
	}
	slices.Sort(values[lo:hi])
}

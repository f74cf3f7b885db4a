package metrics

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// MaxQuantileJobs is the number of jobs up to which quantiles are computed: 8 MB
// for each quantity that has them. Beyond it they are NaN; means never are.
const MaxQuantileJobs = 1 << 20

// total is a compensated sum (Neumaier 1974).
type total struct{ sum, lost float64 }

func (t *total) add(x float64) {
	s := t.sum + x
	if math.Abs(t.sum) >= math.Abs(x) {
		t.lost += (t.sum - s) + x
	} else {
		t.lost += (x - s) + t.sum
	}
	t.sum = s
}

func (t *total) value() float64 { return t.sum + t.lost }

// sample is what is kept of one quantity of all jobs.
type sample struct {
	n       int64
	sum     total
	largest float64
	values  []float64
	sorted  bool
}

func (s *sample) reset() { *s = sample{largest: math.Inf(-1), values: s.values[:0]} }

func (s *sample) add(x float64) {
	s.n++
	s.sum.add(x)
	s.largest = math.Max(s.largest, x)
	if s.n <= MaxQuantileJobs {
		s.values = append(s.values, x)
	}
}

func (s *sample) mean() float64 { return s.sum.value() / float64(s.n) }

func (s *sample) max() float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.largest
}

func (s *sample) quantile(p float64) float64 {
	if int(s.n) != len(s.values) {
		return math.NaN()
	}
	if !s.sorted {
		slices.Sort(s.values)
		s.sorted = true
	}
	return sim.Quantile(s.values, p)
}

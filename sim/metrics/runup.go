package metrics

import "math"

// The number of sums that a [runUp] keeps at most, and of jobs from which on it says something.
const (
	mostSums   = 256
	leastRunUp = 80
)

// runUp adds up the queues that the jobs of a run-up of unknown length find: sums of a number of jobs each, of twice as
// many whenever there are too many sums.
type runUp struct {
	size, jobs int
	sums       []float64
}

func (r *runUp) add(queue float64) {
	if r.jobs%r.size == 0 {
		if len(r.sums) == mostSums {
			for k := range mostSums / 2 {
				r.sums[k] = r.sums[2*k] + r.sums[2*k+1]
			}
			r.sums = r.sums[:mostSums/2]
			r.size *= 2
		}
		r.sums = append(r.sums, 0)
	}
	r.sums[len(r.sums)-1] += queue
	r.jobs++
}

// growth returns the growth of a queue since the second half of the run-up, over the longer of the
// two: in [-1, 1].
func (r *runUp) growth(after float64) float64 {
	if r.jobs < leastRunUp {
		return math.NaN()
	}
	half := len(r.sums) / 2
	before := 0.0
	for _, s := range r.sums[half:] {
		before += s
	}
	before /= float64(r.jobs - half*r.size)
	if before == after {
		return 0
	}
	return (after - before) / max(after, before)
}

package metrics

import (
	"math"
	"testing"
)

// TestQueueGrowth: a queue as long as the number of jobs before grows; one of a constant length does not.
func TestQueueGrowth(t *testing.T) {
	for _, jobs := range []int{79, 80, 300, 3000, 100_000} {
		r, flat := runUp{size: 1}, runUp{size: 1}
		for i := range jobs {
			r.add(float64(i))
			flat.add(7)
		}
		n := float64(jobs)
		got, want := r.growth(n), .25 // the second half finds three quarters of n
		if jobs < leastRunUp {
			want = math.NaN()
		}
		if !(math.Abs(got-want) < .02) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%d jobs: growth %v, want %v", jobs, got, want)
		}
		if g := flat.growth(7); g != 0 && jobs >= leastRunUp {
			t.Errorf("%d jobs: a constant queue grows by %v", jobs, g)
		}
		if len(r.sums) > mostSums {
			t.Errorf("%d sums are kept", len(r.sums))
		}
	}
}

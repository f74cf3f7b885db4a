package artifact

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Fewer jobs are fewer, a round number, and within the limit where that leaves any to
// speak of.
func TestJobsWithin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := time.Duration(rapid.Int64Range(1, 1e12).Draw(rt, "limit"))
		took := time.Duration(rapid.Int64Range(1, 1e15).Draw(rt, "took"))
		jobs := rapid.IntRange(1, 1e7).Draw(rt, "jobs")
		switch n := JobsWithin(limit, took, jobs); {
		case n == 0 && took > limit && jobs > fewestJobs && rounded(limit.Seconds()/took.Seconds()*float64(jobs)) != jobs:
			rt.Errorf("all %d jobs take %s, not %s", jobs, took, limit)
		case n != 0 && (took <= limit || n >= jobs || n < fewestJobs):
			rt.Errorf("%d of %d jobs", n, jobs)
		case n > fewestJobs && float64(n)/float64(jobs)*took.Seconds() > limit.Seconds()*(1+1e-9):
			rt.Errorf("%d of %d jobs take longer than %s", n, jobs, limit)
		}
	})
	for x, want := range map[float64]int{0.3: 1, 1: 1, 4.9: 2, 5: 5, 19: 10, 20: 20, 730: 500, 1e6: 1e6} {
		if got := rounded(x); got != want {
			t.Errorf("%g becomes %d, not %d", x, got, want)
		}
	}
	for study, want := range map[int][]int{1: {1}, 3: {3}, 12: {3, 6}, 24: {3, 6, 12}, 50: {3, 6, 12, 24}} {
		if got := Replications(study); !slices.Equal(got, want) {
			t.Errorf("%d replications: %v, not %v", study, got, want)
		}
	}
}

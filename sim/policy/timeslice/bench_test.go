package timeslice_test

import (
	"fmt"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/slicetest"
	"schedsweep/sim/policy/timeslice"
)

// BenchmarkSpaceSharing plays the study's workloads on 128 nodes of 4 cores by
// space sharing in time slices. Targets, half of the time that an unoptimised
// prototype took: W1 .035 s, W2 .13 s for 10,000 jobs; W2 must not take more
// time per job with 40,000 jobs, when its queue is three times as long.
func BenchmarkSpaceSharing(b *testing.B) {
	for _, w := range []struct {
		name  string
		alpha float64
		jobs  int
	}{{"W1", 10.33, 10000}, {"W2", 9.83, 10000}, {"W2", 9.83, 40000}} {
		b.Run(fmt.Sprintf("%s/jobs=%d", w.name, w.jobs), func(b *testing.B) {
			jobs, p := slicetest.Published(b, w.alpha, w.jobs, 2), slicetest.Machine(b, 128, 4)
			var e sim.Engine
			policy := timeslice.New(timeslice.DefaultSlicing)
			slicetest.Play(b, &e, p, policy, jobs, false)
			b.ReportAllocs()
			for b.Loop() {
				slicetest.Play(b, &e, p, policy, jobs, false)
			}
			b.ReportMetric(float64(b.N)*float64(w.jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

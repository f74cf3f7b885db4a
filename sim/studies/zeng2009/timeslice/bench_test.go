package timeslice_test

import (
	"fmt"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// BenchmarkSpaceSharing plays the study's workloads on 128 nodes of 4 cores by
// space sharing in time slices. Targets, half of the time that an unoptimised
// prototype took: W1 .035 s, W2 .13 s for 10,000 jobs. W2 saturates the machine,
// so that its queue grows with the number of jobs, and nearly all who wait get an
// earlier place whenever something ends early: a job must not cost more for that
// with 40,000 and 80,000 jobs than with 10,000, but for a logarithm. The last one
// compresses the whole plan each time, for comparison.
func BenchmarkSpaceSharing(b *testing.B) {
	for _, w := range []struct {
		name  string
		alpha float64
		jobs  int
		reach float64
	}{{"W1", 10.33, 10000, 86400}, {"W2", 9.83, 10000, 86400}, {"W2", 9.83, 20000, 86400}, {"W2", 9.83, 40000, 86400},
		{"W2", 9.83, 80000, 86400}, {"W2", 9.83, 40000, 0}} {
		b.Run(fmt.Sprintf("%s/jobs=%d/reach=%g", w.name, w.jobs, w.reach), func(b *testing.B) {
			jobs, p := slicetest.Published(b, w.alpha, w.jobs, 2), slicetest.Machine(b, 128, 4)
			var e sim.Engine
			slicing := timeslice.DefaultSlicing
			slicing.Reach = w.reach
			policy := timeslice.New(slicing)
			slicetest.Play(b, &e, p, policy, jobs, false)
			b.ReportAllocs()
			for b.Loop() {
				slicetest.Play(b, &e, p, policy, jobs, false)
			}
			b.ReportMetric(float64(b.N)*float64(w.jobs)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.jobs), "ns/job")
		})
	}
}

package lomarc_test

import (
	"fmt"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
)

// BenchmarkMatching plays the study's workloads by the full algorithm. Targets,
// half of the time that an unoptimised prototype took for 10,000 jobs: W1 .065 s,
// W2 .15 s.
func BenchmarkMatching(b *testing.B) {
	for _, w := range []struct {
		name  string
		alpha float64
		jobs  int
	}{{"W1", 10.33, 10000}, {"W2", 9.83, 10000}, {"W2", 9.83, 20000}} {
		b.Run(fmt.Sprintf("%s/jobs=%d", w.name, w.jobs), func(b *testing.B) {
			jobs, p := slicetest.Published(b, w.alpha, w.jobs, 1), slicetest.Machine(b, 128, 4)
			var e sim.Engine
			policy := lomarc.New(lomarc.Defaults)
			slicetest.Play(b, &e, p, policy, jobs, false)
			b.ReportAllocs()
			for b.Loop() {
				slicetest.Play(b, &e, p, policy, jobs, false)
			}
			b.ReportMetric(float64(b.N)*float64(w.jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkOverload plays W2 at twice its load, so that the queue grows with the
// number of jobs, by space sharing, by the full algorithm and by pairs. The latter two
// consider all pairs of waiting jobs in a pass: from 10,000 to 20,000 jobs a run takes
// six to seven times as long.
func BenchmarkOverload(b *testing.B) {
	for _, variant := range []string{"ssp", "glts", "cst"} {
		for _, n := range []int{2500, 5000, 10000, 20000, 40000, 80000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", variant, n), func(b *testing.B) {
				jobs, p := slicetest.Published(b, 9.83, n, 1), slicetest.Machine(b, 128, 4)
				for i := range jobs {
					jobs[i].Submit /= 2
				}
				params := lomarc.Defaults
				params.Variant = variant
				var e sim.Engine
				b.ReportAllocs()
				for b.Loop() {
					slicetest.Play(b, &e, p, lomarc.New(params), jobs, false)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/job")
			})
		}
	}
}

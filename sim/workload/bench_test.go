package workload_test

import (
	"path/filepath"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// pass reads all jobs and reports their rate.
func pass(b *testing.B, w workload.Workload) {
	b.ReportAllocs()
	jobs := 0
	var j sim.JobSpec
	for b.Loop() {
		src := w.Source()
		for {
			ok, err := src.Next(&j)
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
			jobs++
		}
	}
	b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkLublin generates 100,000 jobs a pass. Target: 4 million jobs/s; a
// pass allocates its streams and nothing per job.
func BenchmarkLublin(b *testing.B) {
	for _, mode := range []string{"both", "typeless"} {
		b.Run(mode, func(b *testing.B) {
			pass(b, make1(b, "lublin", seed(1), func(p *workload.LublinParams) { p.Jobs, p.Mode = 100_000, mode }))
		})
	}
}

// BenchmarkPoisson generates 100,000 jobs at 8 clusters a pass. Target: 10
// million jobs/s, so that 32 million jobs take 3 s of a run.
func BenchmarkPoisson(b *testing.B) {
	pass(b, make1(b, "poisson", seed(1), func(p *workload.PoissonParams) { p.Jobs, p.Clusters = 12_500, 8 }))
}

// BenchmarkSelect makes the workload of one instance of a study (300 of the
// candidates of the Curie log) and reads it. Target: .1 ms, for a study has
// thousands of instances.
func BenchmarkSelect(b *testing.B) {
	l := readLog(b, matching(b, filepath.Join(traces(b), "CEA-Curie-*.swf.gz"))[0])
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		n++
		w := make1(b, "swf", withLog(n, l), func(p *workload.LogParams) {
			p.Path, p.Submit, p.ComputationFactor = l.Name, "zero", 1e6
			p.Select.Jobs, p.Select.Sample, p.Select.MaxProcessors = 300, "random", 16
			p.Select.RunTime = [2]float64{3600, 14400}
		})
		if jobs := drain(b, w.Source()); len(jobs) != 300 {
			b.Fatal(len(jobs))
		}
	}
}

// BenchmarkDraw draws another log of Curie's users and reads it. Target: .2 s, with
// what its users wait for.
func BenchmarkDraw(b *testing.B) {
	l := readLog(b, matching(b, filepath.Join(traces(b), "CEA-Curie-*.swf.gz"))[0])
	for _, feedback := range []string{"none", "think-time"} {
		b.Run(feedback, func(b *testing.B) {
			b.ReportAllocs()
			n := uint64(0)
			var j sim.JobSpec
			for b.Loop() {
				n++
				src := make1(b, "swf", withLog(n, l), func(p *workload.LogParams) {
					p.Path, p.Replicate.By, p.Replicate.Feedback = l.Name, "user", feedback
				}).Source()
				for more := true; more; {
					var err error
					if more, err = src.Next(&j); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkTsafrir makes walltimes for 50,000 jobs. Target: 50 ms.
func BenchmarkTsafrir(b *testing.B) {
	jobs := drain(b, make1(b, "lublin", seed(1), func(p *workload.LublinParams) { p.Jobs = 50_000 }).Source())
	t := workload.DefaultTransforms()
	t.Estimates.Model = "tsafrir"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := workload.FromJobs("bench", jobs, t, seed(1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(jobs)), "jobs/op")
}

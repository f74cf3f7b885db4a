package backfill_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// benchmark runs the jobs under the policy again and again, with one engine and
// one policy, and reports jobs per second and ns per job.
func benchmark(b *testing.B, p sim.Policy, procs int, jobs []sim.JobSpec) {
	b.Helper()
	var e sim.Engine
	cfg := sim.Config{Platform: simtest.Machine(b, procs), Policy: p, Progress: progress.Isolated{}, KillAtWalltime: true}
	once := func() {
		cfg.Source = simtest.Source(jobs)
		if _, err := e.Run(context.Background(), cfg); err != nil {
			b.Fatal(err)
		}
	}
	once()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		once()
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(jobs))
	b.ReportMetric(1e9/ns, "jobs/s")
	b.ReportMetric(ns, "ns/job")
}

// lublin is the synthetic log of 10,000 jobs on 256 processors with exact
// estimates.
func lublin(b *testing.B) []sim.JobSpec {
	b.Helper()
	records, _ := readSWF(b, filepath.Join(simtest.Data(b), "lublin_256.swf.gz"))
	var jobs []sim.JobSpec
	for _, r := range records {
		jobs = append(jobs, sim.JobSpec{ID: int64(r[0]), Submit: r[1], RunTime: r[3], Walltime: max(r[3], 1), Procs: int32(r[4])})
	}
	return jobs
}

// BenchmarkEASY: 10,000 jobs in less than 20 ms.
func BenchmarkEASY(b *testing.B) {
	b.Run("lublin_256", func(b *testing.B) { benchmark(b, policy(b, "easy", easyParams("fcfs")), 256, lublin(b)) })
}

// BenchmarkConservative: 10,000 jobs in less than 200 ms.
func BenchmarkConservative(b *testing.B) {
	b.Run("lublin_256", func(b *testing.B) {
		benchmark(b, policy(b, "conservative", conservativeParams("fcfs")), 256, lublin(b))
	})
}

const curieProcs = 80640

// curie is the whole log of Curie: size from field 8, else 5, on the thin nodes;
// jobs without a run time or beyond the machine are left out.
func curie(b *testing.B) []sim.JobSpec {
	b.Helper()
	records, _ := readSWF(b, filepath.Join(simtest.Data(b), "CEA-Curie-2011-2.1-cln.swf.gz"))
	var jobs []sim.JobSpec
	for _, r := range records {
		n := r[7]
		if n <= 0 {
			n = r[4]
		}
		if n <= 0 || n > curieProcs || r[3] <= 0 {
			continue
		}
		wall := r[8]
		if wall <= 0 {
			wall = r[3]
		}
		jobs = append(jobs, sim.JobSpec{ID: int64(r[0]), Submit: r[1], RunTime: min(r[3], wall), Walltime: wall, Procs: int32(n),
			User: int32(r[11])})
	}
	return jobs
}

// BenchmarkEASYCurie: the whole log in less than 1 s.
func BenchmarkEASYCurie(b *testing.B) {
	benchmark(b, policy(b, "easy", easyParams("fcfs")), curieProcs, curie(b))
}

// BenchmarkConservativeCurie plans and compresses a real log of loose estimates.
func BenchmarkConservativeCurie(b *testing.B) {
	benchmark(b, policy(b, "conservative", conservativeParams("fcfs")), curieProcs, curie(b))
}

// bursts returns at least 20,000 jobs on 256 processors, in bursts of length jobs. Each burst finds the machine empty. The
// queue is then as long as the burst and shrinks to nothing. Estimates are exact or up to ten times too long.
func bursts(length int, exact bool) []sim.JobSpec {
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []sim.JobSpec
	submit := 0.0
	for len(jobs) < 20000 {
		for range length {
			run := math.Ceil(math.Exp(rng.NormFloat64()*2 + 7))
			wall := run
			if !exact {
				wall = math.Ceil(run * (1 + 9*rng.Float64()))
			}
			procs := int32(math.Exp2(rng.Float64() * 7))
			if rng.IntN(2) == 0 {
				procs = 1 << rng.IntN(8)
			}
			jobs = append(jobs, sim.JobSpec{ID: int64(len(jobs) + 1), Submit: submit, RunTime: run, Walltime: wall, Procs: procs})
		}
		submit += 1e5 * float64(length)
	}
	return jobs
}

// BenchmarkQueueGrowth: the time per job should grow hardly faster than a
// logarithm with the length of the queue.
func BenchmarkQueueGrowth(b *testing.B) {
	for _, length := range []int{10, 100, 1000, 10_000, 100_000} {
		jobs := bursts(length, true)
		b.Run(fmt.Sprintf("easy/%d", length), func(b *testing.B) {
			benchmark(b, policy(b, "easy", easyParams("fcfs")), 256, jobs)
		})
		b.Run(fmt.Sprintf("conservative/%d", length), func(b *testing.B) {
			benchmark(b, policy(b, "conservative", conservativeParams("fcfs")), 256, jobs)
		})
	}
}

// BenchmarkQueueGrowthLoose is the same with loose estimates, where nearly every
// end compresses the plan of all that waits: the rule itself asks for work that
// grows with the queue there, a fraction of a microsecond for each waiting job.
func BenchmarkQueueGrowthLoose(b *testing.B) {
	for _, length := range []int{10, 100, 1000, 10_000} {
		jobs := bursts(length, false)
		b.Run(fmt.Sprintf("easy/%d", length), func(b *testing.B) {
			benchmark(b, policy(b, "easy", easyParams("fcfs")), 256, jobs)
		})
		if length > 1000 {
			continue // minutes a run
		}
		b.Run(fmt.Sprintf("conservative/%d", length), func(b *testing.B) {
			benchmark(b, policy(b, "conservative", conservativeParams("fcfs")), 256, jobs)
		})
	}
}

// BenchmarkOrders runs EASY on the whole Curie log in each queue order. Orders that change with time sort the queue at each
// pass that could start a job.
func BenchmarkOrders(b *testing.B) {
	jobs := curie(b)
	for _, o := range orders() {
		b.Run(string(o), func(b *testing.B) { benchmark(b, policy(b, "easy", easyParams(o)), curieProcs, jobs) })
	}
}

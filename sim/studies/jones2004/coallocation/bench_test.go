package coallocation_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/metrics"
	"schedsweep/sim/progress"
	"schedsweep/sim/studies/jones2004/communication"
	"schedsweep/sim/workload"
)

// poisson returns the workload of Jones 2004 with each jobs per cluster.
func poisson(t testing.TB, clusters, each int) workload.Workload {
	t.Helper()
	k, ok := workload.Kinds.Get("poisson")
	if !ok {
		t.Fatal("no workload poisson")
	}
	params := k.Params.(workload.PoissonParams)
	params.Clusters, params.Jobs = clusters, each
	w, err := k.New(&params, workload.Input{Streams: sim.Streams{Root: 2004}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// crossing is a bisection bandwidth in Mbps near which co-allocation is as good
// as migration only, by number of clusters.
var crossing = map[int]float64{2: 1450, 4: 680, 8: 505}

// play runs the whole loop as a sweep does: workload, engine, policy, progress,
// metrics, audit.
func play(t testing.TB, e *sim.Engine, w workload.Workload, p sim.Policy, m sim.Progress, clusters int) *metrics.Collector {
	t.Helper()
	var c metrics.Collector
	g := grid(t, clusters)
	c.Reset(metrics.Setting{Platform: g, Threshold: metrics.DefaultThreshold, Bounds: sim.DefaultBounds})
	books := audit.New(g)
	_, err := e.Run(context.Background(), sim.Config{Platform: g, Source: w.Source(), Policy: p, Progress: m,
		Observers: []sim.Observer{&c, books}})
	if err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatal(err)
	}
	return &c
}

func bandwidth(mb float64) *communication.Bandwidth {
	return communication.NewBandwidth(communication.BandwidthParams{ComputationFraction: .7, BisectionBandwidth: mb * mbps})
}

// BenchmarkCoallocation is the whole loop near the crossing with migration-only.
// The target is 32 million jobs in 2 minutes on one core: 270,000 jobs/s; and no
// allocation for a job.
func BenchmarkCoallocation(b *testing.B) {
	for _, clusters := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(clusters), func(b *testing.B) {
			const each = 100_000
			var e sim.Engine
			w, p, m := poisson(b, clusters, each), policy(b, "co-allocation", "", ""), bandwidth(crossing[clusters])
			b.ReportAllocs()
			for range b.N {
				play(b, &e, w, p, m, clusters)
			}
			n := float64(b.N * each * clusters)
			b.ReportMetric(n/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkPolicies compares what the policies and queues cost, without metrics
// and audit. Target: 500,000 jobs/s each.
func BenchmarkPolicies(b *testing.B) {
	for _, name := range []string{"no-sharing", "migration-only", "co-allocation"} {
		for _, queue := range []string{"global", "per-cluster"} {
			for _, backfilling := range []string{"scan", "easy"} {
				b.Run(fmt.Sprint(name, "/", queue, "/", backfilling), func(b *testing.B) {
					const each, clusters = 20_000, 8
					var e sim.Engine
					w, p, g := poisson(b, clusters, each), policy(b, name, queue, backfilling), grid(b, clusters)
					b.ReportAllocs()
					for range b.N {
						if _, err := e.Run(context.Background(),
							sim.Config{Platform: g, Source: w.Source(), Policy: p, Progress: progress.Isolated{}}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*each*clusters)/b.Elapsed().Seconds(), "jobs/s")
				})
			}
		}
	}
}

// BenchmarkSaturated is the same beyond saturation, where the queue grows with the
// workload: a job should cost little more in a queue of a hundred times the
// length. Target: 200,000 jobs/s with scan, 100,000 with EASY.
func BenchmarkSaturated(b *testing.B) {
	for _, backfilling := range []string{"scan", "easy"} {
		for _, each := range []int{2000, 20_000, 200_000} {
			b.Run(fmt.Sprint(backfilling, "/", each), func(b *testing.B) {
				const clusters = 8
				var e sim.Engine
				w, p, m := poisson(b, clusters, each), policy(b, "co-allocation", "", backfilling), bandwidth(4*crossing[clusters])
				b.ReportAllocs()
				for range b.N {
					play(b, &e, w, p, m, clusters)
				}
				b.ReportMetric(float64(b.N*each*clusters)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// BenchmarkMemory measures the memory that stays in use after a run. Target: the same for 400,000
// jobs and for 3,200,000, and far below 200 MB: quantiles of up to a million jobs take most of it.
func BenchmarkMemory(b *testing.B) {
	for _, each := range []int{50_000, 400_000} {
		b.Run(fmt.Sprint(each), func(b *testing.B) {
			const clusters = 8
			for range b.N {
				var e sim.Engine
				c := play(b, &e, poisson(b, clusters, each), policy(b, "co-allocation", "", ""), bandwidth(crossing[clusters]), clusters)
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB")
				runtime.KeepAlive(c)
				runtime.KeepAlive(&e)
			}
		})
	}
}

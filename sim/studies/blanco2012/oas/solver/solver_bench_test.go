package solver

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkBuiltin solves 30 workloads of the paper's kind to proven optimality
// and reports the median and the worst time of one. Targets: 8 jobs at slots of
// 50 % of the mean base time in .2 s in the median and 2 s at worst; 12 jobs in
// 1 s.
func BenchmarkBuiltin(b *testing.B) {
	for n, percents := range map[int][]float64{8: {100, 50, 25, 15}, 12: {50}} {
		for _, percent := range percents {
			b.Run(fmt.Sprintf("jobs=%d/slot=%g%%", n, percent), func(b *testing.B) {
				var took []time.Duration
				for range b.N {
					for seed := range uint64(30) {
						p := &Problem{Clusters: paper(), Jobs: drawn(seed, n), Slot: 6700 * percent}
						begin := time.Now()
						if r := solve(p, Limits{}); r.Status != Optimal {
							b.Fatal(r.Status)
						}
						took = append(took, time.Since(begin))
					}
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2].Seconds(), "median-s")
				b.ReportMetric(took[len(took)-1].Seconds(), "worst-s")
			})
		}
	}
}

// BenchmarkCBC is the same by CBC with 20 s for each of 5 workloads, in the form
// that suits it: the share that it proves by then, and the median time. It skips
// where cbc is missing.
func BenchmarkCBC(b *testing.B) {
	for _, percent := range []float64{100, 50, 25, 15} {
		b.Run(fmt.Sprintf("jobs=8/slot=%g%%", percent), func(b *testing.B) {
			var took []time.Duration
			proved := 0
			for range b.N {
				for seed := range uint64(5) {
					p := &Problem{Clusters: paper(), Jobs: drawn(seed, 8), Slot: 6700 * percent}
					horizon := Greedy(p).Slots()
					begin := time.Now()
					r, _, err := cbc.Read(p, horizon, run(b, cbc.Call(p, UsedSlots, horizon, 20, 0)))
					if err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(begin))
					if r.Status == Optimal {
						proved++
					}
					if best := solve(p, Limits{}).Plan.Slots(); r.Bound > best || r.Plan != nil && r.Plan.Slots() < best {
						b.Fatalf("seed %d: cbc has a plan of %d slots and the bound %d; builtin has %d", seed, r.Plan.Slots(), r.Bound, best)
					}
				}
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2].Seconds(), "median-s")
			b.ReportMetric(float64(proved)/float64(len(took)), "proved")
		})
	}
}

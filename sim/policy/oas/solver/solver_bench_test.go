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
						if r := Solve(p, Limits{}); r.Status != Optimal {
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

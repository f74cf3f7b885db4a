package run

import (
	"fmt"
	"math"
	"path/filepath"
	"syscall"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/sim/simtest"
)

// BenchmarkCurieMultifactor is the whole log of Curie under EASY from the file to the values, in the order of submission and by multifactor
// priorities every 5 min, in turn. Target: at most 2 times the CPU time. The engine and the policy alone, without log, metrics and
// audit, take 3.3 times.
func BenchmarkCurieMultifactor(b *testing.B) {
	least := [2]float64{math.Inf(1), math.Inf(1)}
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
	}
	for range b.N {
		for k, order := range []string{"fcfs", "{weights: {age: 1000, fair_share: 10000, size: 3000, partition: 2000, qos: 5000}}"} {
			m, _ := harnesstest.Loaded(b, fmt.Sprintf("name: curie\nworkload: {kind: swf, path: %q}\nplatform: {processors: 93312}\npolicy: "+
				"{kind: easy, order: %s}\n", filepath.Join(simtest.Data(b), "CEA-Curie-2011-2.1-cln.swf.gz"), order))
			plan, err := m.Plan()
			if err != nil {
				b.Fatal(err)
			}
			began := used()
			s, err := Simulate(b.Context(), plan, input.NewFiles(), 0, Kept{})
			if err != nil || s.Outcome != harness.OK || s.Result.Finished != 295_540 {
				b.Fatalf("%+v, %v", s, err)
			}
			least[k] = min(least[k], used()-began)
		}
	}
	b.ReportMetric(least[0], "cpu-s/fcfs")
	b.ReportMetric(least[1]/least[0], "ratio(target:2)")
}

package run

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/sim/simtest"
)

// BenchmarkDutotHomogeneous is the whole homogeneous experiment of Dutot 2015: 4,000
// simulations of 300 jobs, rows written. Target: under 10 s on 2 cores. For scale, per
// simulation: SimGrid alone takes 36 to 60 ms of CPU (one run with first fit), Batsim
// 4.2 takes 0.54 s. The metrics x-simgrid and x-batsim are 36 ms and 0.54 s over our
// CPU time for one, as if all cores were busy.
func BenchmarkDutotHomogeneous(b *testing.B) {
	m, in, err := input.Load("../../manifests/dutot2015-homogeneous.yaml", input.Options{Data: []string{simtest.Data(b)}})
	if errors.Is(err, input.ErrNotFound) || m == nil {
		b.Skipf("needs the Curie log in $SCHEDSWEEP_DATA: %v", err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: b.TempDir()})
		if err != nil || sum.Bad() > 0 {
			b.Fatalf("%+v, %v", sum, err)
		}
		n += sum.OK
	}
	each := b.Elapsed().Seconds() / float64(n)
	cpu := each * float64(runtime.GOMAXPROCS(0))
	b.ReportMetric(1/each, "instances/s")
	b.ReportMetric(0.036/cpu, "x-simgrid")
	b.ReportMetric(0.54/cpu, "x-batsim")
}

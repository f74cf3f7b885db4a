package lomarc_test

import (
	"maps"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
)

// TestReuse: a policy that has played other workloads, also on another machine, gives the answers of a fresh policy.
func TestReuse(t *testing.T) {
	w1, w2 := slicetest.Published(t, 10.33, 1000, 5), slicetest.Published(t, 9.83, 1000, 6)
	narrow, wide := slicetest.Machine(t, 128, 4), slicetest.Machine(t, 128, 8)
	for _, variant := range []string{"glts", "ssp", "cst", "cstws", "fbo", "ns", "nh"} {
		params := lomarc.Defaults
		params.Variant = variant
		used := lomarc.New(params)
		var e sim.Engine
		for i, run := range []struct {
			jobs    []sim.JobSpec
			machine *sim.Platform
		}{{w2, narrow}, {w1, wide}, {w2, narrow}, {w1, narrow}} {
			got, want := record(), record()
			slicetest.Play(t, &e, run.machine, used, run.jobs, false, simtest.Watch(got))
			slicetest.Play(t, new(sim.Engine), run.machine, lomarc.New(params), run.jobs, false, simtest.Watch(want))
			if len(got.finish) != len(run.jobs) || !maps.Equal(got.start, want.start) || !maps.Equal(got.finish, want.finish) {
				t.Errorf("%s, run %d: a used policy differs from a fresh one", variant, i+1)
			}
		}
	}
}

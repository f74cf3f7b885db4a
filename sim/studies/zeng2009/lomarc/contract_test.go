package lomarc_test

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/studies/zeng2009/lomarc"
)

// TestContract runs the suite with slices that are short against its jobs.
func TestContract(t *testing.T) {
	for _, variant := range []string{"glts", "ssp", "cst", "cstws", "fbo", "ns", "nh"} {
		t.Run(variant, func(t *testing.T) {
			p := lomarc.Defaults
			p.Variant, p.BlockSize = variant, 3
			p.Interval, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit, p.HighLoad = 12, 3, .5, 1, 5, 2
			contract.Test(t, "lomarc", &p, func(params any, _ sim.Env) (sim.Policy, error) {
				return lomarc.New(*params.(*lomarc.Params)), nil
			})
		})
	}
}

package timeslice_test

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// TestContract runs the suite with slices that are short against its jobs, so
// that all classes occur and everything is preempted again and again.
func TestContract(t *testing.T) {
	for name, change := range map[string]func(*timeslice.Slicing){
		"conservative": func(*timeslice.Slicing) {},
		"easy":         func(p *timeslice.Slicing) { p.Backfilling = "easy" },
		"yielding":     func(p *timeslice.Slicing) { p.Yield = true },
		"short only":   func(p *timeslice.Slicing) { p.OtherClasses = "short" },
		"submission":   func(p *timeslice.Slicing) { p.ReplanOrder = "submission" },
		"no overhead":  func(p *timeslice.Slicing) { p.Overhead, p.OtherClasses = 0, "off" },
	} {
		t.Run(name, func(t *testing.T) {
			p := timeslice.DefaultSlicing
			p.Interval, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit, p.HighLoad = 12, 3, .5, 3, 7, 2
			change(&p)
			contract.Test(t, "timeslice", &p, func(params any, _ sim.Env) (sim.Policy, error) {
				return timeslice.New(*params.(*timeslice.Slicing)), nil
			})
		})
	}
}

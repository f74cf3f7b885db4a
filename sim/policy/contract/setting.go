package contract

import (
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// setting is what a policy is tested on.
type setting struct {
	platform *sim.Platform
	order    sim.EventOrder
	kill     bool
	track    bool
}

func (s setting) String() string {
	return fmt.Sprintf("platform %s, event order %s, kill at walltime %v, processors tracked %v", s.platform.Name, s.order.Name, s.kill, s.track)
}

// config lets jobs run undisturbed: the suite is about policies.
func (s setting) config(p sim.Policy) sim.Config {
	return sim.Config{Platform: s.platform, Policy: p, Progress: progress.Isolated{}, Order: s.order, KillAtWalltime: s.kill, TrackProcs: s.track}
}

func allSettings() []setting {
	var all []setting
	for _, p := range simtest.Machines() {
		for _, o := range sim.EventOrders {
			for _, kill := range []bool{true, false} {
				for _, track := range []bool{true, false} {
					all = append(all, setting{p, o, kill, track})
				}
			}
		}
	}
	return all
}

// accepted returns the settings that the policy does not refuse.
func accepted(build func() sim.Policy) []setting {
	var ok []setting
	for _, s := range allSettings() {
		var e sim.Engine
		if e.Check(s.config(build())) == nil {
			ok = append(ok, s)
		}
	}
	return ok
}

package contract

import (
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/shares"
)

// setting is the setting of a policy's test.
type setting struct {
	platform *sim.Platform
	order    sim.EventOrder
	kill     bool
	track    bool
	shares   bool
}

func (s setting) String() string {
	return fmt.Sprintf("platform %s, event order %s, kill at walltime %v, processors tracked %v, time shares %v", s.platform.Name,
		s.order.Name, s.kill, s.track, s.shares)
}

// config lets jobs run undisturbed, for the suite is about policies, or on shares of
// their processors, for the sake of the policies that give some.
func (s setting) config(p sim.Policy) sim.Config {
	var m sim.Progress = progress.Isolated{}
	if s.shares {
		m = shares.New(shares.Defaults)
	}
	return sim.Config{Platform: s.platform, Policy: p, Progress: m, Records: simtest.Records{}, Order: s.order, KillAtWalltime: s.kill,
		TrackProcs: s.track}
}

func allSettings() []setting {
	var all []setting
	for _, p := range simtest.Machines() {
		for _, o := range sim.EventOrders {
			for _, kill := range []bool{true, false} {
				for _, track := range []bool{true, false} {
					all = append(all, setting{platform: p, order: o, kill: kill, track: track})
					all = append(all, setting{platform: p, order: o, kill: kill, track: track, shares: true})
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

package lomarc

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// prompt checks after each pass that no job waits beside idle nodes that is planned to start now. A second pass at the same
// time starts nothing. Both look at all jobs, also where only time has passed.
type prompt struct {
	*Policy
	t *rapid.T
}

func (p prompt) Pass(s *sim.State) {
	p.seen[timeslice.Medium] = sight{-1, -1}
	p.Policy.Pass(s)
	v := p.VM(timeslice.Medium)
	t := v.Now(s.Now())
	for _, j := range v.Waiting {
		if v.Due(j, t) && j.Nodes <= p.Idle(v) {
			p.t.Fatalf("at %g s job %d of %d nodes is due and waits beside %d idle nodes", s.Now(), j.ID(), j.Nodes, p.Idle(v))
		}
	}
	n := len(v.Waiting)
	p.seen[timeslice.Medium] = sight{-1, -1}
	if p.Policy.Pass(s); len(v.Waiting) < n {
		p.t.Fatalf("at %g s a second pass starts %d of %d waiting jobs", s.Now(), n-len(v.Waiting), n)
	}
}

// TestNobodyDueWaits: when a pass of any variant is over, no job that is due waits beside enough idle nodes, and no
// group can be formed. Here the slice of medium jobs lasts, and all jobs are medium. Some end early.
func TestNobodyDueWaits(t *testing.T) {
	for _, variant := range []string{"glts", "ssp", "cst", "cstws", "fbo", "ns", "nh"} {
		t.Run(variant, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				params, jobs := drawQueue(t, []int{1, 5, 20, 40})
				params.Variant = variant
				params.Interval, params.MediumShare, params.ShortSlice, params.Overhead, params.ShortLimit, params.LongLimit = 1e6, .9, 0, 0, 1, 1e5
				for i := range jobs {
					if rapid.IntRange(0, 3).Draw(t, "ends early") == 0 {
						jobs[i].RunTime *= rapid.Float64Range(.1, 1).Draw(t, "part")
					}
				}
				var e sim.Engine
				_, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 9, 4), Policy: prompt{New(params), t},
					Progress: coscheduling.New(coscheduling.Params{}), Source: simtest.Source(jobs), MaxEvents: 100000})
				if err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

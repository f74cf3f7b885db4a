package audit

import (
	"context"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// early is EASY backfilling that claims to delay jobs.
type early struct {
	backfill.Backfill
	rule sim.Shift
}

func (p *early) Shift() *sim.Shift { return &p.rule }

// TestDelaysAreAudited: a job of 10 s comes at 5 s. The price falls at 20 s, so that it is eligible at 20 s if that is within its bound.
func TestDelaysAreAudited(t *testing.T) {
	for most, want := range map[float64]string{
		14: "audit A23: job 1 started at 5 s and is eligible from 19 s on, when the mean tariff 0 of its walltime is lowest",
		30: "audit A23: job 1 started at 5 s and is eligible from 20 s on, when the mean tariff 0 of its walltime is lowest",
		4:  "",
	} {
		on, err := sim.NewPlatform("one", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 1, Speed: 1, Power: power.Node{Idle: 1, Busy: 2}}},
			sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		on.Tariffs[power.Price] = power.NewSteps([]float64{0, 20, 40}, []float64{5, -1, 5}, 60)
		books, policy := New(on), &early{newEasy(t), sim.Shift{By: power.Price, Bounds: []sim.ShiftBound{{AtMost: most}}}}
		books.Watch(policy)
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Policy: policy, Progress: progress.Isolated{},
			Source:    &simtest.List{{ID: 1, Submit: 5, RunTime: 10, Walltime: 10, Procs: 1}},
			Observers: []sim.Observer{books}, KillAtWalltime: true}); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("at most %g s: got %q, want %q", most, got, want)
		}
	}
}

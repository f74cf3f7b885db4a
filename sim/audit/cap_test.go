package audit

import (
	"context"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// other is EASY backfilling that changes the cap of the run before it begins.
type other struct {
	backfill.Backfill
	change func(c *power.Cap)
}

func (p *other) Reset(s *sim.State) error {
	if p.change != nil {
		p.change(s.Platform().Cap)
	}
	return p.Backfill.Reset(s)
}

// newEasy returns EASY with its defaults.
func newEasy(t *testing.T) backfill.Backfill {
	easy, _ := sim.Policies.Get("easy")
	params := easy.Params.(backfill.EasyParams)
	made, err := easy.New(&params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return *made.(*backfill.Backfill)
}

// TestCapIsAudited: two nodes of 10 W idle and 30 W busy under a cap of 60 W that falls to 45 W at 5 s. A run under another cap, and one
// that does not kill when it falls, are noticed. The run as it is kills the job that started last.
func TestCapIsAudited(t *testing.T) {
	for want, change := range map[string]func(c *power.Cap){
		"": nil,
		"audit A19: at 6 s the machine draws 60 W, and the cap is 45 W (and 1 more violations)": func(c *power.Cap) { c.Watts.Value[1] = 60 },
		"audit A19: at 5 s the machine draws 60 W, and the cap is 45 W":                         func(c *power.Cap) { c.Kill = false },
	} {
		on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 1, Speed: 1,
			Power: power.Node{Idle: 10, Busy: 30}}}, sim.Link{})
		if err == nil {
			err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}}})
		}
		if err != nil {
			t.Fatal(err)
		}
		on.Cap = &power.Cap{Watts: power.NewSteps([]float64{0, 5}, []float64{60, 45}, math.Inf(1)), Kill: true}
		books := New(on)
		src := simtest.List{{ID: 1, RunTime: 8, Walltime: 8, Procs: 1, Partition: 1},
			{ID: 2, Submit: 1, RunTime: 6, Walltime: 6, Procs: 1, Partition: 1}}
		if want[:min(16, len(want))] == "audit A19: at 6 " {
			src[1].Submit = 6
		}
		res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src,
			Policy: &other{newEasy(t), change}, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}, KillAtWalltime: true})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if got != want || change == nil && (res.Killed != 1 || res.Finished != 1) {
			t.Errorf("got %q and %+v, want %q", got, res, want)
		}
	}
}

// TestBootsUnderACapAreAudited: a node of 10 W idle and 20 W busy is off, and its boot draws 35 W. The plan of a run under a cap of 40 W
// boots it. A cap of 30 W forbids that.
func TestBootsUnderACapAreAudited(t *testing.T) {
	for want, watts := range map[string]float64{"": 40, "audit A19: at 10 s the machine draws 35 W, and the cap is 30 W": 30} {
		on, err := sim.NewPlatform("one", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 1, Speed: 1, Power: power.Node{Idle: 10, Busy: 20,
			Boot: power.Transition{Time: 5, Power: 35}, Shutdown: power.Transition{Time: 1, Power: 5}}}}, sim.Link{})
		if err == nil {
			err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}}})
		}
		if err != nil {
			t.Fatal(err)
		}
		on.Off, on.Cap = power.SwitchOff{On: true}, &power.Cap{Watts: power.NewSteps([]float64{0}, []float64{watts}, math.Inf(1))}
		books := New(on)
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, KillAtWalltime: true, Observers: []sim.Observer{books},
			Source: &simtest.List{{ID: 1, Submit: 10, RunTime: 8, Walltime: 8, Procs: 1, Partition: 1}}, Progress: progress.Isolated{},
			Policy: &other{newEasy(t), func(c *power.Cap) { c.Watts.Value[0] = 40 }}})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package backfill_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// held is the processors of a start.
type held struct {
	ID    int64
	At    float64
	Procs []sim.Span
}

// heldLog is all starts.
type heldLog struct {
	sim.Quiet
	starts []held
}

func (l *heldLog) Held(s *sim.View, now, before *sim.Hold) {
	if now.Job != nil && now.Change(before) == "start" {
		l.starts = append(l.starts, held{now.Job.ID(), s.Now(), slices.Clone(now.Alloc.Procs)})
	}
}

// TestOnlyHeadEqualsOneOfTwo: a second partition without jobs changes no start and no processor. With it, the plan of nodes holds the
// reservation and the ends of running jobs; without it, the reservation is kept apart. Some machines run out of memory before cores.
func TestOnlyHeadEqualsOneOfTwo(t *testing.T) {
	starts, cases := 0, simtest.Cases(100, 300)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 3))
		scarce := seed%3 > 0
		var classes []sim.Cluster
		for i := range 1 + int(seed%5)/3*r.IntN(3) {
			classes = append(classes, sim.Cluster{Name: string(rune('a' + i)), Nodes: 1 + r.IntN(90), Cores: 1 + r.IntN(8), Speed: 1,
				Memory: 64, GPUs: int32(r.IntN(3))})
		}
		whole := sim.Partition{Name: "all", Classes: r.Perm(len(classes)), Default: true, Whole: r.IntN(8) == 0}
		empty := sim.Partition{Name: "empty", Classes: whole.Classes}
		var machines [2]*sim.Platform
		for k, parts := range [][]sim.Partition{{whole}, {whole, empty}} {
			on, err := sim.NewPlatform("m", classes, sim.Link{})
			if err != nil {
				t.Fatal(err)
			}
			if seed%7 == 0 {
				on.Licences = []sim.Licence{{Name: "l", Count: 3}}
			}
			if err := on.Divide(parts); err != nil {
				t.Fatal(err)
			}
			machines[k] = on
		}
		var jobs []sim.JobSpec
		for submit, k := 0., 0; k < 200; k++ {
			submit += float64(max(0, r.IntN(60)-30))
			run := r.IntN(200)
			j := sim.JobSpec{ID: int64(k + 1), Submit: submit, RunTime: float64(run), Walltime: float64(1 + run*(1+r.IntN(4)) - r.IntN(run/4+1)),
				Procs: int32(1 + r.IntN(30)), Partition: 1, Request: &sim.Request{Memory: int64(r.IntN(4))}}
			if r.IntN(4) == 0 {
				j.Procs = int32(1 + r.IntN(machines[0].Procs()))
			}
			if scarce {
				j.Request.Memory, j.Request.GPUs = r.Int64N(30), int32(r.IntN(8)/7)
				j.Request.Nodes = min(j.Procs, int32(r.IntN(6)/4*r.IntN(20)))
			}
			if seed%7 == 0 {
				j.Request.Licences[0] = int32(max(0, r.IntN(6)-2))
			}
			if machines[0].Satisfies(&j) == nil {
				jobs = append(jobs, j)
			}
		}
		var got [2]heldLog
		for k, on := range machines {
			params := easyParams([]backfill.Order{"fcfs", "sjf"}[seed%2]).(*backfill.EasyParams)
			params.Rules = "plain"
			if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Policy: policy(t, "easy", params),
				Source: simtest.Source(jobs), Progress: progress.Isolated{}, Observers: []sim.Observer{&got[k]}, KillAtWalltime: seed%4 > 0,
				Requests: true, Order: sim.EventOrders[seed%uint64(len(sim.EventOrders))]}); err != nil {
				t.Fatalf("case %d: %v", seed, err)
			}
		}
		if d := cmp.Diff(got[1].starts, got[0].starts); d != "" {
			t.Fatalf("case %d (-reservation in the plan +kept apart):\n%s", seed, d)
		}
		starts += len(got[0].starts)
	}
	if t.Logf("compared %d starts", starts); starts < 100*cases {
		t.Error("the cases are too tame")
	}
}

package backfill

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestLongPlansOfGroups plays queues of hundreds of jobs, many of them wide and short, so that searches refuse hundreds of starts. It
// compares every start, with the processors, with those of plans that know each processor.
func TestLongPlansOfGroups(t *testing.T) {
	starts, early := 0, 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 80))
		on, err := sim.NewPlatform("long", []sim.Cluster{{Name: "n", Nodes: 200 + r.IntN(400), Cores: 1, Speed: 1}}, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		var jobs []sim.JobSpec
		for i := range 400 {
			j := sim.JobSpec{ID: int64(i + 1), Submit: float64(r.IntN(3) * i), Walltime: float64(1 + r.IntN(900)),
				Procs: int32(1 + r.IntN(on.Procs()/3))}
			if i%3 == 0 {
				j.Walltime, j.Procs = float64(1+r.IntN(9)), int32(on.Procs()-r.IntN(on.Procs()/3))
			}
			j.RunTime = j.Walltime
			if i%4 == 0 {
				j.RunTime, early = float64(1+r.IntN(int(j.Walltime))), early+1
			}
			jobs = append(jobs, j)
		}
		slices.SortStableFunc(jobs, func(a, b sim.JobSpec) int { return int(a.Submit - b.Submit) })
		play := func(grouped bool) []string {
			kind, _ := sim.Policies.Get("conservative")
			p, err := kind.New(&ConservativeParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "basic"}}, sim.Env{})
			if err != nil {
				t.Fatal(err)
			}
			h := &holds{}
			_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Progress: progress.Isolated{},
				Policy: planned{p.(*Backfill), grouped}, Observers: []sim.Observer{h}, KillAtWalltime: true})
			if err != nil {
				t.Fatal(err)
			}
			return h.all
		}
		want, got := play(false), play(true)
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d (-processors +groups):\n%s", seed, cmp.Diff(want, got))
		}
		starts += len(got) / 2
	}
	t.Logf("compared %d starts; %d jobs ended early", starts, early)
}

package backfill_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/placement"
)

// parts are the common parts of both policies.
type parts struct {
	ordered backfill.Ordered
	placed  backfill.Placed
	rules   string
}

// of returns the parameters of easy or conservative.
func (p parts) of(policy string) any {
	if policy == "easy" {
		return &backfill.EasyParams{Ordered: p.ordered, Placed: p.placed, Rules: p.rules}
	}
	return &backfill.ConservativeParams{Ordered: p.ordered, Placed: p.placed, Rules: p.rules}
}

// shifts are sessions that are short enough for the suite's jobs to meet them.
var shifts = []backfill.Session{{Begin: 0, Days: "all", Longest: 8}, {Begin: 20, Days: "all"}, {Begin: 50, Days: "all"}}

// TestGrid runs the suite, whose runs are audited, for EASY and conservative with every order, every placement and with
// and without sessions.
func TestGrid(t *testing.T) {
	defer contract.Checks(5)() // there are 264 suites
	for _, name := range []string{"easy", "conservative"} {
		k, ok := sim.Policies.Get(name)
		if !ok {
			t.Fatal(name)
		}
		for _, order := range orders() {
			for _, place := range append([]string{"any"}, placement.Names...) {
				for _, sessions := range [][]backfill.Session{nil, shifts} {
					t.Run(fmt.Sprint(name, "/", order, "/", place, "/", len(sessions)), func(t *testing.T) {
						p := parts{backfill.Ordered{Order: order}, backfill.Placed{Placement: place, Sessions: sessions}, sim.RulesOfOrder}
						contract.Test(t, name, p.of(name), k.New)
					})
				}
			}
		}
		p := parts{backfill.Ordered{Order: "fcfs"}, backfill.Placed{Placement: "anywhere"}, sim.RulesOfOrder}
		if _, err := k.New(p.of(name), sim.Env{}); err == nil {
			t.Errorf("%s: an unknown placement is accepted", name)
		}
	}
}

// TestPlacementsAgreeOnOneProcessor: where there is nothing to choose, each placement gives the starts of any. Jobs may run past their
// walltimes.
func TestPlacementsAgreeOnOneProcessor(tt *testing.T) {
	rapid.Check(tt, func(t *rapid.T) {
		jobs := make([]sim.JobSpec, rapid.IntRange(1, 12).Draw(t, "jobs"))
		at := 0.0
		for i := range jobs {
			at += rapid.SampledFrom([]float64{0, 0, 1, 2, 7}).Draw(t, "gap")
			jobs[i] = sim.JobSpec{ID: int64(i), Submit: at, RunTime: float64(rapid.IntRange(0, 9).Draw(t, "run")),
				Walltime: float64(rapid.IntRange(1, 9).Draw(t, "walltime")), Procs: 1}
		}
		p := parts{ordered: backfill.Ordered{Order: rapid.SampledFrom(orders()).Draw(t, "order")}, rules: "plain"}
		if rapid.Bool().Draw(t, "sessions") {
			p.placed.Sessions = shifts[1:]
		}
		name, kills := rapid.SampledFrom([]string{"easy", "conservative"}).Draw(t, "policy"), rapid.Bool().Draw(t, "kills")
		p.placed.Placement = "any"
		want := run(tt, policy(tt, name, p.of(name)), "default", kills, 1, jobs)
		p.placed.Placement = rapid.SampledFrom(placement.Names).Draw(t, "placement")
		if d := cmp.Diff(want, run(tt, policy(tt, name, p.of(name)), "default", kills, 1, jobs)); d != "" {
			t.Fatalf("%s by %s, %s: %s", name, p.ordered.Order, p.placed.Placement, d)
		}
	})
}

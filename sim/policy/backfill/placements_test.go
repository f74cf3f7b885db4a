package backfill_test

import (
	"fmt"
	"testing"

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

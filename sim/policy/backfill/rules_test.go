package backfill_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/contract"
)

// ruled are the policies with rules of their own to choose from.
func ruled(kind, placement, rules string) any {
	if kind == "easy" {
		return &backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Rules: rules, Placed: backfill.Placed{Placement: "any"}}
	}
	return &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: placement}, Rules: rules}
}

// TestRules sets rules and event order independently. By default the rules follow the order.
func TestRules(t *testing.T) {
	const procs = 16
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []sim.JobSpec
	at := 0.0
	for i := range 300 {
		at += float64(r.IntN(3))
		run := float64(r.IntN(12))
		jobs = append(jobs, sim.JobSpec{ID: int64(i + 1), Submit: at, RunTime: run, Walltime: max(1, run*float64(1+r.IntN(2))),
			Procs: int32(1 + r.IntN(procs)), User: -1})
	}
	for _, c := range []struct{ kind, placement, rules string }{
		{"easy", "", "pyss"}, {"conservative", "any", "pyss"}, {"conservative", "basic", "cbf2015"},
	} {
		k, ok := sim.Policies.Get(c.kind)
		if !ok {
			t.Fatal(c.kind)
		}
		for _, rules := range []string{"plain", c.rules} {
			t.Run(c.kind+" "+c.placement+" "+rules, func(t *testing.T) {
				contract.Test(t, c.kind, ruled(c.kind, c.placement, rules), k.New)
			})
		}
		for _, o := range sim.EventOrders {
			starts := func(rules string) []float64 {
				return run(t, policy(t, c.kind, ruled(c.kind, c.placement, rules)), o.Name, true, procs, jobs)
			}
			def, plain, named := starts(sim.RulesOfOrder), starts("plain"), starts(c.rules)
			if want := map[bool][]float64{true: named, false: plain}[o.Rules == c.rules]; !slices.Equal(def, want) {
				t.Errorf("%s, placement %q: the rules that go with the order %s are others", c.kind, c.placement, o.Name)
			}
			if o.Rules == c.rules && slices.Equal(plain, named) {
				t.Errorf("%s, placement %q: the rules of %s change no start in its own order", c.kind, c.placement, c.rules)
			}
		}
		if c.kind == "easy" {
			continue
		}
		wrong := map[string]string{"pyss": "cbf2015", "cbf2015": "pyss"}[c.rules]
		field := ""
		ruled(c.kind, c.placement, wrong).(*backfill.ConservativeParams).Validate(func(f, _ string) { field = f })
		if field != "rules" {
			t.Errorf("placement %s takes the rules of %s", c.placement, wrong)
		}
	}
}

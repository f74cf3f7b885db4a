package oas

import (
	"math"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
)

// TestListInSlots: a heuristic that is held to slots starts jobs at beginnings of slots only, and its last slot is the first
// that ends no earlier than its last job. Slots count from the submission. Where it avoids saturation it is a plan of OAS, so
// that OAS needs no more slots.
func TestListInSlots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := drawn(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(1, 8).Draw(rt, "jobs"))
		if !possible(r.problem()) {
			return
		}
		r.submit = rapid.SampledFrom([]float64{0, 1e7}).Draw(rt, "submit")
		best := New(Params{Slot: r.Slot, Tie: "first", Execution: "slots", Nodes: 1_000_000, Solver: "builtin"}, sim.Env{})
		r.play(t, best)
		planned := best.Values(nil)[0]
		for _, order := range []string{"fcfs", "sjf", "bjf", "fpfs", "spt", "lpt"} {
			for _, avoid := range []bool{false, true} {
				l := NewList(ListParams{Order: order, AvoidSaturation: avoid, Execution: "slots", SlotPercent: 50})
				got := r.play(t, l)
				for i, start := range got.Start {
					if k := (start - r.submit) / r.Slot; !near(k, math.Round(k)) {
						rt.Fatalf("%s: job %d starts at %g slots", order, i+1, k)
					}
				}
				end := l.Values(nil)[0]
				if got.Makespan > end*(1+1e-9) || got.Makespan < end-r.Slot*(1+1e-9) {
					rt.Fatalf("%s: the makespan is %g s, and the last slot of %g s ends after %g s", order, got.Makespan, r.Slot, end)
				}
				if avoid && best.proved == best.plans && planned > end*(1+1e-9) {
					rt.Fatalf("OAS needs until %g s, %s until %g s without saturation", planned, order, end)
				}
			}
		}
	})
}

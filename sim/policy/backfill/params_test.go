package backfill_test

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

func easyParams(order backfill.Order) any {
	return &backfill.EasyParams{Ordered: backfill.Ordered{Order: order}, Rules: sim.RulesOfOrder, Placed: backfill.Placed{Placement: "any"}}
}

func conservativeParams(order backfill.Order) any {
	return &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: order}, Placed: backfill.Placed{Placement: "any"},
		Rules: sim.RulesOfOrder}
}

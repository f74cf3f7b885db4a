package queue_test

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
)

func easyParams(order string) any {
	return &queue.EasyParams{Ordered: queue.Ordered{Order: order}, Rules: sim.RulesOfOrder}
}

func conservativeParams(order string) any {
	return &queue.ConservativeParams{Ordered: queue.Ordered{Order: order}, Placement: "any", Rules: sim.RulesOfOrder}
}

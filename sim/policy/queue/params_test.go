package queue_test

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
)

func easyParams(order string) any { return &queue.EasyParams{Order: order, Rules: sim.RulesOfOrder} }

func conservativeParams(order string) any {
	return &queue.ConservativeParams{Order: order, Placement: "any", Rules: sim.RulesOfOrder}
}

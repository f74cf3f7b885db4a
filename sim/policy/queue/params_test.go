package queue_test

import "schedsweep/sim/policy/queue"

func easyParams(order string) any { return &queue.EasyParams{Order: order} }

func conservativeParams(order string) any {
	return &queue.ConservativeParams{Order: order, Placement: "any"}
}

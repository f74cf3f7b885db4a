package queue_test

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/queue"
)

// TestPlacements runs the suite for conservative with each placement, and has
// orders refused that a placement does not know.
func TestPlacements(t *testing.T) {
	k, ok := sim.Policies.Get("conservative")
	if !ok {
		t.Fatal("no policy conservative")
	}
	for _, name := range placement.Names {
		t.Run(name, func(t *testing.T) {
			contract.Test(t, "conservative", &queue.ConservativeParams{Ordered: queue.Ordered{Order: "fcfs"}, Placement: name, Rules: sim.RulesOfOrder}, k.New)
		})
		params := &queue.ConservativeParams{Ordered: queue.Ordered{Order: "sjf"}, Placement: name, Rules: sim.RulesOfOrder}
		field := ""
		params.Validate(func(f, _ string) { field = f })
		if _, err := k.New(params, sim.Env{}); err == nil || field != "order" {
			t.Errorf("placement %s takes the order sjf: error %v, field %q", name, err, field)
		}
	}
	if _, err := k.New(&queue.ConservativeParams{Ordered: queue.Ordered{Order: "fcfs"}, Placement: "anywhere", Rules: sim.RulesOfOrder}, sim.Env{}); err == nil {
		t.Error("an unknown placement is accepted")
	}
	(&queue.ConservativeParams{Ordered: queue.Ordered{Order: "sjf"}, Placement: "any", Rules: sim.RulesOfOrder}).Validate(func(f, m string) { t.Errorf("%s: %s", f, m) })
}

package contract_test

import (
	"reflect"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/queue"
)

// TestAllPolicies runs the suite for every registered policy. A file beside this
// one that imports its package is all that a new policy needs.
func TestAllPolicies(t *testing.T) {
	if len(sim.Policies.Kinds()) == 0 {
		t.Fatal("no policies are registered")
	}
	for _, k := range sim.Policies.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			params := reflect.New(reflect.TypeOf(k.Params))
			params.Elem().Set(reflect.ValueOf(k.Params))
			if replay, is := params.Interface().(*queue.ReplayParams); is {
				replay.AnyLog = true // waits that are drawn are no recording, which it would refuse at the end
			}
			contract.Test(t, k.Name, params.Interface(), k.New)
		})
	}
}

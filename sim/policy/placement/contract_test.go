package placement_test

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/placement"
)

func TestContract(t *testing.T) {
	for _, name := range placement.Names {
		t.Run(name, func(t *testing.T) {
			contract.Test(t, name, nil, func(any, sim.Env) (sim.Policy, error) { return placement.New(name, sim.RulesOfOrder) })
		})
	}
}

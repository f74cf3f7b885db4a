package main

import (
	"testing"

	"schedsweep/sim/policy/contract"
)

// What every policy must fulfil, on random workloads, machines and event orders:
// see package contract.
func TestContract(t *testing.T) {
	contract.Test(t, kind.Name, &Params{}, kind.New)
	contract.Test(t, kind.Name, &Params{Widest: true}, kind.New)
}

package scripts

import (
	"math"

	"schedsweep/cmd"
	"schedsweep/sim"
)

// violating is the command with a policy that breaks its word: first come first served that promises every job twice the time
// that there is (A11 of the audit).
func violating() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: "violating", Doc: "promises more than there is", Params: struct{}{},
		New: func(_ any, env sim.Env) (sim.Policy, error) {
			fcfs, _ := sim.Policies.Get("fcfs")
			p, err := fcfs.New(fcfs.Params, env)
			return violatingPolicy{p}, err
		}})
	cmd.Main()
}

type violatingPolicy struct{ sim.Policy }

func (violatingPolicy) Promised(*sim.Job) (share, until float64, effective bool) {
	return 2, math.Inf(1), false
}

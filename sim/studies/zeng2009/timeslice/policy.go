package timeslice

import "schedsweep/sim"

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "timeslice",
		Doc: "Scojo-PECT: preemptive time slices for short, medium and long jobs, each class space-shared by first come first served with " +
			"backfilling",
		Params:  DefaultSlicing,
		Metrics: Metrics,
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			return New(*params.(*Slicing)), nil
		},
	})
}

// New returns the policy.
func New(p Slicing) *Scheduler { return &Scheduler{P: p} }

// AbsoluteTimes says that slices have lengths of their own.
func (p *Scheduler) AbsoluteTimes() bool { return true }

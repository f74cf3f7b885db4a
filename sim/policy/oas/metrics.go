package oas

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/oas/solver"
)

// metrics are what the policy oas tells of a run.
var metrics = []sim.Metric{
	{Name: "planned_makespan", Unit: "s", Doc: "slots of the last plan times their length", Better: sim.Lower},
	{Name: "solver_plans", Doc: "how many plans the solver was asked for"},
	{Name: "solver_proved_share", Doc: "share of the plans that were proved to be shortest"},
	{Name: "solver_gap", Doc: "largest gap of a plan: (slots - bound) / slots", Better: sim.Lower},
	{Name: "solver_nodes", Doc: "nodes of the search trees visited for all plans, until they were proved to be shortest"},
	{Name: "solver_infeasible", Doc: "jobs refused because they saturate an uplink wherever they stand"},
}

// tally counts what the solver did in a run.
type tally struct {
	plans, proved, nodes, infeasible int64
	gap, makespan                    float64
}

func (t *tally) enter(r *solver.Result, slot float64) {
	t.plans++
	if r.Status == solver.Optimal {
		t.proved++
	}
	t.nodes += r.Nodes
	t.gap = max(t.gap, r.Gap())
	t.makespan = float64(r.Plan.Slots()) * slot
}

// Values appends the values of the metrics.
func (t *tally) Values(dst []float64) []float64 {
	gap, makespan := t.gap, t.makespan
	if t.plans == 0 {
		gap, makespan = math.NaN(), math.NaN()
	}
	return append(dst, makespan, float64(t.plans), float64(t.proved)/float64(t.plans), gap, float64(t.nodes), float64(t.infeasible))
}

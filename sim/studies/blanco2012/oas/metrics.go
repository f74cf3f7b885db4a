package oas

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/oas/solver"
)

// metrics are the metrics of the policy oas.
var metrics = []sim.Metric{
	{Name: "planned_makespan", Unit: "s", Doc: "slots of the schedule times their length: of the last plan, or up to the last slot in which " +
		"a job ran where jobs are held to slots", Better: sim.Lower},
	{Name: "solver_plans", Doc: "number of plans requested from the solver"},
	{Name: "solver_proved_share", Share: true, Doc: "share of the plans that were proved to be shortest"},
	{Name: "solver_gap", Doc: "largest gap of a plan: (slots - bound) / slots", Better: sim.Lower},
	{Name: "solver_nodes", Doc: "nodes of the search trees visited for all plans, until they were proved to be shortest"},
	{Name: "solver_infeasible", Doc: "jobs refused because they saturate an uplink in every position"},
	{Name: "solver_seconds", Unit: "s", Doc: "wall-clock time of the solver for all plans", Measured: true},
	{Name: "solver_mean", Unit: "s", Doc: "mean wall-clock time of the solver for a plan", Measured: true},
	{Name: "solver_longest", Unit: "s", Doc: "longest wall-clock time of the solver for a plan", Measured: true},
	{Name: "solver", Doc: "the solver that made the plans", Text: true},
	{Name: "solver_version", Doc: "the solver's version", Text: true, Measured: true},
	{Name: "solver_status", Doc: "optimal: all plans were proved to be shortest; feasible: a limit came first; time limit: it came before " +
		"the solver had any plan, and a heuristic's plan was carried out; infeasible: jobs were refused, and the rest planned", Text: true},
}

// tally counts the work of the solver in a run.
type tally struct {
	plans, proved, nodes, infeasible int64
	gap, makespan, seconds, longest  float64
	solver, version                  string
	status                           solver.Status
}

func (t *tally) enter(r *solver.Result, slot float64, name, version string, seconds float64) {
	if t.plans++; t.plans == 1 || worse[r.Status] > worse[t.status] {
		t.status = r.Status
	}
	t.solver, t.version = name, version
	t.seconds += seconds
	t.longest = max(t.longest, seconds)
	if r.Status == solver.Optimal {
		t.proved++
	}
	t.nodes += max(0, r.Nodes)
	t.gap = max(t.gap, r.Gap())
	t.makespan = float64(r.Plan.Slots()) * slot
}

func (t *tally) Values(dst []float64) []float64 {
	gap, makespan := t.gap, t.makespan
	if t.plans == 0 {
		gap, makespan = math.NaN(), math.NaN()
	}
	return append(dst, makespan, float64(t.plans), float64(t.proved)/float64(t.plans), gap, float64(t.nodes), float64(t.infeasible),
		t.seconds, t.seconds/float64(t.plans), t.longest)
}

func (t *tally) Texts(dst []string) []string {
	status := t.status
	if t.infeasible > 0 {
		status = solver.Infeasible
	}
	return append(dst, t.solver, t.version, string(status))
}

// worse puts the outcomes of several plans of a run in order.
var worse = map[solver.Status]int{solver.Optimal: 0, solver.Feasible: 1, solver.TimeLimit: 2}

package queue

import (
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "conservative",
		Doc:    "conservative backfilling: every job has a planned start from its submission on, and nobody delays it",
		Params: ConservativeParams{Order: "fcfs", Placement: "any", Rules: sim.RulesOfOrder},
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			p := params.(*ConservativeParams)
			o, err := orderByName(p.Order)
			if err != nil {
				return nil, err
			}
			return newConservative(o, p.Placement, p.Rules)
		},
	})
}

// ConservativeParams are the parameters of the policy conservative.
type ConservativeParams struct {
	// Order is the order in which waiting jobs are moved forward when room is
	// left, one of [Orders]. A place at submission is given in order of
	// submission whatever it is.
	Order string `sweep:"order" doc:"order of the queue" enum:"fcfs|sjf|ljf|smallest|largest|wfp3|unicep|f1|f2|f3|f4"`
	// Placement says which processors a job is planned on. With any they are
	// counted only, and the lowest-numbered free ones are taken at the start; the
	// others are the rules of package placement, which plan by sets of processors
	// and keep the order fcfs.
	Placement string `sweep:"placement" doc:"which processors a job is planned on" enum:"any|basic|best-effort-contiguous|contiguous|best-effort-local|local"`
	// Rules says whose rules of backfilling hold, see [Conservative] and
	// [placement.Conservative].
	Rules string `sweep:"rules" doc:"whose rules hold where simulators differ: those that go with the event order, or by name; pyss has some for placement any, cbf2015 for the others" enum:"event-order|plain|pyss|cbf2015"`
}

// Validate refuses orders and rules that a placement does not have.
func (p *ConservativeParams) Validate(report func(field, message string)) {
	if p.Rules == "cbf2015" && p.Placement == "any" || p.Rules == "pyss" && p.Placement != "any" {
		report("rules", fmt.Sprintf("placement %s has no rules of %s: take event-order or plain", p.Placement, p.Rules))
	}
	if p.Placement != "any" && p.Order != "fcfs" {
		report("order", fmt.Sprintf("placement %s knows the order fcfs only, not %s: take placement any or order fcfs", p.Placement, p.Order))
	}
}

// newConservative returns the policy for a placement.
func newConservative(o Order, name, rules string) (sim.Policy, error) {
	if name == "any" {
		return &Conservative{queue: waiting{order: o}, rules: rules}, nil
	}
	if o.Name != "fcfs" {
		return nil, fmt.Errorf("policy conservative with placement %s knows the order fcfs only, not %s", name, o.Name)
	}
	return placement.New(name, rules)
}

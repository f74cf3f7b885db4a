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
		Params: ConservativeParams{Ordered: Ordered{Order: "fcfs"}, Placement: "any", Rules: sim.RulesOfOrder},
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
	// Ordered is the order in which waiting jobs are moved forward when room is
	// left. A place at submission is given in order of submission whatever it is.
	Ordered
	Placement string `sweep:"placement" doc:"which processors a job is planned on" enum:"any: processors are counted, the lowest free ones taken at the start|basic: the lowest free for the whole run|best-effort-contiguous: the longest runs of neighbours first|contiguous: neighbours only, later if need be|best-effort-local: the clusters with most free first|local: as few clusters as can hold it, later if need be"`
	Rules     string `sweep:"rules" doc:"whose rules hold where simulators differ" enum:"event-order: those that go with the event order|plain: our own|pyss: of the Feitelson group's simulator, for placement any|cbf2015: of the simulator of contiguity and locality, for the other placements"`
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

package backfill

import (
	"fmt"

	"schedsweep/sim/policy/placement"
)

// Placed are the parameters of a policy that chooses when and where jobs start.
type Placed struct {
	Placement string    `sweep:"placement" doc:"processors that a job is planned on" enum:"any: processors are counted, the lowest free ones taken at the start|basic: the lowest free for the whole run|best-effort-contiguous: the longest runs of neighbours first|contiguous: neighbours only, later if need be|best-effort-local: the clusters with most free first|local: as few clusters as can hold it, later if need be|powered-first: nodes that are on or boot first, then the lowest"`
	Sessions  []Session `sweep:"sessions" doc:"parts of days and weeks, each until the next begins; a job starts only in a session before whose end it ends by its walltime. Jobs that no session is long enough for are rejected"`
}

// Plan returns the plan for this placement and these sessions.
func (p Placed) Plan() (plan Plan, err error) {
	if p.Placement != "any" {
		plan.rule = p.Placement
		if _, err := placement.NewPlan(plan.rule); err != nil {
			return plan, err
		}
	}
	plan.eligible, err = newSessions(p.Sessions)
	return plan, err
}

// refuse reports rules that the placement does not have.
func (p Placed) refuse(rules string, report func(field, message string)) {
	if rules == "cbf2015" && p.Placement == "any" || rules == "pyss" && p.Placement != "any" {
		report("rules", fmt.Sprintf("are %[2]s, which placement %[1]s does not have; take event-order or plain", p.Placement, rules))
	}
}

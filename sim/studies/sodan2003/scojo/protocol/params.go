package protocol

import (
	"fmt"
	"slices"
)

// Params are the parameters of the protocol.
type Params struct {
	Latency       float64 `sweep:"latency" unit:"s" min:"0" doc:"time that a message takes from one site to another"`
	Rough         bool    `sweep:"rough" doc:"do all candidates report their load first, so that the earliest sites are chosen? Otherwise the sites after the job's own are chosen, in their order"`
	Slots         int     `sweep:"slots" min:"1" doc:"most slots that a site offers, each an interval of starts; the last has no end"`
	RoughTimeout  float64 `sweep:"rough_timeout" unit:"s" above:"0" doc:"longest wait for answers to RoughLoadQuery; sites answer it at once"`
	AnswerTimeout float64 `sweep:"answer_timeout" unit:"s" above:"0" doc:"longest wait for an answer to FineSchedulingRequest or ConfirmSchedule; a site that serves others first answers late, so a longer latency needs a longer timeout"`
	HoldTimeout   float64 `sweep:"hold_timeout" unit:"s" above:"0" doc:"time after which a preliminary reservation expires"`
	Tries         int     `sweep:"tries" min:"1" doc:"attempts to find an agreement for a job before it is given up"`
	Retry         float64 `sweep:"retry" unit:"s" min:"0" doc:"time between an attempt that failed and the next one, which takes its turn behind other jobs of its site"`
	Faults        []Fault `sweep:"faults" doc:"sites that do not keep to the protocol"`
}

// Fault describes the misbehaviour of a site, towards other sites.
type Fault struct {
	Site    int     `sweep:"site" min:"0" doc:"the site's number, from 0"`
	Silent  float64 `sweep:"silent" unit:"share" min:"0" max:"1" doc:"probability that it does not answer a message"`
	Garbage float64 `sweep:"garbage" unit:"share" min:"0" max:"1" doc:"probability that a message that it sends makes no sense"`
	Late    float64 `sweep:"late" unit:"s" min:"0" doc:"delay of its messages ConfirmSchedule and of its answers to them"`
}

// Defaults are the defaults of the parameters. The paper gives none: a wide area
// network, and timeouts that 16 sites with this latency do not reach where all keep to the protocol.
// With ten times the latency, sites that serve others first may answer after the timeout.
var Defaults = Params{Latency: .05, Rough: true, Slots: 4, RoughTimeout: 2, AnswerTimeout: 30, HoldTimeout: 60, Tries: 5, Retry: 10}

// Check returns the errors of the parameters for this number of sites.
func (p *Params) Check(sites int) error {
	for i, f := range p.Faults {
		if f.Site >= sites {
			return fmt.Errorf("protocol.faults[%d].site is %d, and the platform has the clusters 0 to %d", i, f.Site, sites-1)
		}
		if slices.ContainsFunc(p.Faults[:i], func(other Fault) bool { return other.Site == f.Site }) {
			return fmt.Errorf("protocol.faults[%d].site is %d, and so is that of an entry before; put all faults of a site into one", i, f.Site)
		}
	}
	if !(p.RoughTimeout > 2*p.Latency && p.AnswerTimeout > 2*p.Latency) {
		return fmt.Errorf("protocol.rough_timeout (%g s) and protocol.answer_timeout (%g s) must exceed two latencies (%g s): no answer would "+
			"be in time", p.RoughTimeout, p.AnswerTimeout, 2*p.Latency)
	}
	return nil
}

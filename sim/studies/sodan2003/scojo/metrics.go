package scojo

import (
	"math"

	"schedsweep/sim"
)

var metrics = []sim.Metric{
	{Name: "reservations", Doc: "cross-site jobs whose start was fixed beforehand"},
	{Name: "overruns", Doc: "jobs that went on in the kept share because they had used up what was reserved for them", Better: sim.Lower},
	{Name: "promotions", Doc: "times that a job got the larger share of one that had ended"},
	{Name: "messages_per_job", Doc: "messages between sites until the start of a job that runs on several of them: mean over these jobs; " +
		"undefined without any", Better: sim.Lower},
	{Name: "attempts", Doc: "attempts of sites to agree on a job, those that failed included"},
	{Name: "expired_holds", Doc: "preliminary reservations at sites that expired", Better: sim.Lower},
	{Name: "given_up", Doc: "jobs that were rejected because their sites came to no agreement", Better: sim.Lower},
}

// Values gives the metrics of the last run.
func (p *Policy) Values(dst []float64) []float64 {
	c, perJob := p.between.grid.Counts(), math.NaN()
	if p.between.launched > 0 {
		perJob = float64(p.between.messages) / float64(p.between.launched)
	}
	return append(dst, float64(p.counts.reservations), float64(p.counts.overruns), float64(p.counts.promotions),
		perJob, float64(c.Attempts), float64(c.Expired), float64(c.Failed))
}

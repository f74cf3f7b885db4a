package audit

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// delay checks that jobs start when they are eligible (A23).
type delay struct{ policy sim.SitePolicy } // nil where it delays none

// starts checks the first start of j. Its book of charges has the mean tariff at each time at which the mean may be lowest: the bounds of
// the delay, the times at which steps begin, and those before them by its walltime.
func (p *delay) starts(a *Audit, s *sim.View, j *sim.Job) {
	if j.Requeues() > 0 {
		return
	}
	rule := p.policy.Shift()
	steps, d, from := s.Platform().Tariffs[rule.By], j.Walltime(), j.Submit()
	until, largest := from+rule.AtMost(s, j), 0.
	mean := func(t float64) float64 {
		var by [power.Tariffs]*power.Steps
		by[rule.By] = steps
		var c charges
		c.add(by, t, min(t+d, steps.Until), power.Energy{Busy: 1 / d})
		return c.of[rule.By].Busy
	}
	if from < steps.From[0] || from+d > steps.Until || d == 0 {
		return // the mean is unknown at the submission, so that the job is not delayed
	}
	times, means := []float64{from}, []float64{mean(from)}
	look := func(t float64) {
		if from <= t && t <= until && t+d <= steps.Until*(1+slack) {
			times, means = append(times, t), append(means, mean(t))
		}
	}
	look(until)
	look(steps.Until - d)
	for i, t := range steps.From {
		look(t)
		look(t - d)
		largest = max(largest, math.Abs(steps.Value[i]))
	}
	lowest, first := slices.Min(means), until
	for i, t := range times {
		if means[i] <= lowest+2e-6*largest {
			first = min(first, t)
		}
	}
	if s.Now() < first {
		a.violate("A23", "job %d started at %g s and is eligible from %g s on, when the mean tariff %d of its walltime is lowest", j.ID(),
			s.Now(), first, rule.By)
	}
}

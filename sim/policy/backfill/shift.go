package backfill

import (
	"cmp"
	"fmt"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Shifted are the parameters that delay jobs.
type Shifted struct {
	Shift Shift `sweep:"shift" doc:"delays jobs to a time at which their energy emits or costs less"`
}

// Shift is a [sim.Shift] by names.
type Shift struct {
	By      string  `sweep:"by" enum:"carbon: to the lowest mean carbon intensity (platform.carbon)|price: to the lowest mean price (platform.price)" doc:"quantity that a delay lowers; none: no job is delayed"`
	AtMost  float64 `sweep:"at_most" unit:"s" min:"0" max:"2678400" doc:"longest delay of a job from its submission on, at most 31 d; 0: none, but for classes"`
	Classes []Class `sweep:"classes" doc:"longest delays of classes of jobs, in place of at_most; the first class that a job is in holds"`
}

// Class is a class of jobs with a bound of its own.
type Class struct {
	Of     Who     `sweep:"of" doc:"the jobs of the class"`
	AtMost float64 `sweep:"at_most" unit:"s" min:"0" max:"2678400" doc:"longest delay of a job of the class from its submission on; 0: none"`
}

// validate refuses delays without a bound or a purpose.
func (p *Shift) validate(report func(field, message string)) {
	most := p.AtMost
	for i, c := range p.Classes {
		if most = max(most, c.AtMost); c.Of == (Who{}) {
			report(fmt.Sprintf("shift.classes[%d].of", i), "names no jobs; give a user, account, group, qos or partition, or set "+
				"shift.at_most for all jobs")
		}
	}
	if p.By == "" && (most > 0 || len(p.Classes) > 0) {
		report("shift.by", "is not given, and jobs may be delayed; write by: carbon or by: price, or drop shift")
	}
}

// Needs refuses a shift without a bound.
func (p *Shifted) Needs(report func(missing, field, message string)) {
	if p.Shift.By != "" && p.Shift.AtMost == 0 && len(p.Shift.Classes) == 0 {
		report("shift.at_most", "shift.at_most", "is 0, so no job is ever delayed; give a time such as 6h, or drop shift")
	}
}

// delays holds jobs until they are eligible. It knows the tariff of all times, and of a job no more than its walltime. Nil delays none.
//
// A job is eligible at the t in [submission, submission + bound] for which the mean tariff over [t, t + walltime] is lowest
// ([power.Steps.Lowest]), and never before now. Until then it is in no queue and no plan. Then it enters as if it was submitted then, but
// with the place in the queue that its submission gives it. Jobs enter in the order of these times, and then of their submissions.
type delays struct {
	named Shift
	rule  sim.Shift
	steps *power.Steps
	later []delayed // in order of entering, the last first
}

type delayed struct {
	job *sim.Job
	at  float64
}

// delays returns the rule that delays jobs, nil for none.
func (p Shifted) delays() *delays {
	if p.Shift.By == "" {
		return nil
	}
	return &delays{named: p.Shift}
}

// reset forgets all jobs and finds the tariff and the numbers of names, or refuses the platform.
func (d *delays) reset(s *sim.State) error {
	if d == nil {
		return nil
	}
	d.later, d.rule.Bounds, d.rule.By = d.later[:0], d.rule.Bounds[:0], power.Carbon
	if d.named.By == "price" {
		d.rule.By = power.Price
	}
	if d.steps = s.Platform().Tariffs[d.rule.By]; d.steps == nil {
		return fmt.Errorf("policy.shift delays jobs by %[1]s, and the platform has no %[1]s: name its file in platform.%[1]s, or drop "+
			"policy.shift", d.named.By)
	}
	for i, c := range d.named.Classes {
		of, err := c.Of.numbers(s, fmt.Sprintf("policy.shift.classes[%d]", i), "class", nil)
		if err != nil {
			return err
		}
		d.rule.Bounds = append(d.rule.Bounds, sim.ShiftBound{Of: sim.Limit{Of: of}, AtMost: c.AtMost})
	}
	d.rule.Bounds = append(d.rule.Bounds, sim.ShiftBound{AtMost: d.named.AtMost})
	return nil
}

// holds keeps j until it is eligible, and reports whether that is later than now.
func (d *delays) holds(s *sim.State, j *sim.Job) bool {
	at := d.steps.Lowest(s.Now(), j.Submit()+d.rule.AtMost(s, j), j.Walltime())
	if at <= s.Now() {
		return false
	}
	i, _ := slices.BinarySearchFunc(d.later, at, func(o delayed, at float64) int {
		return cmp.Or(cmp.Compare(at, o.at), cmp.Compare(j.Seq(), o.job.Seq()))
	})
	d.later = slices.Insert(d.later, i, delayed{j, at})
	s.WakeAt(at)
	return true
}

// next takes out the next job that is eligible by now, nil for none.
func (d *delays) next(now float64) *sim.Job {
	if len(d.later) == 0 || d.later[len(d.later)-1].at > now {
		return nil
	}
	j := d.later[len(d.later)-1].job
	d.later = d.later[:len(d.later)-1]
	return j
}

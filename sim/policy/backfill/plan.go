package backfill

import (
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/profile"
)

// Placed are the parameters of a policy that chooses when and where jobs start.
type Placed struct {
	Placement string    `sweep:"placement" doc:"which processors a job is planned on" enum:"any: processors are counted, the lowest free ones taken at the start|basic: the lowest free for the whole run|best-effort-contiguous: the longest runs of neighbours first|contiguous: neighbours only, later if need be|best-effort-local: the clusters with most free first|local: as few clusters as can hold it, later if need be"`
	Sessions  []Session `sweep:"sessions" doc:"parts of days and weeks before whose ends all jobs have to end by their walltimes; jobs that no session is long enough for are rejected"`
}

// Plan returns the plan for this placement and these sessions.
func (p Placed) Plan() (plan Plan, err error) {
	if p.Placement != "any" {
		if plan.sets, err = placement.NewPlan(p.Placement); err != nil {
			return plan, err
		}
	}
	plan.eligible, err = newSessions(p.Sessions)
	return plan, err
}

// refuse reports rules that the placement does not have.
func (p Placed) refuse(rules string, report func(field, message string)) {
	if rules == "cbf2015" && p.Placement == "any" || rules == "pyss" && p.Placement != "any" {
		report("rules", fmt.Sprintf("placement %s has no rules of %s: take event-order or plain", p.Placement, rules))
	}
}

// Plan is who holds processors from when to when: the jobs that run, until their planned ends, and those that have been
// given a place. A place is a start at which the job is eligible and at which its processors stay free for its
// walltime: so many of them, or, with a placement, the set that the rule chooses. Both are searched in turn until they
// agree on a start.
//
// A policy holds or starts each job that runs through its plan, and ends it there.
type Plan struct {
	eligible Eligible        // nil: always
	counts   profile.Profile // how many are free, without a placement
	sets     *placement.Plan // which are free, with one
}

// Reset makes the plan that of an idle machine, or refuses the machine. A strict plan follows the rules of cbf2015
// where it has a placement.
func (p *Plan) Reset(s *sim.State, strict bool) error {
	if p.eligible != nil {
		p.eligible.Reset(s)
	}
	if p.sets != nil {
		return p.sets.Reset(s, strict)
	}
	p.counts.Reset(s.Capacity(), s.Now())
	return nil
}

// mayFollow refuses runs in which the policy cannot follow the rules of a simulator.
func (p *Plan) mayFollow(s *sim.State, policy string, pyss, cbf bool) error {
	switch {
	case pyss && !s.KillsAtWalltime():
		return fmt.Errorf("policy %s with the rules of pyss needs jobs to be ended at their walltime: set the kill at the walltime, or take "+
			"other rules (policy.rules, by default those of engine.event_order)", policy)
	case (pyss || cbf) && p.eligible != nil:
		return fmt.Errorf("policy %s: sessions go with the rules plain (policy.rules, by default those of engine.event_order)", policy)
	}
	return nil
}

// Submitted reports whether the job can ever start.
func (p *Plan) Submitted(s *sim.State, j *sim.Job) bool {
	if p.eligible == nil {
		return true
	}
	p.eligible.Submitted(s, j)
	return !math.IsInf(p.eligible.Earliest(s.Now(), j.Walltime()), 1)
}

// Cut forgets what was before now.
func (p *Plan) Cut(now float64) {
	if p.sets != nil {
		p.sets.Cut(now)
		return
	}
	p.counts.Cut(now)
}

// Adopt holds the processors of a job that runs already, and returns its planned end.
func (p *Plan) Adopt(s *sim.State, j *sim.Job) float64 {
	p.Cut(s.Now())
	if p.sets != nil {
		end := p.sets.Adopt(j)
		p.sets.Hold(j.Slot(), s.Now(), end)
		return end
	}
	p.counts.Reserve(s.Now(), j.PlannedEnd(), int(j.Procs()))
	return j.PlannedEnd()
}

// Renew makes the plan one of the running jobs alone. Those that have passed their planned ends are expected to end at
// the next moment.
func (p *Plan) Renew(s *sim.State, running *Ends) {
	now := s.Now()
	if p.sets != nil {
		p.sets.Clear(now)
	} else {
		p.counts.Reset(s.Capacity(), now)
	}
	for _, b := range running.blocks {
		for _, e := range b.ends {
			if end := s.ExpectedEnd(e.time); p.sets != nil {
				p.sets.Hold(e.slot, now, end)
			} else {
				p.counts.Reserve(now, end, int(e.procs))
			}
		}
	}
}

// Place gives j its earliest place from now on and returns its start.
func (p *Plan) Place(j *sim.Job, now float64) float64 {
	start := p.earliest(j, now)
	p.take(j, start)
	return start
}

// PlaceNow gives j a place that starts now, if there is one whose processors are free, and reports whether there is.
func (p *Plan) PlaceNow(s *sim.State, j *sim.Job) bool {
	now := s.Now()
	if p.eligible != nil && p.eligible.Earliest(now, j.Walltime()) > now {
		return false
	}
	fits := false
	if p.sets != nil {
		fits = p.sets.Fits(j, now)
	} else {
		fits = int(j.Procs()) <= min(s.Free(), p.counts.Least(now, now+j.Walltime()))
	}
	if fits {
		p.take(j, now)
	}
	return fits
}

// Advance gives a waiting job that was planned to start later than now its earliest place anew, and returns its start,
// which is never later than before.
func (p *Plan) Advance(j *sim.Job, now, start float64) float64 {
	switch {
	case p.eligible != nil:
		p.Withdraw(j, start)
		return p.Place(j, now)
	case p.sets != nil:
		return p.sets.Advance(j)
	}
	return p.counts.Advance(now, start, int(j.Procs()), j.Walltime())
}

// Withdraw takes back the place of a waiting job.
func (p *Plan) Withdraw(j *sim.Job, start float64) {
	if p.sets != nil {
		p.sets.Release(j, start)
		return
	}
	p.counts.Release(start, start+j.Walltime(), int(j.Procs()))
}

// Start starts j, whose place starts now, and reports whether its processors are free: another job may still be there,
// past its planned end.
func (p *Plan) Start(s *sim.State, j *sim.Job) bool {
	if p.sets != nil {
		return p.sets.Start(s, j)
	}
	if int(j.Procs()) > s.Free() {
		return false
	}
	s.Start(j)
	return true
}

// End is the planned end of a job that runs.
func (p *Plan) End(j *sim.Job) float64 {
	if p.sets != nil {
		return p.sets.End(j)
	}
	return j.PlannedEnd()
}

// Ended gives back what a job that ran holds from now on, and reports whether that is anything.
func (p *Plan) Ended(s *sim.State, j *sim.Job) bool {
	now, end := s.Now(), p.End(j)
	if p.sets != nil {
		p.sets.Ended(j)
	}
	if now >= end {
		return false
	}
	p.Cut(now)
	if p.sets != nil {
		p.sets.Release(j, now)
	} else {
		p.counts.Release(now, end, int(j.Procs()))
	}
	return true
}

func (p *Plan) take(j *sim.Job, start float64) {
	if p.sets != nil {
		p.sets.Take(j, start)
		return
	}
	p.counts.Reserve(start, start+j.Walltime(), int(j.Procs()))
}

// earliest is the earliest start of j from now on.
func (p *Plan) earliest(j *sim.Job, now float64) float64 {
	if p.eligible == nil {
		return p.free(j, now)
	}
	return profile.Agree(now, func(t float64) float64 { return p.free(j, t) }, func(t float64) float64 {
		return p.eligible.Earliest(t, j.Walltime())
	})
}

// free is the first start from t on at which processors are free for j.
func (p *Plan) free(j *sim.Job, t float64) float64 {
	if p.sets != nil {
		return p.sets.Earliest(j, t)
	}
	return p.counts.Earliest(t, int(j.Procs()), j.Walltime())
}

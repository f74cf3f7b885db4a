package queue

import (
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
)

// Conservative is conservative backfilling on counts of processors: each job is
// given the earliest place by walltimes when it is submitted, so nobody is
// delayed by a later one (A. W. Mu'alem, D. G. Feitelson, "Utilization,
// predictability, workloads, and user runtime estimates in scheduling the IBM
// SP2 with backfilling", IEEE TPDS 2001). Holes of exactly a job's length are
// accepted.
//
// When a job ends before its walltime the plan is compressed: each waiting job,
// in the order of the queue, is taken out and takes the earliest start not later
// than its own. When nothing ended early nothing is replanned. Under the rules
// of pyss the plan is compressed after every end, a place is taken in by the
// processors' planned ends even before the ends have been handled, and a job
// that starts on them does so later in the same instant.
//
// Where jobs are not ended at their walltime, one that has passed it is expected
// to end at any moment: as long as there is one, the whole plan is made anew at
// each pass, in the order of the queue, with its processors taken now and free
// at once thereafter.
//
// Planning a job costs what [profile.Profile.Earliest] costs; compressing, a look
// at each waiting job, a search where the profile has no proof from those before
// it that it cannot move, and two changes of the profile for each that moves;
// starting what is due, O(log k) each with k jobs waiting.
type Conservative struct {
	queue   waiting
	rules   string
	plan    profile.Profile
	starts  starts
	running ends // kept where jobs may overrun
	fresh   []*sim.Job
	pyss    bool
	freed   bool    // an end has left room since the last compression
	overrun bool    // the plan was made with jobs beyond their walltimes
	news    bool    // jobs were submitted or have ended since the last pass
	wake    float64 // when a pass is due without news
}

// Reset prepares a run.
func (p *Conservative) Reset(s *sim.State) error {
	p.pyss = s.Order().Resolve(p.rules) == "pyss"
	if p.pyss && !s.KillsAtWalltime() {
		return fmt.Errorf("policy conservative with the rules of pyss needs jobs to be ended at their walltime: set the kill at the walltime, or take other rules (policy.rules, by default those of engine.event_order)")
	}
	p.queue.reset()
	p.running.reset()
	p.starts.reset()
	p.plan.Reset(s.Platform().Procs(), s.Now())
	p.fresh, p.freed, p.overrun, p.news, p.wake = p.fresh[:0], false, false, false, math.Inf(1)
	return nil
}

// Submitted keeps the job for the next pass, which plans it: what ended at the
// same instant must have left its room to those that waited before.
func (p *Conservative) Submitted(_ *sim.State, j *sim.Job) {
	p.fresh, p.news = append(p.fresh, j), true
}

// Adopt takes the rest of the walltime of a job that another policy has started.
func (p *Conservative) Adopt(s *sim.State, j *sim.Job) {
	p.plan.Reserve(s.Now(), j.PlannedEnd(), int(j.Procs()))
	if !s.KillsAtWalltime() {
		p.running.insert(j, j.PlannedEnd())
	}
	p.news = true
}

// Ended gives back what is left of the job's walltime.
func (p *Conservative) Ended(s *sim.State, j *sim.Job) {
	if !s.KillsAtWalltime() {
		p.running.remove(j)
	}
	if end := j.PlannedEnd(); s.Now() < end {
		p.plan.Cut(s.Now())
		p.plan.Release(s.Now(), end, int(j.Procs()))
		p.freed = true
	}
	p.freed = p.freed || p.pyss
	p.news = true
}

// Pass brings the plan up to date and starts what is due. A wake-up for a plan
// that has changed since changes nothing.
func (p *Conservative) Pass(s *sim.State) {
	now := s.Now()
	if !p.news && now != p.wake {
		return
	}
	p.news = false
	late := p.running.first() <= now
	if late || p.overrun {
		p.replan(s, late)
	} else {
		p.plan.Cut(now)
		if p.freed {
			p.compress(now)
		}
		for _, j := range p.fresh {
			p.queue.push(j, now)
			p.place(j, now)
		}
	}
	p.fresh, p.freed = p.fresh[:0], false
	p.startDue(s)
	p.askWake(s)
}

// AbsoluteTimes reports whether the queue order has times of its own.
func (p *Conservative) AbsoluteTimes() bool { return p.queue.order.Absolute }

// Planned returns the planned start of the waiting job j in seconds, or NaN
// before the pass that plans it.
func (p *Conservative) Planned(j *sim.Job) float64 { return p.starts.of(j) }

// place gives j the earliest place from now on.
func (p *Conservative) place(j *sim.Job, now float64) {
	start := p.plan.Earliest(now, int(j.Procs()), j.Walltime())
	p.plan.Reserve(start, start+j.Walltime(), int(j.Procs()))
	p.starts.set(j, start)
}

// compress moves waiting jobs to earlier places, in the order of the queue. Jobs
// planned for now stay.
func (p *Conservative) compress(now float64) {
	p.queue.sort(now)
	p.queue.each(p.queue.root, func(j *sim.Job) {
		old, n := p.starts.of(j), int(j.Procs())
		if old <= now {
			return
		}
		if start := p.plan.Advance(now, old, n, j.Walltime()); start < old {
			p.starts.set(j, start)
		}
	})
}

// replan makes the whole plan anew around jobs that have passed their walltime,
// or, for the last time, after they have gone.
func (p *Conservative) replan(s *sim.State, late bool) {
	now := s.Now()
	for _, j := range p.fresh {
		p.queue.push(j, now)
	}
	p.queue.sort(now)
	p.overrun = late
	p.plan.Reset(s.Platform().Procs(), now)
	for _, b := range p.running.blocks {
		for _, e := range b.ends {
			p.plan.Reserve(now, s.ExpectedEnd(e.time), int(e.procs))
		}
	}
	p.queue.each(p.queue.root, func(j *sim.Job) { p.place(j, now) })
}

// startDue starts jobs whose time has come, in the order in which their starts
// were planned. Under pyss some of their processors may be given back only later
// in this instant; then another pass follows.
func (p *Conservative) startDue(s *sim.State) {
	for p.starts.len() > 0 {
		j, start := p.starts.first()
		if start > s.Now() || int(j.Procs()) > s.Free() {
			return
		}
		p.starts.remove(j)
		p.queue.remove(j)
		if !s.KillsAtWalltime() {
			p.running.insert(j, s.Now()+j.Walltime())
		}
		s.Start(j)
	}
}

// askWake asks to be woken at the next planned start, and where jobs may overrun
// at the next planned end of what runs, so that an overrun is noticed when it
// begins. As long as one lasts, planned starts build on an end that nobody knows
// and are no reason to wake: what can start then starts when something ends, or
// was planned for the planned end of something that runs.
func (p *Conservative) askWake(s *sim.State) {
	now := s.Now()
	next := p.running.after(now)
	if !p.overrun {
		next = min(next, p.starts.next(now))
	}
	if next != p.wake && next < math.Inf(1) {
		s.WakeAt(next)
	}
	p.wake = next
}

package placement

import (
	"math"

	"schedsweep/sim"
)

// startSlack is how long before its planned start a job may start, in seconds,
// if its processors are free: the slack of the simulator cbf2015.
const startSlack = 1e-6

// Conservative is conservative backfilling over a profile of sets of free
// processors: every job gets its earliest place, processors included, when it
// is submitted, and no later job may delay it.
//
// Under the rules of cbf2015, Dutot, Poquet and Trystram's simulator (2015),
// each waiting job may move to now after ends, by its own placement rule, or stays
// exactly where it was. Under plain rules an
// early end compresses the plan: each waiting job in queue order is taken out
// and takes its earliest start anew, never later than before.
//
// Where jobs are not ended at their walltime, one that has passed it is expected
// to end at the next moment, as by policy conservative, and all that waits is
// planned anew at every event as long as one lasts.
type Conservative struct {
	rule    rule
	rules   string
	strict  bool // the rules of cbf2015
	profile profile
	plans   []plan     // by sim.Job.Slot
	jobs    []*sim.Job // by sim.Job.Slot
	waiting []int32    // slots in order of submission
	fresh   []int32    // waiting to be planned
	running []int32    // slots
	busy    []uint64   // processors of running jobs
	woken   bool       // all else of this instant has been told
	ended   bool       // jobs have ended since the last pass
	early   bool       // one of them before its planned end
	late    bool       // the plan was made with jobs beyond their walltimes
	wake    float64    // when the next wake-up is due, NaN without
	ladder  ladder     // how long processors stay free from now on
	scratch []uint64   // the free processors of a hole
	chosen  []uint64   // processors chosen in it
	spans   []sim.Span // scratch of starts
}

// New returns conservative backfilling with a rule of placement, one of [Names],
// and whose rules hold where simulators differ: plain, cbf2015 or
// [sim.RulesOfOrder].
func New(name, rules string) (sim.Policy, error) {
	r, err := newRule(name)
	if err != nil {
		return nil, err
	}
	return &Conservative{rule: r, rules: rules}, nil
}

// Reset takes the platform, or refuses it.
func (c *Conservative) Reset(s *sim.State) error {
	if err := c.rule.reset(s.Platform()); err != nil {
		return err
	}
	s.TrackProcs()
	c.strict = s.Order().Resolve(c.rules) == "cbf2015"
	n := s.Platform().Procs()
	c.profile.reset(n, 0)
	words := c.profile.words
	c.waiting, c.fresh, c.running = c.waiting[:0], c.fresh[:0], c.running[:0]
	c.woken, c.ended, c.early, c.late, c.wake = false, false, false, false, math.NaN()
	for _, set := range []*[]uint64{&c.busy, &c.scratch, &c.chosen} {
		*set = empty(*set, words)
	}
	c.ladder.reset(words)
	return nil
}

// empty returns the empty set, in the memory of s where that suffices.
func empty(s []uint64, words int) []uint64 { return append(s[:0], make([]uint64, words)...) }

// Submitted notes the job for the next pass, which plans it.
func (c *Conservative) Submitted(_ *sim.State, j *sim.Job) {
	c.enter(j)
	c.fresh = append(c.fresh, j.Slot())
}

// Adopt takes the rest of the walltime of a job that another policy has started,
// on the processors where it runs.
func (c *Conservative) Adopt(s *sim.State, j *sim.Job) {
	w := c.enter(j)
	for _, sp := range j.Alloc().Procs {
		for n := sp.Lo; n <= sp.Hi; n++ {
			w.set[n/64] |= 1 << (n % 64)
		}
	}
	for i := range c.busy {
		c.busy[i] |= w.set[i]
	}
	w.start, w.end = j.Start(), j.PlannedEnd()
	c.running = append(c.running, j.Slot())
	if c.profile.advance(s.Now()); w.end > s.Now() {
		c.profile.take(s.Now(), w.end, w.set, w.q)
	}
}

// enter makes room for what is known about a job.
func (c *Conservative) enter(j *sim.Job) *plan {
	for int(j.Slot()) >= len(c.plans) {
		c.plans = append(c.plans, plan{})
		c.jobs = append(c.jobs, nil)
	}
	w := &c.plans[j.Slot()]
	w.q, w.set, w.start = int(j.Procs()), empty(w.set, c.profile.words), math.NaN()
	c.jobs[j.Slot()] = j
	return w
}

// Ended gives back what j had planned to hold from now on.
func (c *Conservative) Ended(s *sim.State, j *sim.Job) {
	w := &c.plans[j.Slot()]
	if j.State() == sim.Rejected {
		return
	}
	for i, slot := range c.running {
		if slot == j.Slot() {
			c.running = append(c.running[:i], c.running[i+1:]...)
			break
		}
	}
	for i := range c.busy {
		c.busy[i] &^= w.set[i]
	}
	c.ended = true
	if c.profile.advance(s.Now()); w.end > s.Now() {
		c.early = true
		c.profile.give(s.Now(), w.end, w.set, w.q)
	}
}

// Planned returns the planned start of the waiting job j in seconds, NaN before
// the pass that follows its submission.
func (c *Conservative) Planned(j *sim.Job) float64 { return c.plans[j.Slot()].start }

// Woken comes when all ends and submissions of the instant have been told.
func (c *Conservative) Woken(*sim.State) { c.woken = true }

// Pass replans after ends, plans new jobs and starts those whose time has come.
func (c *Conservative) Pass(s *sim.State) {
	now := s.Now()
	c.profile.advance(now)
	late := !s.KillsAtWalltime() && c.overrun(now)
	switch {
	case late || c.late:
		c.late = late
		c.replan(s)
	case c.strict && c.ended:
		c.moveUp(now)
	case c.early:
		c.compress()
	}
	c.ended, c.early = false, false
	for _, slot := range c.fresh {
		c.place(&c.plans[slot], c.jobs[slot].Walltime())
		c.waiting = append(c.waiting, slot)
	}
	c.fresh = c.fresh[:0]
	c.start(s)
	c.woken = false
}

// start starts who is due, and asks for a wake-up when the next one will be.
func (c *Conservative) start(s *sim.State) {
	now, next := s.Now(), math.Inf(1)
	kept := c.waiting[:0]
	for _, slot := range c.waiting {
		w := &c.plans[slot]
		if w.start-now > startSlack || !disjoint(w.set, c.busy) {
			next = min(next, max(w.start, now))
			kept = append(kept, slot)
			continue
		}
		c.spans = appendSpans(c.spans[:0], w.set)
		for i := range c.busy {
			c.busy[i] |= w.set[i]
		}
		c.running = append(c.running, slot)
		s.StartOn(c.jobs[slot], c.spans)
	}
	c.waiting = kept
	if c.late {
		// Planned starts build on ends that nobody knows. What can start starts when
		// something ends, or was planned for the planned end of something that runs.
		next = c.plannedEnd(now)
	}
	// Who is due and finds another job still there waits for that job's end at
	// this instant, or learns from a wake-up after it that there is none.
	if next == now && (c.woken || s.KillsAtWalltime()) || math.IsInf(next, 1) || c.wake > now && c.wake <= next {
		return
	}
	c.wake = next
	s.WakeAt(next)
}

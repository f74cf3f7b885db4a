package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrEventBudget reports that a run needed more events than [Config.MaxEvents].
var ErrEventBudget = errors.New("event budget exceeded")

// pollEvery is the number of events between two looks at the context: often
// enough to stop within a millisecond, seldom enough to cost nothing.
const pollEvery = 4096

// Config is all that a run depends on.
type Config struct {
	// Platform is the machine. Required. A run works on a copy of it.
	Platform *Platform
	// Source yields the jobs. Required.
	Source Source
	// Requests reports that jobs may have a [Request].
	Requests bool
	// Records are the records of [JobSpec.Record]; nil where no job has a record.
	Records Records
	// Policy and Progress are required and belong to this run alone.
	Policy   Policy
	Progress Progress
	// Observers see the run, in this order.
	Observers []Observer
	// Order decides among events of one instant. The zero value is "default".
	Order EventOrder
	// KillAtWalltime ends a job that has not finished when its walltime has
	// passed. Otherwise it runs on, and policies that plan by walltimes must cope.
	KillAtWalltime bool
	// TrackProcs keeps the numbers of each job's processors even when neither
	// policy nor progress model asks for them.
	TrackProcs bool
	// Outages take processors out of service, and so do Failures, which come besides and may be about the same processors. The policy must
	// be [Elastic]. Failures fills in the next one, in order of their begin, and reports whether there was one. They may have no end.
	Outages  []Outage
	Failures func(next *Outage) bool
	// Switching draws the time of a boot or shutdown over its mean, where nodes are switched off and these times vary.
	Switching func() float64
	// Requeue selects the killed jobs that run again.
	Requeue Requeue
	// MaxEvents ends the run with ErrEventBudget when exceeded; 0 means never.
	MaxEvents int64
}

// Result holds the counts of the engine.
type Result struct {
	// Events is the number of events handled.
	Events int64
	// Submitted = Finished + Killed + Rejected after a complete run. Rejected counts jobs that were [Withheld] too.
	Submitted, Finished, Killed, Rejected int64
	// Requeued is the number of times that jobs went back to the queue ([Requeue]). Starts are ends of jobs that ran plus Requeued.
	Requeued int64
	// Measured of the submitted are, see [Part].
	Measured int64
	// End is the time of the last event in seconds.
	End float64
}

// Engine runs simulations one after another and keeps its memory between them:
// a worker owns one and reuses it. It is not safe for concurrent use.
type Engine struct {
	state State
	pool  jobPool
	cfg   Config
	res   Result
	woken Woken
	adv   Advanced
	hears Responsive // the source, where it is one

	wakes    []wakeUpObserver
	settled  []settledObserver
	requeued []requeueObserver

	outages []outage // those of no processors are over
	inForce []int    // of outages
	counts  []int32  // scratch: of processors that go in or out of service, by cluster
	behind  int64    // jobs that were requeued behind others
	idle    int      // changes of the cap in a row without a start
	last    float64  // time of the last event but wake-ups

	switches switches

	machine Platform // a copy, so that no run can change the next one's
	next    JobSpec  // the one job ahead of the clock
	pass    bool     // the policy is owed a pass
	look    int64    // number of the event before which the engine looks at budget and context
}

// Run plays the workload to its end. It returns an error when the context is
// done, the event budget is exceeded, the source fails, or policy or progress
// model act wrongly. The result then says how far the run came.
func (e *Engine) Run(ctx context.Context, cfg Config) (res Result, err error) {
	defer func() { err = closed(cfg, err) }()
	if err := e.prepare(cfg); err != nil {
		return e.res, err
	}
	if err := e.loop(ctx); err != nil {
		return e.res, err
	}
	s := &e.state
	if s.waiting+s.running+s.suspended > 0 {
		return e.res, fmt.Errorf("the run ended at %g s with %d waiting, %d running and %d suspended jobs: nothing is left that could start "+
			"or end them", s.now, s.waiting, s.running, s.suspended)
	}
	return e.res, nil
}

// loop handles events until none is left. An instant ends with the policy's
// pass and then the progress model's Update; both may bring new events of the
// same instant, which then come first.
func (e *Engine) loop(ctx context.Context) error {
	s := &e.state
	for s.err == nil {
		t, rank, any := e.peek()
		if !any || t > s.now {
			switch {
			case e.pass:
				e.doPass()
				continue
			case s.changed:
				s.changed = false
				s.model.Update(&s.rates)
				continue
			case s.switches != nil && e.switchOff():
				continue
			}
			e.stay()
			switch {
			case (!any || e.inVain(t)) && e.withheld():
				continue
			case !any || e.done(t):
				return nil
			case math.IsInf(t, 1):
				return nil // the running jobs have no rate and no limit: Run says so
			}
			s.now = t
			if e.adv != nil {
				e.adv.Advanced(&s.rates)
				continue
			}
		}
		if err := e.account(ctx); err != nil {
			return err
		}
		if err := e.handle(rank); err != nil {
			return err
		}
		if e.pass && s.order.Pass != PassPerInstant && rank != rankOver {
			if t2, rank2, any2 := e.peek(); s.order.Pass == PassPerEvent || !any2 || t2 != t || rank2 != rank {
				e.doPass()
			}
		}
	}
	return s.err
}

// restlessFor is a time after which only wake-ups have nothing to wake for, in seconds: five weeks. Sessions come again within a week, and
// delays take at most 31 days.
const restlessFor = 35 * 24 * 3600

// inVain reports whether jobs may wait for ever though something comes, at t: nothing runs or is submitted, and what comes is failures of
// nodes, which have no end, or wake-ups alone.
func (e *Engine) inVain(t float64) bool {
	return e.cfg.Failures != nil && e.quiet() || e.restless(t)
}

func (e *Engine) quiet() bool { return e.state.running+e.state.suspended == 0 && !e.state.more }

// done reports whether what comes, the next at t, would find no job, or find jobs that wait in vain.
func (e *Engine) done(t float64) bool {
	s := &e.state
	return e.restless(t) || s.waiting == 0 && e.quiet() && !s.stays
}

// restless reports whether wake-ups and a cap that comes again, next at t, are all that has come for five weeks and all that is to come.
func (e *Engine) restless(t float64) bool {
	return t-e.last > restlessFor && e.quiet() && !slices.ContainsFunc(e.state.heap.a, func(v event) bool { return !e.comesAgain(v.rank) })
}

func (e *Engine) comesAgain(rank uint8) bool {
	return rank == rankWake || rank == rankCap && e.machine.Cap.Watts.Every > 0
}

// peek returns time and rank of what comes next: the first of the heap or the
// next submission.
func (e *Engine) peek() (t float64, rank uint8, any bool) {
	h := e.state.heap.a
	if len(h) > 0 {
		t, rank, any = h[0].time, h[0].rank, true
	}
	if e.state.more {
		if sub := e.state.submitRank(); !any || e.next.Submit < t || e.next.Submit == t && sub < rank {
			return e.next.Submit, sub, true
		}
	}
	return t, rank, any
}

// account counts an event and now and then looks at the limits.
func (e *Engine) account(ctx context.Context) error {
	e.res.Events++
	if e.res.End = e.state.now; e.res.Events < e.look {
		return nil
	}
	return e.within(ctx)
}

// within looks at budget and context.
func (e *Engine) within(ctx context.Context) error {
	if e.cfg.MaxEvents > 0 && e.res.Events > e.cfg.MaxEvents {
		return fmt.Errorf("%w: more than %d events by %g s of simulated time", ErrEventBudget, e.cfg.MaxEvents, e.state.now)
	}
	e.lookAfter(e.res.Events)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped after %d events at %g s of simulated time: %w", e.res.Events, e.state.now, context.Cause(ctx))
	}
	return nil
}

// lookAfter has the engine look again pollEvery events after this one, or where the budget ends.
func (e *Engine) lookAfter(event int64) {
	if e.look = event + pollEvery; e.cfg.MaxEvents > 0 {
		e.look = min(e.look, e.cfg.MaxEvents+1)
	}
}

// handle does what comes next, which peek said has this rank.
func (e *Engine) handle(rank uint8) error {
	s := &e.state
	if rank == s.submitRank() {
		e.pass, e.last = true, s.now
		return e.submit()
	}
	if !e.comesAgain(rank) {
		e.last = s.now
	}
	switch ev := s.heap.pop(); rank {
	case rankPhase:
		s.changed = true
	case rankOver, rankUp:
		e.up(int(ev.seq))
		// All ends of the instant come before a pass, so that a planner never finds processors still gone at a time it knows.
		for len(s.heap.a) > 0 && s.heap.a[0].rank == rank && s.heap.a[0].time == s.now {
			e.up(int(s.heap.pop().seq))
		}
		e.news()
	case rankDown:
		e.down(int(ev.seq))
	case rankPower:
		e.powered(int(ev.seq))
	case rankKnown:
		e.outages[ev.seq].known = true
		e.news()
	case rankCap:
		e.capChanges()
	case rankWake:
		e.pass = true
		for _, o := range e.wakes {
			o.WakeUp(&s.view)
		}
		if e.woken != nil {
			e.woken.Woken(s)
			e.reap()
		}
	default:
		e.pass = true
		e.end(ev.job)
	}
	return nil
}

func (e *Engine) doPass() {
	e.pass, e.switches.look = false, true
	e.cfg.Policy.Pass(&e.state)
	e.reap()
}

// reap recycles the jobs that the policy has rejected or withheld.
func (e *Engine) reap() {
	if len(e.state.rejected) > 0 {
		e.recycle()
	}
}

func (e *Engine) recycle() {
	for _, j := range e.state.rejected {
		e.respond(j)
		e.pool.put(j)
	}
	e.res.Rejected += int64(len(e.state.rejected))
	e.state.rejected = e.state.rejected[:0]
}

// submit moves the next job into the queue.
func (e *Engine) submit() error {
	j := e.enter(&e.next)
	if err := e.fetch(); err != nil {
		return err
	}
	e.entered(j)
	e.cfg.Policy.Submitted(&e.state, j)
	e.reap()
	return nil
}

// enter makes a waiting job of spec.
func (e *Engine) enter(spec *JobSpec) *Job {
	j := e.pool.get()
	j.spec, j.seq, j.state = *spec, e.res.Submitted+e.behind, Waiting
	e.res.Submitted++
	if spec.Part == Measured {
		e.res.Measured++
	}
	e.state.queue(j, 1)
	return j
}

// entered tells the observers that j was submitted.
func (e *Engine) entered(j *Job) {
	for _, o := range e.state.observers {
		o.Submitted(&e.state.view, j)
	}
}

// end frees the processors of j and notifies all observers.
func (e *Engine) end(j *Job) {
	s := &e.state
	s.changing(j)
	j.work -= j.rate * (s.now - j.since)
	j.since = s.now
	j.finish = s.now
	again := false
	switch {
	case !j.kill:
		j.state = Finished
		e.res.Finished++
		if j.spec.Part != Added {
			s.finished++
		}
	case e.cfg.Requeue.AtMost > 0 && e.requeues(j):
		j.state, again = Waiting, true
	default:
		j.state = Killed
		e.res.Killed++
	}
	s.give(j)
	s.model.Stopped(&s.rates, j)
	s.held(j)
	news := len(e.inForce) > 0 && e.claim(j.alloc.Procs) && !j.failed // else down tells the policy
	if again {
		e.requeue(j)
	} else {
		e.over(j)
	}
	if news {
		e.news()
	}
}

// over tells all that j has left the system, and reuses it.
func (e *Engine) over(j *Job) {
	s := &e.state
	for _, o := range s.observers {
		o.Ended(&s.view, j)
	}
	if e.hears != nil {
		e.respond(j) // before the policy, which may ask for More
	}
	e.cfg.Policy.Ended(s, j)
	e.pool.put(j)
	e.reap()
}

// respond tells the source that j is over, where it wants to hear that, and asks
// it again for the next job if another may come first now.
func (e *Engine) respond(j *Job) {
	if e.hears == nil || !e.hears.Ended(j, e.state.now) {
		return
	}
	e.next.Submit = e.state.now
	if err := e.fetch(); err != nil {
		e.state.stop(err)
	}
}

// fetch asks the source for the next job and checks it.
func (e *Engine) fetch() error {
	last := e.next.Submit
	if e.res.Submitted == 0 {
		last = 0
	}
	e.next = JobSpec{}
	var err error
	if e.state.more, err = e.cfg.Source.Next(&e.next); err != nil || !e.state.more {
		return err
	}
	if e.next.Request != nil && !e.cfg.Requests {
		return fmt.Errorf("job %d requests memory, GPUs or the like, and the workload does not say that its jobs do", e.next.ID)
	}
	return e.next.check(last, e.cfg.Platform)
}

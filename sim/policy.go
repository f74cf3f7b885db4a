package sim

// Policy decides the start and the place of each job. The engine tells it what happened and then
// asks for a pass, at the moments that the [EventOrder] names; it acts through the [State] from
// inside any of its methods.
//
// A Policy that holds something of the outside, such as a connection ([Env.Start]), is an [io.Closer], and so is a
// [Progress] that does. The engine closes it at the end of every run, also of one that was refused, failed, was stopped
// or panicked; an error fails the run.
//
// A Policy belongs to one engine and is reset between runs, so it may keep its
// memory. It must decide by what it hears alone: two runs of one workload give
// one schedule. Every policy passes the contract suite of package
// sim/policy/contract.
type Policy interface {
	// Reset forgets everything and prepares a run on s.Platform(). An error
	// refuses the combination ("policy local needs clusters of equal size ...").
	Reset(s *State) error
	// Submitted reports that j entered the queue.
	Submitted(s *State, j *Job)
	// Ended reports that j, which ran, has ended; its processors are free already
	// and j.Alloc() still says which they were.
	Ended(s *State, j *Job)
	// Pass asks to start what should start now.
	Pass(s *State)
}

// Woken is implemented by a policy that asks for wake-ups by [State.WakeAt]:
// it hears when one is due, before the pass that follows it.
type Woken interface {
	Woken(s *State)
}

// Progress is the speed of running jobs. A job has an amount of work in a unit of the model's
// choice, and ends when that is done.
type Progress interface {
	// Reset forgets everything and prepares a run on s.Platform(). An error
	// refuses the combination.
	Reset(s *Rates) error
	// Started reports that j holds its processors from now on. The model gives it
	// its work by [Rates.SetWork] here, and its rate here or in Update.
	Started(s *Rates, j *Job)
	// Stopped reports that j has ended and holds nothing any more.
	Stopped(s *Rates, j *Job)
	// Update is called when jobs have started or stopped or a wake-up of the
	// model's own is due, once for an instant, before the clock moves on. The
	// model sets the rates of the jobs it affects by [Rates.SetRate], and of no
	// others: only they have their ends moved.
	Update(s *Rates)
}

// Successor is implemented by a policy that can take over a machine in the
// middle of a run from another such policy, and hand it over: it suspends no
// jobs, so that all jobs in the system either wait or run.
type Successor interface {
	Policy
	// Adopt tells, after Reset and before the first Submitted, that j runs
	// already, since j.Start() and on j.Alloc(). Ended will report its end.
	Adopt(s *State, j *Job)
}

// Advanced is implemented by a progress model that must see the state after the clock has moved and before the engine
// handles the events of the new instant. So it can end jobs together that should end together.
type Advanced interface {
	Advanced(s *Rates)
}

// Observer sees what happens in a run. A run without observers pays nothing
// for them. Observers cannot act: they get the [View].
type Observer interface {
	// Submitted reports that j entered the queue.
	Submitted(s *View, j *Job)
	// Held reports that what takes capacity has changed, and what it was before: a
	// start (before has no owner), an end, a preemption, a resumption, another
	// share, a kill. Both are valid during the call only.
	Held(s *View, now, before *Hold)
	// Ended reports that j finished, was killed or was rejected, by j.State(). It
	// is the last that is heard of j; Held reported before what it held.
	Ended(s *View, j *Job)
}

// Quiet is an observer that sees nothing. An observer that needs few of the methods
// embeds it.
type Quiet struct{}

// Submitted does nothing.
func (Quiet) Submitted(*View, *Job) {}

// Held does nothing.
func (Quiet) Held(_ *View, _, _ *Hold) {}

// Ended does nothing.
func (Quiet) Ended(*View, *Job) {}

// wakeUpObserver is implemented by an observer that also wants to see that a wake-up
// of the policy is due; the policy hears next.
type wakeUpObserver interface{ WakeUp(s *View) }

// settledObserver is implemented by an observer that also wants to see how things stay
// until the next instant: all events are handled and rates are set.
type settledObserver interface{ Settled(s *View) }

// rateObserver is implemented by an observer that also wants to see every
// change of a job's rate, with the rate it had until now.
type rateObserver interface {
	RateChanged(s *View, j *Job, from, to float64)
}

// Suspending is implemented by a progress model under which running jobs may be
// preempted. Without it [State.Preempt] is refused.
type Suspending interface {
	// Preempted reports that j has given its processors back and does nothing.
	Preempted(s *Rates, j *Job)
	// Resumed reports that j holds its processors again. Its rate is 0: the model
	// gives it one here or in Update.
	Resumed(s *Rates, j *Job)
}

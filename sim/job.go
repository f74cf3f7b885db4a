package sim

import (
	"fmt"
	"math"
)

// JobSpec holds the data of a job that are known before it runs. Times are seconds from the
// workload's zero.
type JobSpec struct {
	// ID is the job's number in its log, or its position from 1 in a generated
	// workload. It need not be unique; [Job.Seq] is.
	ID int64
	// Submit is the submission time in seconds, at least 0. A source yields jobs
	// in order of it.
	Submit float64
	// RunTime is the duration of the undisturbed job, in seconds, at least 0.
	RunTime float64
	// Walltime is the user's estimate in seconds, above 0. Policies plan by it,
	// and [KillAtWalltime] ends jobs at it.
	Walltime float64
	// Procs is the number of processors the job needs, at least 1.
	Procs int32
	// Home is the index of the cluster at which the job was submitted, for
	// platforms of several; 0 elsewhere.
	Home int32
	// User is the submitting user's number in the log, or -1.
	User int32
	// Record is the number, from 1, of what the log says of the job besides, in
	// [Config.Records]; 0 where there is no log.
	Record int32
	// Flops is the computation per processor in flop, Bytes the communication per ordered pair of processors in B. Both
	// are 0 where the progress model uses RunTime alone.
	Flops, Bytes float64
	// Bandwidth is the bandwidth that each of the job's processors requests of the network while it
	// communicates, in B/s; Communication the share of RunTime that is communication, in [0, 1]. 0
	// where the progress model does not ask.
	Bandwidth, Communication float64
	// Traits are further properties of the job that a study's workload gives its policies and
	// progress models, in a form of the study; 0 for none.
	Traits [3]uint64
	// Application names the program that the job runs, by which progress models
	// know how it bears others beside it; "" where that is not known.
	Application string
	// Share is the share of its processors that the job asks for, in [0, 1]; 0
	// leaves it to the policy.
	Share float64
	// ReservedStart is the start time that an agreement elsewhere fixes, in seconds; 0 where there
	// is none.
	ReservedStart float64
	// Priority orders jobs, larger values before smaller ones, where a policy uses it.
	Priority int32
	// Sites is the number of clusters that the job runs on at once, for policies
	// that allocate whole clusters; 0 means 1.
	Sites int32
	// Partition is the job's partition on a platform that is divided: a position in [Platform.Partitions], from 1; 0
	// names none and means the default one.
	Partition int32
	// Request is the job's request besides processors, on a platform that is divided; nil for nothing. Needs [Config.Requests].
	Request *Request
	// Part reports whether the job is measured, or only there so that those are which are.
	Part Part
}

// Part is the part of a run that a job belongs to. All parts are simulated alike;
// metrics count the jobs that are [Measured].
type Part uint8

// The parts of a run.
const (
	Measured Part = iota // the jobs that the run evaluates
	RunUp                // before: brings the machine into the state that the measured jobs meet
	RunOut               // after: keeps the machine as full as the measured jobs find it
	Added                // registered by the policy, see [State.Register]
)

// String returns the part's name as in the jobs dataset.
func (p Part) String() string { return [...]string{"measured", "run-up", "run-out", "added"}[p] }

// farthest bounds submissions and run times of jobs, in seconds. A float64 resolves 0.1 ms there; far beyond, sums of times lose whole
// run times. The longest drawn log, of 100,000 weeks, lasts 6e10 s.
const farthest = 1e12

// check reports what no job of this machine can be that comes after one submitted at time last. It fills in the job's partition.
func (n *JobSpec) check(last float64, on *Platform) error {
	procs := on.Procs()
	switch {
	case !(n.Submit >= last):
		return fmt.Errorf("job %d is submitted at %g s, before its predecessor (%g s): a workload comes in order of submission", n.ID, n.Submit,
			last)
	case n.Submit > farthest:
		return fmt.Errorf("job %d is submitted at %g s, later than %g s: mind workload.load_factor", n.ID, n.Submit, farthest)
	case !(n.RunTime >= 0 && n.RunTime <= farthest):
		return fmt.Errorf("job %d has the run time %g s; it must be from 0 to %g s", n.ID, n.RunTime, farthest)
	case !(n.Walltime > 0):
		return fmt.Errorf("job %d has the walltime %g s; it must be above 0", n.ID, n.Walltime)
	case n.Procs < 1:
		return fmt.Errorf("job %d needs %d processors; it must need at least 1", n.ID, n.Procs)
	case int(n.Procs) > procs:
		return fmt.Errorf("job %d needs %d processors, the platform has %d: generate jobs for this machine (workload.machine_procs), drop "+
			"such jobs of a log (workload.select.max_processors), mind workload.size_factor, which comes after the selection, or take a larger "+
			"platform", n.ID, n.Procs, procs)
	}
	return n.partition(on)
}

// JobState is the state of a job between submission and end.
type JobState uint8

// The states of a job. It passes through them in this order, except that it may
// go back and forth between Running and Suspended.
const (
	Waiting   JobState = iota // submitted or requeued, holds no processors
	Running                   // holds processors
	Finished                  // has done all its work
	Killed                    // was ended at its walltime, by the policy or by the platform with work left
	Rejected                  // was refused by the policy, before it ran or after it was requeued
	Suspended                 // was preempted: holds no processors and does nothing
	Withheld                  // was held by a limit to the end of the run, never ran
	OverCap                   // would need more power than any cap admits
)

// Refused reports whether the job has left the queue for good without a start. Of a job that was requeued, earlier attempts ran.
func (s JobState) Refused() bool { return s == Rejected || s == Withheld || s == OverCap }

// String returns the state's name as in the jobs dataset.
func (s JobState) String() string {
	return [...]string{"waiting", "running", "finished", "killed", "rejected", "suspended", "withheld", "over-cap"}[s]
}

// Job is a job inside the engine. No code outside can change it: policies and
// progress models act through their views, [State] and [Rates].
// A *Job is valid from its submission until all observers have heard its end;
// after that the engine reuses it.
type Job struct {
	spec  JobSpec
	slot  int32
	alloc Allocation
	course
}

// course holds the fields that a job resets when it enters the system, again or as another job in the same memory.
type course struct {
	seq           int64
	state         JobState
	start, finish float64
	width         int32 // processors that it holds while it runs
	most          int32 // [State.Width] of whole nodes, once it was computed

	total      float64 // work in the progress model's unit
	work       float64 // the rest of it at time since
	rate       float64 // of work per second since then
	since      float64
	idle       float64 // seconds that it was suspended, up to its last resumption
	left       float64 // when it was suspended last
	pos        int32   // of its end in the heap, -1 where it has none
	kill       bool    // its end in the heap leaves work undone
	toBeKilled bool    // by the policy, at this instant
	failed     bool    // an outage began on its processors

	requeues int32
	lost     float64 // processor-seconds of earlier attempts
	estimate float64 // [Job.Estimate], 0 before a requeue

	power, metered, energy float64 // watts since a time in seconds, and joules until then
	charged                charged // likewise, for joules

	shared *timeShare // of its processors; nil where it has them for itself
}

// Spec returns a copy of the job's data as known at its submission. To read one of the
// fields, the method of its name is cheaper.
func (j *Job) Spec() JobSpec { return j.spec }

// ID is [JobSpec.ID].
func (j *Job) ID() int64 { return j.spec.ID }

// Submit is [JobSpec.Submit], in seconds.
func (j *Job) Submit() float64 { return j.spec.Submit }

// RunTime is [JobSpec.RunTime], in seconds. No scheduler of the real world knows
// it: a policy that decides by it is clairvoyant, and its kind says so
// ([Kind.Clairvoyant]).
func (j *Job) RunTime() float64 { return j.spec.RunTime }

// Walltime is [JobSpec.Walltime], in seconds. [Requeue.WalltimeFactor] multiplies it.
func (j *Job) Walltime() float64 { return j.spec.Walltime }

// Estimate is the user's walltime in seconds: that of the first attempt.
func (j *Job) Estimate() float64 {
	if j.estimate > 0 {
		return j.estimate
	}
	return j.spec.Walltime
}

// Procs is [JobSpec.Procs].
func (j *Job) Procs() int32 { return j.spec.Procs }

// Width is the number of processors that the job holds while it runs, 0 before its first start: [Job.Procs], or more where its
// partition allocates whole nodes.
func (j *Job) Width() int32 { return j.width }

// Partition is [JobSpec.Partition], at least 1 on a platform that is divided.
func (j *Job) Partition() int32 { return j.spec.Partition }

// Home is [JobSpec.Home].
func (j *Job) Home() int32 { return j.spec.Home }

// User is [JobSpec.User].
func (j *Job) User() int32 { return j.spec.User }

// Flops is [JobSpec.Flops], in flop.
func (j *Job) Flops() float64 { return j.spec.Flops }

// Bytes is [JobSpec.Bytes], in B.
func (j *Job) Bytes() float64 { return j.spec.Bytes }

// Bandwidth is [JobSpec.Bandwidth], in B/s.
func (j *Job) Bandwidth() float64 { return j.spec.Bandwidth }

// Communication is [JobSpec.Communication].
func (j *Job) Communication() float64 { return j.spec.Communication }

// Traits is [JobSpec.Traits].
func (j *Job) Traits() [3]uint64 { return j.spec.Traits }

// Application is [JobSpec.Application].
func (j *Job) Application() string { return j.spec.Application }

// Share is [JobSpec.Share].
func (j *Job) Share() float64 { return j.spec.Share }

// ReservedStart is [JobSpec.ReservedStart], in seconds.
func (j *Job) ReservedStart() float64 { return j.spec.ReservedStart }

// Priority is [JobSpec.Priority].
func (j *Job) Priority() int32 { return j.spec.Priority }

// Sites is [JobSpec.Sites], at least 1.
func (j *Job) Sites() int32 { return max(1, j.spec.Sites) }

// Part is [JobSpec.Part].
func (j *Job) Part() Part { return j.spec.Part }

// Seq numbers jobs from 0 in order of submission and is unique in a run.
func (j *Job) Seq() int64 { return j.seq }

// Slot is a small number, unique among the jobs that are in the system now, so
// that others can keep their own data about a job in a slice ([Entry]).
func (j *Job) Slot() int32 { return j.slot }

// State is the state of the job.
func (j *Job) State() JobState { return j.state }

// Start returns the time at which the job first got its processors, in seconds; NaN before.
func (j *Job) Start() float64 { return j.start }

// Finish returns the time at which the job gave its processors back for good, in seconds; NaN
// before.
func (j *Job) Finish() float64 { return j.finish }

// Alloc returns the processors that the job holds, to be read only; valid while it runs and when its end is reported.
// Of a suspended job these are the processors that it held and will hold again.
func (j *Job) Alloc() Allocation { return j.alloc }

// PlannedEnd returns the end of the running job by its walltime, which suspensions do not use up.
func (j *Job) PlannedEnd() float64 { return j.start + j.spec.Walltime + j.idle }

// Held returns the time for which the ended job held its processors, in seconds: from its start to
// its finish without the time for which it was suspended.
func (j *Job) Held() float64 { return j.finish - j.start - j.idle }

// Rate returns the present speed of the job, in units of work a second.
func (j *Job) Rate() float64 { return j.rate }

// Work is all the work the job has, in the progress model's unit.
func (j *Job) Work() float64 { return j.total }

// WorkLeft is the work the job still has at time now, in the progress model's
// unit.
func (j *Job) WorkLeft(now float64) float64 { return j.work - j.rate*(now-j.since) }

// Requeues returns the number of times that the job went back to the queue, see [Requeue].
func (j *Job) Requeues() int { return int(j.requeues) }

// Lost returns the processor-seconds that the job took without use: in attempts after which it was requeued, and also in its
// last one where an event of the platform ended that.
func (j *Job) Lost() float64 {
	if j.failed {
		return j.lost + j.Attempt()
	}
	return j.lost
}

// reset makes a recycled Job fresh, keeping the memory of its allocation.
func (j *Job) reset() {
	j.alloc.Counts, j.alloc.Procs = j.alloc.Counts[:0], j.alloc.Procs[:0]
	j.course = course{start: math.NaN(), finish: math.NaN(), pos: -1}
}

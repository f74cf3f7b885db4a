package sim

// LimitField is a field by which limits distinguish jobs.
type LimitField uint8

// The fields.
const (
	NoField LimitField = iota
	OfUser
	OfAccount
	OfQOS       // the queue of a job's record
	OfPartition // of the platform, or else of the job's record
	OfGroup
)

// Limit bounds the holdings of jobs at one time. A job that would exceed it waits without a reservation and blocks no
// other, or is rejected.
type Limit struct {
	// Of are the conditions on a job, all of them; none: every job.
	Of []LimitOf
	// Each reports that the limit holds for each value of the field by itself; NoField: for all jobs together.
	Each LimitField
	// Running is the most that running jobs have.
	Running Uses
	// Submitted is the largest number of jobs in the system; 0 is no bound.
	Submitted int64
	// Reject reports that a job that would exceed the limit at its submission is rejected, and never held.
	Reject bool
}

// Uses counts jobs, and the processors and GPUs that they have at one time. Processors and GPUs of whole nodes count whole.
type Uses struct{ Jobs, Procs, GPUs int64 }

// Plus is u with by times v.
func (u Uses) Plus(v Uses, by int64) Uses {
	return Uses{u.Jobs + by*v.Jobs, u.Procs + by*v.Procs, u.GPUs + by*v.GPUs}
}

// Exceeds reports whether u has more than most; 0 is no bound.
func (u Uses) Exceeds(most Uses) bool {
	return most.Jobs > 0 && u.Jobs > most.Jobs || most.Procs > 0 && u.Procs > most.Procs || most.GPUs > 0 && u.GPUs > most.GPUs
}

// Choice has the uses of a job on a class, or on any class where Class is -1.
type Choice struct {
	Uses
	Class int
}

// Least has the fewest processors and the fewest GPUs of all choices, which may be of different ones.
func Least(of []Choice) (least Uses) {
	for i, c := range of {
		if least.Procs, least.GPUs = min(least.Procs, c.Procs), min(least.GPUs, c.GPUs); i == 0 {
			least = c.Uses
		}
	}
	return least
}

// LimitOf is a value that a field of a job must have: its number in the log, or on the platform.
type LimitOf struct {
	Field  LimitField
	Number int32
}

// recording is a [View] or [State], which has the log's records of its jobs.
type recording interface{ Records() Records }

// value is the number that a job has in a field, -1 where it is not known.
func (f LimitField) value(j *JobSpec, in Records) int32 {
	switch {
	case f == NoField:
		return 0
	case f == OfUser:
		return j.User
	case f == OfPartition && j.Partition > 0:
		return j.Partition
	case in == nil || j.Record == 0:
		return -1
	}
	r := in.Record(j.Record)
	return [...]int32{OfAccount: r.Account, OfQOS: r.Queue, OfPartition: r.Partition, OfGroup: r.Group}[f]
}

// Bounds reports whether the limit is about j, and for which value of Each.
func (l *Limit) Bounds(s recording, j *Job) (each int32, is bool) {
	return l.About(&j.spec, s.Records())
}

// About is Bounds of a job with these records, which has its partition.
func (l *Limit) About(j *JobSpec, in Records) (each int32, is bool) {
	for _, of := range l.Of {
		if of.Field.value(j, in) != of.Number {
			return 0, false
		}
	}
	return l.Each.value(j, in), true
}

// Withhold gives up the waiting job j, which a limit has held to the end of the run. It never ran.
func (s *State) Withhold(j *Job) { s.refuse(j, Withheld, "withholds") }

// withheld has the policy give up the jobs that it holds, and reports whether there were any.
func (e *Engine) withheld() bool {
	p, ok := e.cfg.Policy.(SitePolicy)
	if !ok || e.state.waiting == 0 {
		return false
	}
	before := e.state.waiting
	p.GiveUp(&e.state)
	e.reap()
	if e.state.waiting == before {
		return false
	}
	e.last = e.state.now
	e.pass = e.pass || e.state.waiting > 0 // those behind them may start now
	return true
}

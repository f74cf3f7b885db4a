package timeslice

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// Job is a job as the scheduler sees it. Times are in its class's own time
// unless they say otherwise.
type Job struct {
	*sim.Job
	// Class is the job's class.
	Class Class
	// PPN is the number of its processes that share a node, Nodes the number of nodes, Length the
	// run time by its walltime, in seconds: as planned while it waits, as placed afterwards.
	PPN, Nodes int
	Length     float64
	// Start is the planned start of a waiting job.
	Start float64
	// Estimate is the response time estimated at submission in seconds of the
	// clock, R_est; 0 for short jobs. It counts from the first submission where the job was requeued.
	Estimate float64
	// Unit holds the jobs that are preempted and resumed with the started job.
	Unit *Unit
	// End is the predicted end of a started job.
	End float64
	// On are the nodes of a started job.
	On placement.Set
	// Grouped reports that the job was ever in a group.
	Grouped bool

	left   float64 // walltime with one process a node, at time mark
	speed  float64 // of it per second
	mark   float64
	gone   float64 // scratch of predict: work done since
	before float64 // scratch of predict: the end predicted last
}

// Most is the largest number of the job's processes on a node.
func (j *Job) Most() int { return min(j.PPN, int(j.Procs())) }

// Unit is a group of jobs that are preempted and resumed together because they share nodes:
// one job, a group, or serial jobs on one node.
type Unit struct {
	// Class is the class of its jobs.
	Class Class
	// Members are the jobs; where Primary is not nil they are a group, and it is
	// one of them.
	Members []*Job
	Primary *Job
	// On are the nodes of all members.
	On placement.Set
	// Running reports whether the unit runs now.
	Running bool

	synced float64 // clock up to which a run outside the own slices is accounted
	holds  []hold  // its reservations in the class's plan
}

// hold is n nodes that are taken until end in the plan.
type hold struct {
	n   int
	end float64
}

// Remaining is for how many seconds the started job will still run, as predicted,
// at time now of the clock.
func (p *Scheduler) Remaining(sj *sim.Job, now float64) float64 {
	j := p.jobs[sj.Slot()]
	v := &p.vms[j.Class]
	left := j.End - v.Now(now)
	if j.Unit.Running && !v.active {
		left -= now - j.Unit.synced
	}
	return left
}

// Of returns the scheduler's state of a job in the system.
func (p *Scheduler) Of(j *sim.Job) *Job { return p.jobs[j.Slot()] }

package timeslice

import (
	"math"
	"slices"

	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// near is the largest distance in seconds of two times that only rounding separates.
const near = 1e-6

// VM is the virtual machine of a class.
type VM struct {
	// Class is the class of jobs of the virtual machine.
	Class Class
	// Waiting are the class's waiting jobs in order of submission.
	Waiting []*Job
	// Units are the started units, in order of start.
	Units []*Unit
	// Plan has the nodes of started and waiting jobs.
	Plan profile.Profile
	// Held are the nodes of started jobs.
	Held placement.Set
	// Changes counts submissions, starts, ends and beginnings of slices: while it does not change, only the time does.
	Changes int

	con     slowdowns.Contention
	planned bool     // replan in order of planned starts
	order   []*Job   // scratch of InPlannedOrder
	reach   float64  // of every compression, in s; 0: without a bound
	passes  int      // compressions up to now
	used    []uint64 // node -> its cores that started jobs hold, one bit each
	nodes   int
	scratch placement.Set
	time    float64 // own time at clock
	clock   float64
	active  bool
	freed   bool    // the plan has room that it had not when it was made
	broken  bool    // the plan must be made anew
	next    float64 // no planned start is earlier
	started bool    // and perhaps none is there any more
	behind  bool    // the last compression left jobs out,
	border  float64 // the ones that are planned for later than this
}

func (v *VM) reset(c Class, nodes int, con slowdowns.Contention, p *Slicing) {
	*v = VM{Class: c, con: con, reach: p.Reach, planned: p.ReplanOrder == "planned", order: v.order[:0], Waiting: v.Waiting[:0],
		Units: v.Units[:0], Plan: v.Plan, Held: v.Held.Resized(nodes), used: v.used[:0], nodes: nodes, next: math.Inf(1)}
	v.used = append(v.used, make([]uint64, nodes)...)
	v.Plan.Reset(nodes, 0)
}

// Now is the class's own time at the clock's time now.
func (v *VM) Now(now float64) float64 {
	if v.active {
		return v.time + (now - v.clock)
	}
	return v.time
}

func (v *VM) activate(now float64) {
	v.active, v.clock = true, now
	v.Changes++
}

// Later reports whether a is later than b by more than rounding.
func Later(a, b float64) bool { return a > b+near }

// Due reports whether the waiting job is planned to start at own time t.
func (v *VM) Due(j *Job, t float64) bool { return j.Start <= t+near }

// AnyDue reports whether some waiting job is planned to start at own time t.
func (v *VM) AnyDue(t float64) bool { return v.anyBy(t + near) }

// anyBy reports whether some waiting job is planned to start by own time t.
func (v *VM) anyBy(t float64) bool { return v.next <= t && v.first() <= t }

// first is the earliest planned start of a waiting job, +Inf when there is none.
func (v *VM) first() float64 {
	if v.started {
		v.started, v.next = false, math.Inf(1)
		for _, j := range v.Waiting {
			v.next = min(v.next, j.Start)
		}
	}
	return v.next
}

// firstAfter is the earliest planned start of a waiting job later than own time t, +Inf when there is none. A job that
// is due waits where others run on its nodes for longer than planned.
func (v *VM) firstAfter(t float64) float64 {
	if first := v.first(); first > t {
		return first
	}
	next := math.Inf(1)
	for _, j := range v.Waiting {
		if j.Start > t {
			next = min(next, j.Start)
		}
	}
	return next
}

// Tidy brings the plan up to date with the events so far, at own time t.
func (v *VM) Tidy(t float64) {
	v.Plan.Cut(t)
	switch {
	case v.broken || v.anyBy(t-near): // the nodes of some were not idle when they were due
		v.replan(t)
	case v.freed, v.exhausted():
		v.compress(t)
	}
}

// exhausted reports whether all jobs that the last compression looked at have started, and others wait.
func (v *VM) exhausted() bool { return v.behind && !v.anyBy(v.border) }

// compress moves waiting jobs, in order of submission, to earlier places where
// there are any; all others keep theirs.
//
// In a long queue most jobs move whenever something ends early: where jobs begin when others end, all that follow move
// with the first. To move all of them each time would make the cost of a job grow with the queue, in any data
// structure. Promises for a time far ahead can wait. The n-th compression looks at jobs that are planned within 2^k
// reaches, where 2^k is the largest power of two that divides n. A job planned r reaches ahead is looked at in one of
// r compressions. Let the plan be L reaches long. On the average a compression searches for as many jobs as the next
// reach has, times log L. It glances at each job that waits.
//
// Each line is a compression with its number, each column a reach from now on:
//
//	1  x
//	2  x x
//	3  x
//	4  x x x x
//	5  x
//	6  x x
//	7  x
//	8  x x x x x x x x
//
// No job waits for a far promise alone: where none is planned as near as that, the reaches count from the first
// planned start. When all jobs that a compression looked at have started, the next compression follows at once, though
// nothing has ended early.
func (v *VM) compress(t float64) {
	v.passes++
	v.border = math.Inf(1)
	if v.reach > 0 {
		far := v.reach * float64(v.passes&-v.passes)
		v.border = t + far
		if first := v.first(); first > v.border {
			v.border = first + far
		}
	}
	v.freed, v.behind, v.started, v.next = false, false, false, math.Inf(1)
	for _, j := range v.Waiting {
		switch {
		case j.Start > v.border:
			v.behind = true
		case !v.Due(j, t):
			j.Start = v.Plan.Advance(t, j.Start, j.Nodes, j.Length)
		}
		v.next = min(v.next, j.Start)
	}
}

// replan makes the plan anew: waiting jobs take the earliest places, in order of
// their planned starts or of submission.
//
// In the first order no job is planned later than before, unless started jobs hold more nodes than planned. For the
// jobs ahead of a job hold nodes at or after that job's start only if they did so by the old plan. In the second order a job
// that has moved up can take the place of a backfilled job.
func (v *VM) replan(t float64) {
	order := v.Waiting
	if v.planned {
		order = v.InPlannedOrder()
	}
	v.freed, v.broken, v.behind, v.started, v.next = false, false, false, false, math.Inf(1)
	v.planStarted(&v.Plan, t)
	for _, j := range order {
		v.place(j, t)
	}
}

// planStarted makes p a plan of started jobs alone.
func (v *VM) planStarted(p *profile.Profile, t float64) {
	p.Reset(v.nodes, t)
	for _, u := range v.Units {
		for _, h := range u.holds {
			p.Reserve(t, h.end, h.n)
		}
	}
}

func (v *VM) place(j *Job, t float64) {
	j.Start = v.Plan.Earliest(t, j.Nodes, j.Length)
	v.Plan.Reserve(j.Start, j.Start+j.Length, j.Nodes)
	v.next = min(v.next, j.Start)
}

// LeastWithout is the least number of free nodes on [from, to) if the waiting job had no reservation. What an ended job
// or a later reservation holds by rounding only does not count.
func (v *VM) LeastWithout(j *Job, from, to float64) int {
	from, to = from+near, to-near
	a, b := max(from, j.Start), min(to, j.Start+j.Length)
	if !(a < b) {
		return v.Plan.Least(from, to)
	}
	least := v.Plan.Least(a, b) + j.Nodes
	if from < a {
		least = min(least, v.Plan.Least(from, a))
	}
	if b < to {
		least = min(least, v.Plan.Least(b, to))
	}
	return least
}

// unplan takes the waiting job out of plan and queue. Its room is left for what
// follows, so the plan need not be made anew when it starts as planned.
func (v *VM) unplan(j *Job) {
	v.Plan.Release(j.Start, j.Start+j.Length, j.Nodes)
	v.unqueue(j)
}

// bySubmission compares jobs by the places of their submissions.
func bySubmission(a, b *Job) int { return int(a.Seq() - b.Seq()) }

// enqueue puts the job into the queue, behind the others unless it was requeued.
func (v *VM) enqueue(j *Job) {
	i, _ := slices.BinarySearchFunc(v.Waiting, j, bySubmission)
	v.Waiting = slices.Insert(v.Waiting, i, j)
}

// unqueue takes the waiting job out of the queue.
func (v *VM) unqueue(j *Job) {
	if i, ok := slices.BinarySearchFunc(v.Waiting, j, bySubmission); ok {
		v.Waiting = slices.Delete(v.Waiting, i, i+1)
	}
	v.started = v.started || j.Start <= v.next
}

// hold enters the unit's nodes into the plan anew, at own time t.
func (v *VM) hold(u *Unit, t float64) {
	v.drop(u, t)
	u.holds = v.predict(u, t, u.holds)
	for _, h := range u.holds {
		v.Plan.Reserve(t, h.end, h.n)
	}
}

// drop takes the unit out of the plan.
func (v *VM) drop(u *Unit, t float64) {
	for _, h := range u.holds {
		v.Plan.Release(t, h.end, h.n)
	}
	u.holds = u.holds[:0]
}

// sync accounts for the time up to now that the unit has run in other slices: in
// its class's own time it ends so much earlier.
func (v *VM) sync(u *Unit, now float64) {
	d := now - u.synced
	u.synced = now
	if !u.Running || v.active || d <= 0 {
		return
	}
	for i := range u.holds {
		h := &u.holds[i]
		v.Plan.Release(max(h.end-d, v.time), h.end, h.n)
		h.end -= d
	}
	for _, j := range u.Members {
		j.mark -= d
		j.End -= d
	}
	v.freed = true
}

// Resize changes the processes per node of a waiting job that is about to start,
// and takes its reservation away.
func (v *VM) Resize(j *Job, ppn int) {
	v.Plan.Release(j.Start, j.Start+j.Length, j.Nodes)
	j.PPN, j.Nodes = ppn, NodesFor(j.Procs(), ppn)
	j.Length = j.Walltime() * v.con.Own(j.Job, j.Most())
	j.Start = math.Inf(1) // no reservation
	v.broken = true
}

package audit

import (
	"cmp"
	"container/heap"

	"schedsweep/sim"
)

// Ranked is implemented by a policy that may start the jobs of each partition strictly in order (A18).
type Ranked interface {
	// Ranks reports whether the policy does so in this run: without limits, delays, events and backfilling.
	Ranks() bool
	// Rank returns the priority of a waiting job now. The smallest goes first. Equal ones keep the order of submission.
	Rank(j *sim.Job) float64
	// RankedAt returns when the priorities in a partition were all computed, and whether they are out of date now.
	RankedAt(partition int32) (at float64, outdated bool)
}

// order is the audit's own account of the next job in each partition. It reads the priority of a job right after its submission, and
// those of all jobs when the policy has computed them anew. It then keeps them.
type order struct {
	policy Ranked // nil where it backfills
	asked  bool
	fresh  ranked // whose priority has not been read; without a job for none
	lines  []line // by partition number
}

// line is a heap of the jobs that wait, and of some that do so no longer.
type line struct {
	at   float64
	jobs []ranked
}

type ranked struct {
	key float64
	seq int64
	job *sim.Job
}

func (l *line) Len() int           { return len(l.jobs) }
func (l *line) Less(i, k int) bool { return l.jobs[i].before(&l.jobs[k]) }
func (l *line) Swap(i, k int)      { l.jobs[i], l.jobs[k] = l.jobs[k], l.jobs[i] }
func (l *line) Push(x any)         { l.jobs = append(l.jobs, x.(ranked)) }
func (l *line) Pop() any {
	last := l.jobs[len(l.jobs)-1]
	l.jobs = l.jobs[:len(l.jobs)-1]
	return last
}

func (r *ranked) before(o *ranked) bool {
	return cmp.Or(cmp.Compare(r.key, o.key), cmp.Compare(r.seq, o.seq)) < 0
}

// waits reports whether the job still does, or starts just now.
func (r *ranked) waits(starting *sim.Job) bool {
	return r.job.Seq() == r.seq && (r.job.State() == sim.Waiting || r.job == starting)
}

// submitted notes a job, whose priority the policy does not know yet.
func (o *order) submitted(s *sim.View, j *sim.Job) {
	if !o.asked {
		if o.asked = true; o.policy != nil && !o.policy.Ranks() {
			o.policy = nil
		}
		if o.policy != nil {
			o.lines = make([]line, len(s.Platform().Partitions)+1)
			for n := range o.lines {
				o.lines[n].at, _ = o.policy.RankedAt(int32(n))
			}
		}
	}
	if o.policy != nil {
		o.look(nil)
		o.fresh = ranked{seq: j.Seq(), job: j}
	}
}

// look reads the priorities that are new since it looked last.
func (o *order) look(starting *sim.Job) {
	if r := o.fresh; r.job != nil {
		if o.fresh = (ranked{}); r.waits(starting) { // a rejected job may be another by now
			r.key = o.policy.Rank(r.job)
			heap.Push(&o.lines[r.job.Partition()], r)
		}
	}
	for n := range o.lines {
		l := &o.lines[n]
		at, _ := o.policy.RankedAt(int32(n))
		if at == l.at {
			continue
		}
		l.at = at
		kept := l.jobs[:0]
		for _, r := range l.jobs {
			if r.waits(starting) {
				r.key = o.policy.Rank(r.job)
				kept = append(kept, r)
			}
		}
		l.jobs = kept
		heap.Init(l)
	}
}

// starts checks that j is the next of its partition.
func (o *order) starts(a *Audit, s *sim.View, j *sim.Job) {
	o.look(j)
	l := &o.lines[j.Partition()]
	if at, outdated := o.policy.RankedAt(j.Partition()); outdated {
		a.violate("A18", "job %d started at %g s by priorities of %g s, which are out of date", j.ID(), s.Now(), at)
	}
	for len(l.jobs) > 0 && !l.jobs[0].waits(j) {
		heap.Pop(l)
	}
	switch {
	case len(l.jobs) == 0: // another job's account was lied about
	case l.jobs[0].job == j:
		heap.Pop(l)
	default:
		a.violate("A18", "job %d started at %g s before job %d, which waits in the same partition and has priority", j.ID(), s.Now(),
			l.jobs[0].job.ID())
	}
}

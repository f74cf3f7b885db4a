package audit

import (
	"cmp"
	"slices"

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

// add enters a job.
func (l *line) add(r ranked) {
	l.jobs = append(l.jobs, r)
	for k := len(l.jobs) - 1; k > 0 && l.jobs[k].before(&l.jobs[(k-1)/2]); k = (k - 1) / 2 {
		l.jobs[k], l.jobs[(k-1)/2] = l.jobs[(k-1)/2], l.jobs[k]
	}
}

// drop takes the first job out.
func (l *line) drop() {
	n := len(l.jobs) - 1
	l.jobs[0], l.jobs = l.jobs[n], l.jobs[:n]
	for k, next := 0, 1; next < n; k, next = next, 2*next+1 {
		if next+1 < n && l.jobs[next+1].before(&l.jobs[next]) {
			next++
		}
		if !l.jobs[next].before(&l.jobs[k]) {
			return
		}
		l.jobs[k], l.jobs[next] = l.jobs[next], l.jobs[k]
	}
}

func (r *ranked) before(o *ranked) bool { return r.compare(*o) < 0 }

func (r ranked) compare(o ranked) int {
	if c := cmp.Compare(r.key, o.key); c != 0 {
		return c
	}
	return cmp.Compare(r.seq, o.seq)
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
			n := len(s.Platform().Partitions) + 1
			o.lines = slices.Grow(o.lines[:0], n)[:n] // with the memory of an earlier run
			for n := range o.lines {
				at, _ := o.policy.RankedAt(int32(n))
				o.lines[n] = line{at, o.lines[n].jobs[:0]}
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
			o.lines[r.job.Partition()].add(r)
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
		slices.SortFunc(l.jobs, ranked.compare) // a sorted list is a heap
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
		l.drop()
	}
	switch {
	case len(l.jobs) == 0: // another job's account was lied about
	case l.jobs[0].job == j:
		l.drop()
	default:
		a.violate("A18", "job %d started at %g s before job %d, which waits in the same partition and has priority", j.ID(), s.Now(),
			l.jobs[0].job.ID())
	}
}

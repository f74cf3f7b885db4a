package coallocation

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// claim is the reservation of a blocked head of a queue.
type claim struct {
	head    *sim.Job // nil: none
	seq     int64    // of the head
	shadow  float64  // when the head can start at the latest, in s
	cluster int32    // where; -1: anywhere
	extra   int32    // processors free there then beside the head's
	moved   bool     // a job that outlasts the shadow took another cluster, where the head may now fit better
}

// stale reports whether the next pass makes the claim anew, also without an end of a job. After the shadow time more jobs
// may be past their walltimes.
func (c *claim) stale(s *sim.State) bool { return c.head == nil || c.moved || c.shadow < s.Now() }

// none claims nothing.
var none = claim{cluster: -1}

// room sets r to the processors that the jobs of a wait queue may take under a claim. home is
// the queue's cluster, which counts for jobs that run at home only.
func (p *Policy) room(r *backfill.Room, s *sim.State, home int, c *claim) {
	r.Now, r.Longest, r.Shadow = s.Now(), math.Inf(1), c.shadow
	switch p.scope {
	case atHome:
		r.Free = int32(s.FreeOn(home))
		if r.Extra = r.Free; c.head != nil && int(c.cluster) == home {
			r.Extra = min(r.Free, c.extra)
		}
	case whole:
		r.Free, r.Extra = 0, 0
		for k := range p.counts {
			f := int32(s.FreeOn(k))
			r.Free = max(r.Free, f)
			if c.head != nil && int(c.cluster) == k {
				f = min(f, c.extra)
			}
			r.Extra = max(r.Extra, f)
		}
	case spread:
		r.Free = int32(s.Free())
		if r.Extra = r.Free; c.head != nil {
			r.Extra = min(r.Free, c.extra)
		}
	}
}

// place fills in p.counts, the processors of each cluster for j, which has room: best fit on one cluster (the fewest
// free processors that suffice), else the fewest clusters, the largest free ones first and the last part by best fit.
// Among equals the first cluster counts. A claim's cluster is out of the question for a job that would delay its head
// there. It takes time in the clusters times the job's clusters.
func (p *Policy) place(s *sim.State, j *sim.Job, c *claim) {
	clear(p.counts)
	if p.scope == atHome {
		p.counts[j.Home()] = j.Procs()
		return
	}
	barred := -1
	if p.scope == whole && c.head != nil && j.Procs() > c.extra && s.Now()+j.Walltime() > c.shadow {
		barred = int(c.cluster)
	}
	for left := j.Procs(); left > 0; {
		best, least := -1, int32(math.MaxInt32)
		most, largest := -1, int32(-1)
		for k, taken := range p.counts {
			if taken > 0 || k == barred {
				continue
			}
			f := int32(s.FreeOn(k))
			if f >= left && f < least {
				best, least = k, f
			}
			if f > largest {
				most, largest = k, f
			}
		}
		if best >= 0 {
			p.counts[best] = left
			return
		}
		p.counts[most] = largest
		left -= largest
	}
}

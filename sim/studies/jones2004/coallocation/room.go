package coallocation

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// anybody admits every job.
var anybody = backfill.Room{Free: math.MaxInt32 - 1, Extra: math.MaxInt32 - 1}

// claim is the reservation of a blocked head of a queue.
type claim struct {
	head    *sim.Job // nil: nobody's
	seq     int64    // of the head
	shadow  float64  // when the head can start at the latest, in s
	cluster int32    // where; -1: anywhere
	extra   int32    // processors free there then beside the head's
	moved   bool     // a job that outlasts the shadow took another cluster, where the head may now fit better
}

// none claims nothing.
var none = claim{cluster: -1}

// room is what the jobs of a line may take under a claim. home is the line's
// cluster, which counts for jobs that run at home only.
func (p *Policy) room(s *sim.State, home int, c *claim) backfill.Room {
	r := backfill.Room{Now: s.Now(), Longest: math.Inf(1), Shadow: c.shadow}
	free := int32(0)
	switch p.scope {
	case atHome:
		free = int32(s.FreeOn(home))
		if c.head != nil && int(c.cluster) == home {
			r.Extra, r.Free = min(free, c.extra), free
			return r
		}
	case whole:
		for k := range p.counts {
			f := int32(s.FreeOn(k))
			if c.head != nil && int(c.cluster) == k {
				r.Free = f
				f = min(f, c.extra)
			}
			free = max(free, f)
		}
	case spread:
		free = int32(s.Free())
		if c.head != nil {
			r.Extra, r.Free = min(free, c.extra), free
			return r
		}
	}
	r.Extra, r.Free = free, max(r.Free, free)
	return r
}

// place fills in p.counts, the processors of each cluster for j, which has room:
// best fit on one cluster (the fewest free processors that suffice), else the
// fewest clusters, the largest free ones first and the last part by best fit.
// Among equals the first cluster counts. A claim's cluster is out of the question
// for a job that would delay its head there. It takes time in the clusters times
// those that the job gets.
func (p *Policy) place(s *sim.State, j *sim.Job, c *claim) {
	clear(p.counts)
	if p.scope == atHome {
		p.counts[j.Home()] = j.Procs()
		return
	}
	for left := j.Procs(); left > 0; {
		best, most := -1, -1
		for k := range p.counts {
			f := int32(s.FreeOn(k))
			if p.counts[k] > 0 || p.scope == whole && c.head != nil && int(c.cluster) == k && j.Procs() > c.extra &&
				s.Now()+j.Walltime() > c.shadow {
				continue
			}
			if f >= left && (best < 0 || f < int32(s.FreeOn(best))) {
				best = k
			}
			if most < 0 || f > int32(s.FreeOn(most)) {
				most = k
			}
		}
		if best >= 0 {
			p.counts[best] = left
			return
		}
		p.counts[most] = int32(s.FreeOn(most))
		left -= p.counts[most]
	}
}

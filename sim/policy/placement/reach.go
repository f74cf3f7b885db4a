package placement

import (
	"math"

	"schedsweep/sim"
)

// reach answers for a grouped plan which processors stay free from a time on, and how many. All jobs that have to hold
// processors from that time on share the answer until the plan changes. It has a step for the begin and for each fall of the
// profile after it. Each step has fewer processors than the one before.
type reach struct {
	version int64   // of the profile; 0 for none
	from    float64 // seconds
	lit     bool    // processors of nodes that are not on are left out
	words   int
	ends    []float64 // step -> until when its processors stay free
	sizes   []int     // step -> how many processors
	sets    []uint64  // step -> groups
}

// reachFrom returns the processors that stay free from a time on. With lit it leaves out nodes that are not on.
func (c *Plan) reachFrom(r *reach, from float64, lit bool) *reach {
	p := &c.profile
	if r.version == p.version && r.from == from && r.lit == lit {
		return r
	}
	i := p.find(from)
	r.version, r.from, r.lit, r.words = p.version, from, lit, p.words
	r.ends, r.sizes, r.sets = r.ends[:0], r.sizes[:0], append(r.sets[:0], p.of(i)...)
	n := 0
	for k, w := range r.sets {
		n += c.weigh(k, w)
	}
	if lit {
		n = c.remove(r.sets, n, c.dark)
	}
	for _, fall := range p.falls {
		if fall <= from {
			continue
		}
		for i+1 < len(p.intervals) && p.intervals[i].start < fall {
			i++
		}
		old := len(r.sizes) * r.words
		r.sets = append(r.sets, r.sets[old:]...)
		left := c.keep(Set(r.sets[old+r.words:]), n, p.of(i))
		if left == n {
			r.sets = r.sets[:old+r.words]
			continue
		}
		r.ends, r.sizes = append(r.ends, fall), append(r.sizes, n)
		if n = left; n == 0 {
			break
		}
	}
	r.ends, r.sizes = append(r.ends, math.Inf(1)), append(r.sizes, n)
	return r
}

// step is the first step whose processors stay free to time end.
func (r *reach) step(end float64) int {
	k := 0
	for r.ends[k] < end {
		k++
	}
	return k
}

// Least returns a bound on the jobs that may start now: a job that lasts beyond a time finds at most a number of processors. The time is
// +Inf where the plan is not grouped.
func (c *Plan) Least(now float64) (until float64, procs int32) {
	if !c.grouped || c.twice {
		return math.Inf(1), 0
	}
	r := c.reachFrom(&c.now, now, true)
	return r.ends[0], int32(r.sizes[min(1, len(r.sizes)-1)])
}

// fitsNow is [Plan.Fits] for a grouped plan.
func (c *Plan) fitsNow(j *sim.Job, now float64, q, node int) bool {
	r := c.reachFrom(&c.now, now, true)
	k := r.step(now + j.Walltime())
	return r.sizes[k] >= q && c.pick(Set(r.sets[k*r.words:(k+1)*r.words]), q, node) && !c.touches(c.busy, c.picked)
}

// roomBy reports whether q processors may be free for j, which starts at from or later and by last. All of its starts hold processors from
// last to the end of the first one, and by last all nodes are on. It may report true where there is no room.
func (c *Plan) roomBy(j *sim.Job, from, last float64, q int) bool {
	end := from + j.Walltime()
	if !c.grouped || c.twice || end <= last {
		return true
	}
	r := c.reachFrom(&c.later, last, false)
	return r.sizes[r.step(end)] >= q
}

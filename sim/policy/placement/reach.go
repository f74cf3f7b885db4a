package placement

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// reach answers for a grouped plan which processors stay free from a time on, and how many. All jobs that have to hold
// processors from that time on share the answer until the plan changes. It has a step for the begin, and one for each fall of the
// profile after it that takes processors. Steps are made when a search needs them.
type reach struct {
	version int64   // of the profile; 0 for none
	from    float64 // seconds
	lit     bool    // processors of nodes that are not on are left out
	words   int
	falls   int       // number of falls up to the end of the last step
	at      int       // interval that the last step has been compared with
	ends    []float64 // step -> until when its processors stay free; for the last step, at least until then
	sizes   []int     // step -> how many processors
	sets    []uint64  // step -> groups
}

// reachFrom returns the processors that stay free from a time on. With lit it leaves out nodes that are not on.
func (c *Plan) reachFrom(r *reach, from float64, lit bool) *reach {
	p := &c.profile
	if r.version == p.version && r.from == from && r.lit == lit {
		return r
	}
	r.at = p.find(from)
	r.version, r.from, r.lit, r.words = p.version, from, lit, p.words
	r.ends, r.sizes, r.sets = r.ends[:0], r.sizes[:0], append(r.sets[:0], p.of(r.at)...)
	n := int(p.intervals[r.at].free)
	if lit {
		n = c.remove(r.sets, n, c.dark)
	}
	r.falls, _ = slices.BinarySearch(p.falls, math.Nextafter(from, math.Inf(1)))
	r.ends, r.sizes = append(r.ends, p.fallAfter(r.falls)), append(r.sizes, n)
	return r
}

// fallAfter returns the first fall after the first n, +Inf for none.
func (p *profile) fallAfter(n int) float64 {
	if n < len(p.falls) {
		return p.falls[n]
	}
	return math.Inf(1)
}

// climb compares the last step with the next fall, and adds a step if the fall takes processors.
func (c *Plan) climb(r *reach) {
	p, last := &c.profile, len(r.sizes)-1
	for fall := r.ends[last]; r.at+1 < len(p.intervals) && p.intervals[r.at].start < fall; r.at++ {
	}
	r.falls++
	next, old := p.fallAfter(r.falls), last*r.words
	r.sets = append(r.sets, r.sets[old:]...)
	if left := c.keep(Set(r.sets[old+r.words:]), r.sizes[last], p.of(r.at)); left < r.sizes[last] {
		r.ends, r.sizes = append(r.ends, next), append(r.sizes, left)
		return
	}
	r.ends[last], r.sets = next, r.sets[:old+r.words]
}

// step is the first step whose processors stay free to time end, or one before it that has less than q.
func (c *Plan) step(r *reach, end float64, q int) int {
	k := 0
	for r.ends[k] < end && r.sizes[k] >= q {
		if k+1 < len(r.ends) {
			k++
		} else {
			c.climb(r)
		}
	}
	return k
}

// set is the groups of a step.
func (r *reach) set(k int) Set { return r.sets[k*r.words : (k+1)*r.words] }

// Least returns a bound on the jobs that may start now: a job that lasts beyond a time finds at most a number of processors. The time is
// +Inf where the plan is not grouped.
func (c *Plan) Least(now float64) (until float64, procs int32) {
	if !c.grouped || c.twice {
		return math.Inf(1), 0
	}
	r := c.reachFrom(&c.now, now, true)
	for len(r.sizes) == 1 && r.ends[0] < math.Inf(1) {
		c.climb(r)
	}
	return r.ends[0], int32(r.sizes[min(1, len(r.sizes)-1)])
}

// fitsNow is [Plan.Fits] for a grouped plan.
func (c *Plan) fitsNow(j *sim.Job, now float64, q, node int) bool {
	r := c.reachFrom(&c.now, now, true)
	k := c.step(r, now+j.Walltime(), q)
	return r.sizes[k] >= q && c.pick(r.set(k), q, node) && !c.touches(c.busy, c.picked)
}

// roomBy reports whether q processors may be free for j, which starts at from or later and by last. All of its starts hold processors from
// last to the end of the first one, and by last all nodes are on. It may report true where there is no room.
func (c *Plan) roomBy(j *sim.Job, from, last float64, q int) bool {
	end := from + j.Walltime()
	if !c.grouped || c.twice || end <= last {
		return true
	}
	r := c.reachFrom(&c.later, last, false)
	return r.sizes[c.step(r, end, q)] >= q
}

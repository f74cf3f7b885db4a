package lomarc_test

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// simulated compares R_est of every medium and long job, at its submission, with
// what a simulation of its class from that moment on says. It knows nothing of
// the policy but the starts that waiting jobs were promised.
type simulated struct {
	*lomarc.Policy
	fatalf func(format string, args ...any)
	p      *lomarc.Params
	nodes  int
	jobs   []*sim.Job // in the system, in order of submission
	seen   *counts
}

// counts are the numbers of comparisons, in all and by kind.
type counts struct{ all, queue, group, outside int }

func (o *simulated) Ended(s *sim.State, j *sim.Job) {
	o.jobs = slices.Delete(o.jobs, slices.Index(o.jobs, j), slices.Index(o.jobs, j)+1)
	o.Policy.Ended(s, j)
}

// class is 0 for short, 1 for medium and 2 for long jobs.
func (o *simulated) class(j *sim.Job) int {
	switch {
	case j.Walltime() <= o.p.ShortLimit:
		return 0
	case j.Walltime() <= o.p.LongLimit:
		return 1
	}
	return 2
}

// alone returns the needs of j by equation 8: nodes, and seconds by itself.
func (o *simulated) alone(j *sim.Job) (nodes int, length float64) {
	sl, procs := slowdowns.Of(j), int(j.Procs())
	ppn := 1
	if procs > 1 && sl.Node*sl.Core <= o.p.Four {
		ppn = 4
	} else if procs > 1 && sl.Node <= o.p.Two {
		ppn = 2
	}
	for (procs+ppn-1)/ppn > o.nodes {
		ppn *= 2
	}
	return (procs + ppn - 1) / ppn, j.Walltime() * own(sl, min(ppn, procs))
}

// own is the slowdown by processes of the same job, table 4.
func own(sl slowdowns.Slowdowns, perNode int) float64 {
	switch {
	case perNode >= 3:
		return sl.Node * sl.Core
	case perNode == 2:
		return sl.Node
	}
	return 1
}

// body is a job in the simulation of the class's virtual machine, whose time
// begins at 0 with the submission.
type body struct {
	slowdowns slowdowns.Slowdowns
	perNode   map[int]int // its processes by node; nil: nodes of its own
	nodes     int
	left      float64 // s with one process a node
	from, to  float64 // of one that has nodes of its own
}

// Submitted lets the policy estimate, and simulates.
func (o *simulated) Submitted(s *sim.State, j *sim.Job) {
	o.Policy.Submitted(s, j)
	others := o.jobs
	o.jobs = append(o.jobs, j)
	class := o.class(j)
	if class == 0 {
		return
	}
	now := s.Now()
	t := o.VM(timeslice.Class(class)).Now(now)
	var started, waiting []*body
	outside := false
	for _, k := range others {
		if o.class(k) != class {
			continue
		}
		if k.State() == sim.Waiting {
			n, length := o.alone(k)
			from := o.Of(k).Start - t
			if from < -1e-6 {
				o.fatalf("job %d, submitted at %g s: job %d waits and was promised to start %g s ago", j.ID(), now, k.ID(), -from)
			}
			waiting = append(waiting, &body{nodes: n, from: from, to: from + length})
			continue
		}
		b := &body{slowdowns: slowdowns.Of(k), left: k.WorkLeft(now), perNode: map[int]int{}}
		for _, sp := range k.Alloc().Procs {
			for proc := sp.Lo; proc <= sp.Hi; proc++ {
				b.perNode[int(proc)/o.Cores]++
			}
		}
		started = append(started, b)
		outside = outside || k.State() == sim.Running && !o.mine(s, class)
	}
	shared := slices.ContainsFunc(started, func(b *body) bool { return len(beside(b, started)) > 0 })
	at, free := o.play(started, waiting)
	for i := range free {
		if free[i] < 0 && i+1 < len(at) && at[i+1]-at[i] > 1e-6 {
			o.fatalf("at %g s, when job %d is submitted, %d nodes are promised too many %g s later", now, j.ID(), -free[i], at[i])
		}
	}
	n, length := o.alone(j)
	got, says := o.Of(j).Estimate, 0.0
	right := false
	for _, rounding := range []float64{-1e-9, 1e-6} { // rounding decides whether a job fits into a gap of just its length
		x := earliest(at, free, n, length, rounding) + length
		// At the very end of a slice rounding decides whether it lasts into the next.
		low, high := .75*o.response(class, now, x-1e-9), .75*o.response(class, now, x+1e-9)
		right, says = right || alike(got, low) || alike(got, high), high
	}
	if !right {
		o.fatalf("job %d, submitted at %g s with %d jobs of its class started and %d waiting: R_est is %.9g s, the simulation says %.9g s",
			j.ID(), now, len(started), len(waiting), got, says)
	}
	o.seen.all++
	for _, c := range []struct {
		is bool
		n  *int
	}{{len(waiting) > 0, &o.seen.queue}, {shared, &o.seen.group}, {outside, &o.seen.outside}} {
		if c.is {
			*c.n++
		}
	}
}

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(math.Abs(a), math.Abs(b)) }

// beside are those of the others that share a node with b.
func beside(b *body, others []*body) (dst []*body) {
	for _, o := range others {
		for n := range b.perNode {
			if o != b && o.perNode[n] > 0 {
				dst = append(dst, o)
				break
			}
		}
	}
	return dst
}

// rate returns the speed of b among the others, section 4.9.
func (b *body) rate(others []*body) float64 {
	most := 0
	for _, k := range b.perNode {
		most = max(most, k)
	}
	worst := 0.0
	for _, o := range beside(b, others) {
		worst = max(worst, b.slowdowns.Beside(o.slowdowns))
	}
	if worst == 0 {
		worst = 1
	}
	return 1 / (own(b.slowdowns, most) * worst)
}

// play lets the virtual machine run until all have ended, from event to event,
// and returns the number of free nodes from each event on.
func (o *simulated) play(started, waiting []*body) (at []float64, free []int) {
	for now := 0.0; ; {
		started = slices.DeleteFunc(started, func(b *body) bool { return b.left <= 1e-9 })
		taken := map[int]bool{}
		next := math.Inf(1)
		for _, b := range started {
			for n := range b.perNode {
				taken[n] = true
			}
			next = min(next, now+b.left/b.rate(started))
		}
		n := o.nodes - len(taken)
		for _, b := range waiting {
			if b.from <= now && now < b.to {
				n -= b.nodes
			}
			for _, e := range []float64{b.from, b.to} {
				if e > now {
					next = min(next, e)
				}
			}
		}
		at, free = append(at, now), append(free, n)
		if math.IsInf(next, 1) {
			return at, free
		}
		rates := make([]float64, len(started))
		for i, b := range started {
			rates[i] = b.rate(started)
		}
		for i, b := range started {
			b.left -= (next - now) * rates[i]
		}
		now = next
	}
}

// earliest is the first time from which on n nodes are free for so long. What
// lasts less than rounding does not count. They must be free longer by a negative one.
func earliest(at []float64, free []int, n int, length, rounding float64) float64 {
	length -= min(rounding, 0)
	for i, from := range at {
		fits := true
		for k := i; k < len(at) && at[k] < from+length; k++ {
			end := from + length
			if k+1 < len(at) {
				end = min(end, at[k+1])
			}
			fits = fits && (free[k] >= n || end-at[k] < rounding)
		}
		if fits {
			return from
		}
	}
	panic("the machine is never empty")
}

// response walks through the slices, none of them for short jobs, until the class
// has had x seconds, and returns how long that took.
func (o *simulated) response(class int, now, x float64) float64 {
	for k := math.Floor(now / o.p.Interval); ; k++ {
		begin := k * o.p.Interval
		border := begin + o.p.MediumShare*o.p.Interval
		from, to := begin, border
		if class == 2 {
			from, to = border, begin+o.p.Interval
		}
		from = max(now, from+o.p.Overhead)
		if to <= from {
			continue
		}
		if x <= to-from {
			return from + x - now
		}
		x -= to - from
	}
}

// mine reports whether it is the class's own slice, by its clock.
func (o *simulated) mine(s *sim.State, class int) bool {
	v := o.VM(timeslice.Class(class))
	return v.Now(s.Now()+1) != v.Now(s.Now())
}

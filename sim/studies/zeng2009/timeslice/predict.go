package timeslice

import (
	"math"
	"slices"
)

// settle brings the job's remaining walltime up to own time t.
func (j *Job) settle(t float64) {
	j.left = j.Left(t)
	j.mark = t
}

// Left returns the job's remaining walltime, run with one process a node, at its class's own time t.
func (j *Job) Left(t float64) float64 { return max(0, j.left-j.speed*(t-j.mark)) }

// predict computes speeds and ends of the unit's members from own time t on. Members that share nodes slow one
// another down as long as they last. predict appends the nodes that members hold until their ends to dst, the last
// end first. It takes time in the third power of the number of members (two or three).
func (v *VM) predict(u *Unit, t float64, dst []hold) []hold {
	for _, j := range u.Members {
		j.settle(t)
		j.before = j.End
	}
	if len(u.Members) == 1 {
		j := u.Members[0]
		slow := v.con.Own(j.Job, j.Most())
		j.speed = 1 / slow
		j.End = t + j.left*slow
		j.keepEnd()
		return append(dst, hold{j.On.Len(), j.End})
	}
	// Those before k have been given their ends, in order of time.
	now := t
	for k := range u.Members {
		next, at := k, math.Inf(1)
		for i := k; i < len(u.Members); i++ {
			j := u.Members[i]
			slow := v.slowdown(j, u.Members[k:])
			if k == 0 {
				j.speed = 1 / slow
			}
			j.End = now + (j.left-j.gone)*slow
			if j.End < at {
				next, at = i, j.End
			}
		}
		for i := k; i < len(u.Members); i++ {
			j := u.Members[i]
			j.gone += (at - now) / v.slowdown(j, u.Members[k:])
		}
		u.Members[k], u.Members[next] = u.Members[next], u.Members[k]
		now = at
	}
	rest := v.scratch.Resized(v.nodes)
	v.scratch = rest
	rest.Copy(u.On)
	for i := len(u.Members) - 1; i >= 0; i-- {
		j, before := u.Members[i], rest.Len()
		j.keepEnd()
		rest.Drop(j.On)
		if n := before - rest.Len(); n > 0 {
			dst = append(dst, hold{n, j.End})
		}
	}
	for _, j := range u.Members {
		j.gone = 0
	}
	slices.SortFunc(u.Members, bySubmission)
	return dst
}

// keepEnd takes the end predicted before where only rounding makes the new one differ: the plan has reservations that
// begin there, and the shortest overlap with them would keep others from nodes that are free.
func (j *Job) keepEnd() {
	if math.Abs(j.End-j.before) < near {
		j.End = j.before
	}
}

// slowdown is that of j among others; only the ones that share nodes with it count.
func (v *VM) slowdown(j *Job, others []*Job) float64 {
	worst := 0.0
	for _, o := range others {
		if o != j && o.On.Meets(j.On) {
			worst = max(worst, v.con.Beside(j.Job, j.Most(), o.Job))
		}
	}
	if worst == 0 {
		return v.con.Own(j.Job, j.Most())
	}
	return worst
}

package scojo

import (
	"cmp"
	"math"
	"slices"
)

// instant is an amount of work, in s, that rounding leaves of an estimate and that counts as none.
const instant = 1e-9

// advance moves the site on by some seconds at the shares that it has.
func (x *site) advance(seconds float64) {
	for _, r := range x.running {
		r.left -= r.rate * seconds
		r.reserve -= x.using(r) * seconds
	}
}

// using returns the speed at which r's reservation is used up.
func (x *site) using(r *task) float64 {
	if r.effective(x.p) {
		return r.rate
	}
	return r.now
}

// ahead plays the rules on from now by the estimates: this is the scheduling plan. It reports each start, and stops
// once it has reported that of last; nil tells all.
func (x *site) ahead(now float64, last *task, begins func(t *task, at float64)) {
	c, done := x.copied(), false
	for !done {
		c.pass(now, func(t *task) {
			begins(t, now)
			done = done || last != nil && t.job == last.job
		}, func(*task, bool) {})
		next := c.next(now)
		if math.IsInf(next, 1) || len(c.waiting)+len(c.agreed) == 0 {
			return
		}
		c.advance(next - now)
		c.running = slices.DeleteFunc(c.running, func(r *task) bool { return r.left <= instant })
		now = next
	}
}

// next returns the time of the next event, by the estimates: an end, an agreed start, a reservation
// that is used up, or a waiting task that may start from then on, or is aged.
func (x *site) next(now float64) float64 {
	next := math.Inf(1)
	for _, r := range x.running {
		if r.left <= instant {
			return now
		}
		if r.rate > 0 {
			next = min(next, max(now+r.left/r.rate, math.Nextafter(now, next)))
		}
	}
	return min(next, x.alarm(now))
}

// alarm returns the time at which the rules act although no job ends or comes; +Inf for never.
func (x *site) alarm(now float64) float64 {
	next := math.Inf(1)
	for _, t := range x.agreed {
		next = min(next, t.at)
	}
	for _, r := range x.running {
		if x.p.Kept > 0 && r.position != kept && r.now > 0 {
			next = min(next, max(now+r.reserve/x.using(r), math.Nextafter(now, next)))
		}
	}
	for _, t := range x.waiting {
		if t.after > now {
			next = min(next, t.after)
		}
		if x.p.Aging > 0 && x.p.Variant != "fcfs" {
			steps := math.Floor((now-t.job.Submit())/x.p.Aging) + 1
			next = min(next, max(t.job.Submit()+steps*x.p.Aging, math.Nextafter(now, next)))
		}
	}
	return next
}

// copied is the site in its state, to play on.
func (x *site) copied() *site {
	return &site{p: x.p, sharing: x.sharing, running: copies(x.running), waiting: copies(x.waiting), agreed: copies(x.agreed)}
}

func copies(tasks []*task) []*task {
	own := make([]task, len(tasks))
	out := make([]*task, len(tasks))
	for i, t := range tasks {
		own[i] = *t
		out[i] = &own[i]
	}
	return out
}

// agree fixes the start of a cross-site task where the plan has it, or as soon after
// that as all promises leave it its share.
func (x *site) agree(t *task, now float64) {
	with := x.copied()
	with.waiting = append(with.waiting, t)
	from := max(now, t.after)
	with.ahead(now, t, func(p *task, at float64) {
		if p.job == t.job && at > from {
			from = at + slack*max(1, at) // so that rounding has none of the ends there come later
		}
	})
	x.offer(t, 0)
	starts := []float64{from}
	for _, r := range x.running {
		starts = append(starts, r.until(now))
	}
	for _, f := range x.agreed {
		starts = append(starts, f.at+f.seconds)
	}
	slices.Sort(starts)
	for _, at := range starts {
		if t.at = at; at >= from && x.fits(t, now, at, at+t.seconds) {
			break
		}
	}
	i, _ := slices.BinarySearchFunc(x.agreed, t.at, func(f *task, at float64) int { return cmp.Or(cmp.Compare(f.at, at), -1) })
	x.agreed = slices.Insert(x.agreed, i, t)
}

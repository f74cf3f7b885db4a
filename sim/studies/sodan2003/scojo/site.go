package scojo

import (
	"cmp"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/shares"
)

// site is a machine that all of its jobs share, with the rules by which jobs start and get shares. It knows no
// engine: both present and future events are played on it.
type site struct {
	p       *Params
	sharing *shares.Model
	running []*task // in order of start
	waiting []*task
	agreed  []*task // wait for their start, in order of it
	beside  []*sim.Job

	// Of one of several sites.
	number  int
	bound   bool      // agreed tasks start when all their sites do, and not by themselves
	frozen  bool      // slots are held for a job of another site: nothing new is promised
	news    bool      // something has happened since the last pass
	stale   bool      // agreements have changed
	since   float64   // the site has been simulated up to this time
	wake    float64   // when the rules have something to do although nothing happens
	planned []plan.ID // reservations of the site's own jobs
}

// pass starts the jobs that should start now, and gives every job a share. changed reports overruns and promotions.
func (x *site) pass(now float64, begin func(*task), changed func(t *task, promoted bool)) {
	for _, r := range x.running {
		if r.position != kept && r.spent() && x.p.Kept > 0 {
			r.position = kept
			changed(r, false)
		}
	}
	if x.p.Promote && !x.frozen {
		x.promote(now, changed)
	}
	for !x.bound && len(x.agreed) > 0 && x.agreed[0].at <= now {
		t := x.agreed[0]
		x.agreed = x.agreed[1:]
		t.position = x.vacant(0)
		x.start(t, now, begin)
	}
	for _, wait := range [][]*task{x.waiting, x.agreed} {
		for _, t := range wait {
			t.age(x.p, now)
		}
	}
	slices.SortStableFunc(x.waiting, x.compare)
	for i := 0; i < len(x.waiting) && !x.frozen; {
		switch t := x.waiting[i]; {
		case x.shut(t):
			i = len(x.waiting)
		case t.after <= now && x.admit(t, now):
			x.waiting = slices.Delete(x.waiting, i, i+1)
			x.start(t, now, begin)
		case x.p.Variant != "pricob":
			i = len(x.waiting)
		default:
			i++
		}
	}
	x.assign(now)
}

func (x *site) compare(a, b *task) int {
	if c := cmp.Compare(b.priority, a.priority); c != 0 {
		return c
	}
	if x.p.Order == "share" {
		if c := cmp.Compare(b.job.Share(), a.job.Share()); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.job.Seq(), b.job.Seq())
}

// keepBefore removes the waiting tasks whose turn comes after that of t.
func (x *site) keepBefore(t *task, now float64) {
	t.age(x.p, now)
	x.waiting = slices.DeleteFunc(x.waiting, func(w *task) bool {
		w.age(x.p, now)
		return x.compare(t, w) < 0
	})
}

func (x *site) start(t *task, now float64, begin func(*task)) {
	t.age(x.p, now)
	t.reserve = t.share * t.seconds
	t.rest = rest(t.seconds, now+t.seconds)
	x.running = append(x.running, t)
	begin(t)
}

// counted returns the number of tasks that run on reserved shares.
func (x *site) counted() int {
	n := 0
	for _, r := range x.running {
		if r.position != kept {
			n++
		}
	}
	return n
}

// vacant is the first free position from i on; unplaced where all are
// taken.
func (x *site) vacant(i int) int {
	for ; i < x.p.level(); i++ {
		if !slices.ContainsFunc(x.running, func(r *task) bool { return r.position == i }) {
			return i
		}
	}
	return unplaced
}

// promote gives tasks the larger shares of ended ones, in order of start.
func (x *site) promote(now float64, changed func(*task, bool)) {
	if !x.p.shares() {
		return
	}
	for i := x.vacant(0); i != unplaced; i = x.vacant(i + 1) {
		for _, r := range x.running {
			old := r.share
			if r.position <= i || r.crossSite || r.job.Share() > 0 || r.spent() || x.p.Positions[i] <= old {
				continue
			}
			if r.share = x.p.Positions[i]; x.fits(r, now, now, r.until(now)) {
				r.position = i
				changed(r, true)
				break
			}
			r.share = old
		}
	}
}

// shut reports whether the running tasks keep t out, and with it all tasks that wait behind it and have no higher priority.
func (x *site) shut(t *task) bool {
	n := x.counted()
	return n > 0 && (t.priority < x.p.least() || n >= x.p.level() && x.p.Kept == 0)
}

// admit reports whether the waiting task starts now, and gives it its place if so.
func (x *site) admit(t *task, now float64) bool {
	if x.p.Variant != "pricob" && slices.ContainsFunc(x.agreed, func(f *task) bool { return x.compare(f, t) < 0 }) {
		return false
	}
	for i := x.vacant(0); i != unplaced; i = x.vacant(i + 1) {
		x.offer(t, i)
		if x.together(t, now) && x.fits(t, now, now, now+t.seconds) {
			return true
		}
	}
	if x.p.Kept > 0 && t.priority >= special && x.p.shares() &&
		!slices.ContainsFunc(x.running, func(r *task) bool { return r.position == kept }) {
		t.position, t.share, t.seconds = kept, 0, 0
		return true
	}
	return false
}

// offer gives the task the share of position i and a reservation of as many seconds
// as its estimate takes with it.
func (x *site) offer(t *task, i int) {
	t.position = i
	switch {
	case !x.p.shares():
		t.share = min(x.p.Alone, 1-x.p.Kept)
	case t.job.Share() > 0:
		t.share = min(t.job.Share(), 1-x.p.Kept)
	default:
		t.share = x.p.Positions[i]
	}
	t.seconds = t.left / t.share * (1 + slack)
	if !t.effective(x.p) {
		t.seconds *= x.expected(t)
	}
}

// expected is the slowdown that reservations reckon with: the larger of the slowdowns beside the running ones and
// beside as many jobs of its own kind as the level allows.
func (x *site) expected(t *task) float64 {
	x.beside = x.beside[:0]
	for range x.p.level() - 1 {
		x.beside = append(x.beside, t.job)
	}
	own := x.sharing.Slowdown(t.job, x.beside)
	if t.several != nil {
		return own // the same on all of its sites
	}
	return max(own, x.slowdown(t, x.running))
}

// slowdown is t's beside others of these.
func (x *site) slowdown(t *task, there []*task) float64 {
	x.beside = x.beside[:0]
	for _, r := range there {
		if r != t {
			x.beside = append(x.beside, r.job)
		}
	}
	return x.sharing.Slowdown(t.job, x.beside)
}

// together reports whether the task may run beside each running one and each one that is agreed to start before it ends
// if it has the site for itself. All running ones started before it.
func (x *site) together(t *task, now float64) bool {
	end := now
	for _, r := range x.running {
		end = max(end, r.until(now))
	}
	backfills := x.p.Variant == "pricob" && t.priority >= x.p.Backfill.MinPriority
	for _, r := range x.running {
		if r.position != kept && !x.pair(t, r) && !(backfills && !before(end, now+t.seconds)) {
			return false
		}
	}
	for _, f := range x.agreed {
		if before(f.at, now+t.left/x.p.Alone) && !x.pair(t, f) && !x.pair(f, t) && !(backfills && !before(f.at+f.seconds, now+t.seconds)) {
			return false
		}
	}
	return true
}

func (x *site) pair(t, r *task) bool {
	if x.p.Join.CrossSite && (t.crossSite || r.crossSite) {
		return true
	}
	return t.priority >= x.p.Join.MinPriority &&
		(t.priority > r.priority || t.priority == r.priority && x.mild(t.job, r.job) && x.mild(r.job, t.job))
}

// mild reports whether j bears other beside it.
func (x *site) mild(j, other *sim.Job) bool {
	x.beside = append(x.beside[:0], other)
	return x.sharing.Slowdown(j, x.beside) <= x.p.Join.MaxSlowdown
}

// fits reports whether t can have its share from start to end, beside the promises to running and coming tasks.
func (x *site) fits(t *task, now, start, end float64) bool {
	if !x.room(t, now, start) {
		return false
	}
	for _, f := range x.agreed {
		if start < f.at && f.at+rest(t.seconds, f.at) < end && !x.room(t, now, f.at) {
			return false
		}
	}
	return true
}

// room reports whether at a time the promises leave t its share. A reservation that is
// spent promises nothing, but its task is there now.
func (x *site) room(t *task, now, at float64) bool {
	there := []*task{t}
	for _, r := range x.running {
		if r != t && r.position != kept && (at == now || r.reserve-r.share*(at-now) > r.rest) {
			there = append(there, r)
		}
	}
	for _, f := range x.agreed {
		if f.at <= at && f.at+f.seconds-at > rounding*f.seconds {
			there = append(there, f)
		}
	}
	sum := 0.0
	for _, r := range there {
		sum += x.assigned(r, there)
	}
	return len(there) <= x.p.level() && sum <= 1-x.p.Kept+slack
}

// assigned is the share of time that keeps r's reservation beside the others.
func (x *site) assigned(r *task, there []*task) float64 {
	if !r.effective(x.p) {
		return r.share
	}
	return r.share * x.slowdown(r, there)
}

package backfill

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/power"
)

// watts is the plan of what jobs draw beyond the idle power of all nodes, under a cap. Nodes that are out of service count as idle, for
// they may come back. Nil is no cap.
//
// It counts in units. A unit divides the extra power of a busy processor in every class, and is the largest that does. Where the cap has
// more than 2^30 units, a unit is this part of the cap, and what jobs draw is rounded up.
type watts struct {
	on    *sim.Platform
	cap   *power.Cap
	use   *profile.Profile
	size  int     // where use is the count of free processors of the only class, which the cap lowers: all of them; else 0
	draw  int     // units of a processor there
	unit  float64 // in watts
	per   []int64 // class -> units of a processor
	boot  []int64 // class -> units that a node draws more than an idle one while it boots
	down  []int64 // and while it shuts down
	most  int32   // units, by the largest cap
	least int32   // by the smallest
	until float64 // the profile has the cap up to this time
	room  int32   // by the cap in force, where planners know no other
	was   float64 // the cap in force at the last change of the platform, in watts

	ways   []surplus // of boots and shutdowns under way
	past   []surplus // scratch: before the last change
	booked []surplus // slot of a job with a place -> what its nodes draw more while they boot
}

// surplus is units that are reserved for nodes on the way.
type surplus struct {
	from, until float64
	units       int
}

// newWatts makes the plan of an idle machine, nil where there is no cap.
func newWatts(s *sim.State) (*watts, error) {
	on := s.Platform()
	if on.Cap == nil {
		return nil, nil
	}
	if !on.Divided() {
		return nil, errors.New("a cap is on the power of node classes: divide the platform, or drop the cap")
	}
	if s.Requests() {
		return nil, fmt.Errorf("platform.cap: jobs that request memory, GPUs or the like, or may span node classes, are not planned under a " +
			"cap: drop the cap, or the requests")
	}
	w, largest, common := &watts{on: on, cap: on.Cap, use: &profile.Profile{}, was: s.Cap()}, 0., 0.
	for _, v := range w.cap.Watts.Value {
		largest = max(largest, v-on.IdlePower())
	}
	var draws [3][]float64 // of a busy processor, and of a node that boots or shuts down
	for c := range on.Clusters {
		k := &on.Clusters[c]
		more := [3]float64{k.Extra()}
		if s.Switches() {
			more[1], more[2] = k.Surplus(k.Power.Boot), k.Surplus(k.Power.Shutdown)
		}
		for i, b := range more {
			draws[i] = append(draws[i], b)
			a := common
			for least := 1e-9 * max(a, b); b > least; {
				a, b = b, math.Mod(a, b)
			}
			common = a
		}
	}
	w.unit = max(common, largest/(1<<30), math.SmallestNonzeroFloat64)
	for i, to := range []*[]int64{&w.per, &w.boot, &w.down} {
		for _, watts := range draws[i] {
			*to = append(*to, int64(math.Ceil(watts/w.unit*(1-power.Slack/2))))
		}
	}
	w.most, w.least = w.units(largest+on.IdlePower()), w.units(w.cap.Watts.Least())
	w.clear(s.Now())
	return w, nil
}

// joins has the cap lower the count of processors of the only part of a plan that counts them.
func (w *watts) joins(p *Plan, now float64) {
	if q := &p.parts[0]; w != nil && !p.placed && len(p.parts) == 1 && w.per[q.class] > 0 {
		w.use, w.size, w.draw = &q.counts, q.size(), int(w.per[q.class])
		w.clear(now)
	}
}

// counts returns the number of these units in the profile.
func (w *watts) counts(units int) int {
	if w.size > 0 {
		return min(w.size, units/w.draw)
	}
	return units
}

// procs returns the number of processors that jobs may have by the cap in force, where the profile counts them.
func (w *watts) procs() int64 { return int64(w.counts(int(w.room))) }

// counts reports whether the cap leaves jobs a number of processors of the only class that stays, as far as planners know.
func (p *Plan) counts(on *sim.Platform, class int) bool {
	return p.rule == "" && p.eligible == nil && on.Clusters[class].Extra() > 0 && (!on.Cap.Ahead || len(on.Cap.Watts.From) == 1)
}

// units returns the part of a cap that is left to jobs.
func (w *watts) units(watts float64) int32 {
	return int32(max(0, math.Floor((watts-w.on.IdlePower())/w.unit*(1+power.Slack/2))))
}

// times is n times what one draws.
func times(n int64, one int64) int { return int(min(n*one, math.MaxInt32)) }

// need returns the power of a job on n processors of a class.
func (w *watts) need(class int, n int32) int { return times(int64(n), w.per[class]) }

// clear has nothing run from now on.
func (w *watts) clear(now float64) {
	w.use.Reset(w.counts(int(w.most)), now)
	clear(w.booked)
	w.until = now
	if w.room = w.most; !w.cap.Ahead {
		w.inForce(now)
	}
}

// inForce has the cap of now hold for ever, where planners know no other. It reports whether that leaves another number of units.
func (w *watts) inForce(now float64) bool {
	room := w.units(w.cap.Watts.At(now))
	if w.cap.Ahead || room == w.room {
		return false
	}
	w.use.Reserve(now, math.Inf(1), w.counts(int(w.room))-w.counts(int(room)))
	w.room = room
	return true
}

// extend has the profile know the cap up to a time at least.
func (w *watts) extend(to float64) {
	for w.cap.Ahead && w.until < to {
		next := w.cap.Watts.After(w.until)
		w.use.Reserve(w.until, next, w.counts(int(w.most))-w.counts(int(w.units(w.cap.Watts.At(w.until)))))
		w.until = next
	}
}

// take reserves what j draws in a place, by = 1, or gives it back.
func (w *watts) take(q *part, procs int32, from, until float64, by int) {
	if w != nil && w.size == 0 {
		w.use.Reserve(from, until, by*w.need(q.class, procs))
	}
}

// earliest is the first time from t on at which the cap admits j in a part.
func (w *watts) earliest(q *part, j *sim.Job, t float64) float64 {
	return w.first(w.need(q.class, q.need(j)), t, j.Walltime())
}

// first is the first time from t on at which the cap leaves n units for d seconds.
func (w *watts) first(n int, t, d float64) float64 {
	if !w.cap.Ahead { // planners expect the cap in force to stay
		return w.use.Earliest(t, w.counts(n), d)
	}
	if math.IsInf(w.alone(n, t, d), 1) {
		return math.Inf(1)
	}
	for {
		w.extend(t + d)
		if t = w.use.Earliest(t, w.counts(n), d); t+d <= w.until {
			return t
		}
	}
}

// begins finds when nodes begin to boot that draw these units for d seconds. They begin at now or later, and are on
// at t or at the first time after t for which there is power. It returns the begin and the time at which they are on.
func (w *watts) begins(units int, d, now, t float64) (begin, on float64) {
	from := t - d
	for from+d > t {
		from = math.Nextafter(from, math.Inf(-1))
	}
	from = w.first(units, max(from, now), d)
	return from, max(t, from+d)
}

// book reserves a surplus for a place, and unbook gives it back.
func (w *watts) book(slot int32, b surplus) {
	*sim.Entry(&w.booked, slot) = b
	w.use.Reserve(b.from, b.until, b.units)
}

func (w *watts) unbook(slot int32) {
	if int(slot) < len(w.booked) {
		b := &w.booked[slot]
		w.use.Release(b.from, b.until, b.units)
		*b = surplus{}
	}
}

// darken reserves what nodes on the way draw, and nothing more for places whose nodes boot or have booted.
func (w *watts) darken(p *Plan, s *sim.State) {
	before := w.ways
	w.ways, w.past = w.past[:0], before
	for slot := range w.booked {
		if b := &w.booked[slot]; b.units > 0 {
			q := p.partOf(int32(slot))
			left := times(int64(q.chosen().OffNodes(int32(slot))), w.boot[q.class])
			w.use.Release(b.from, b.until, b.units-left)
			b.units = left
		}
	}
	for d := range s.Dark() {
		c := d.Class
		n, per := 0, w.boot[c]
		for _, sp := range d.Procs {
			n += int(sp.Hi-sp.Lo+1) / s.Platform().Clusters[c].Cores
		}
		if d.Goes {
			per = w.down[c]
		}
		if d.Off || per == 0 {
			continue
		}
		way := surplus{s.Now(), d.Ends, times(int64(n), per)}
		w.ways = append(w.ways, way)
		if same := slices.IndexFunc(before, func(o surplus) bool { return o.until == way.until && o.units == way.units }); same >= 0 {
			w.underWay(before[:same], -1)
			before = before[same+1:]
		} else {
			w.underWay(w.ways[len(w.ways)-1:], 1)
		}
	}
	w.underWay(before, -1)
}

// underWay reserves the surplus of nodes on the way, by = 1, or gives it back.
func (w *watts) underWay(ways []surplus, by int) {
	for _, way := range ways {
		w.extend(way.until)
		w.use.Reserve(way.from, way.until, by*way.units)
	}
}

// fits reports whether the cap admits that j starts now.
func (w *watts) fits(q *part, j *sim.Job, now float64) bool {
	if w == nil {
		return true
	}
	q.boots = surplus{}
	if w.size > 0 && (!w.cap.Ahead || now+j.Walltime() <= w.until) {
		return true // the part has looked
	}
	w.extend(now + j.Walltime())
	return w.counts(w.need(q.class, q.need(j))) <= w.use.Least(now, now+j.Walltime())
}

// level has units that the cap leaves jobs: the most in a time, and the least after it.
type level struct {
	most, least int64
	at          float64 // of least
}

// level returns the most from now to a time, and the least after that. Where the profile counts processors, these are the units.
func (w *watts) level(now, by float64) level {
	if by < math.Inf(1) {
		w.extend(math.Nextafter(by, math.Inf(1)))
	}
	at, least := w.use.Lowest(by)
	return level{int64(w.use.Most(now, by)), int64(least), at}
}

// draws is the units of a processor of a class.
func (w *watts) draws(class int) int64 {
	if w.size > 0 {
		return 1 // the profile counts processors
	}
	return w.per[class]
}

// alone is the first time from t on at which the cap leaves need units when nothing else draws power: for d seconds, where planners know
// it. It is +Inf where the cap never does.
func (w *watts) alone(need int, t, d float64) float64 {
	return w.cap.First(t, d, func(watts float64) bool { return need <= int(w.units(watts)) })
}

// over reports whether j can start by its processors, and never by the cap.
func (p *Plan) over(s *sim.State, j *sim.Job) (over bool) {
	for i := range p.parts {
		q := &p.parts[i]
		if p.tries != nil && (!slices.Contains(p.tries[j.Partition()], int32(i)) || p.limits.never(j, q.class)) || int(q.need(j)) > q.size() {
			continue
		}
		if over = true; p.mayStart(q, j, s.Now()) {
			return false
		}
	}
	return over
}

// mayStart reports whether the cap and the sessions admit j in a part when nothing else runs, and whether its
// nodes may boot at once under the largest cap.
func (p *Plan) mayStart(q *part, j *sim.Job, now float64) bool {
	n, k := q.need(j), &q.on.Clusters[q.class]
	boots := times((int64(n)+int64(k.Cores)-1)/int64(k.Cores), p.watts.boot[q.class])
	if boots > int(p.watts.most) && k.Power.Boot.Time > 0 {
		return false
	}
	if p.eligible == nil && p.watts.need(q.class, n) <= int(p.watts.least) {
		return true
	}
	starts := [3]func(float64) float64{within(now + p.span()),
		func(t float64) float64 { return p.watts.alone(p.watts.need(q.class, n), t, j.Walltime()) },
		func(t float64) float64 { return p.eligible.Earliest(t, j.Walltime()) }}
	used := len(starts)
	if p.eligible == nil {
		used--
	}
	return !math.IsInf(profile.Agree(now, starts[:used]...), 1)
}

// lost reports whether no cap that is to come admits j, which would be a head, unless on nodes that are on. Then j leaves the queue,
// refused.
func (p *Plan) lost(s *sim.State, q *Queue, j *sim.Job) bool {
	if p.watts == nil || !p.over(s, j) {
		return false
	}
	if p.switches {
		if _, start := p.find(j, s.Now(), s.Now()); !math.IsInf(start, 1) {
			return false
		}
	}
	if q.Remove(j); q.limits != nil {
		q.limits.left(j)
	}
	s.RejectOverCap(j)
	return true
}

// giveUp refuses the jobs of a queue that the cap admits no more, and all where nodes wait for power. It calls leave for each.
func (p *Plan) giveUp(s *sim.State, q *Queue, leave func(*sim.Job)) {
	if p.watts == nil {
		return
	}
	jobs := q.All(s)
	if q.flat {
		jobs = func(yield func(*sim.Job) bool) {
			for _, e := range q.inLine() {
				if !q.gone(e) && !yield(q.job(e.node)) {
					return
				}
			}
		}
	}
	for j := range jobs {
		if p.switches || p.over(s, j) {
			q.Remove(j)
			leave(j)
			s.RejectOverCap(j)
		}
	}
}

func (p *Easy) giveUp(s *sim.State) {
	p.plan.giveUp(s, &p.queue, func(*sim.Job) { p.blocked = false })
}

func (p *Cycles) giveUp(s *sim.State) {
	p.plan.giveUp(s, &p.queue, func(j *sim.Job) {
		p.waiting[j.Partition()]--
		p.news(s)
	})
}

func (p *EasyHeads) giveUp(s *sim.State) {
	p.plan.giveUp(s, &p.queue, func(j *sim.Job) {
		if i := slices.IndexFunc(p.called, func(h head) bool { return h.job == j }); i >= 0 {
			p.plan.Withdraw(j, p.called[i].start)
			p.called = slices.Delete(p.called, i, i+1)
			return
		}
		p.waiting[j.Partition()]--
		if h := &p.heads[j.Partition()]; h.job == j {
			p.plan.Withdraw(j, h.start)
			h.job = nil
		}
	})
}

func (p *Conservative) giveUp(s *sim.State) {
	p.plan.giveUp(s, &p.queue, func(j *sim.Job) {
		p.plan.Withdraw(j, p.starts.of(j))
		p.starts.remove(j)
	})
}

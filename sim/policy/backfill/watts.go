package backfill

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
)

// watts is the plan of what jobs draw beyond the idle power of all nodes, under a cap. Nodes that are out of service count as idle, for
// they may come back. Nil is no cap.
//
// It counts in units. A unit divides the extra power of a busy processor in every class, and is the largest that does. Where the cap has
// more than 2^30 units, a unit is this part of the cap, and what jobs draw is rounded up.
type watts struct {
	on    *sim.Platform
	cap   *sim.Cap
	use   profile.Profile
	unit  float64 // in watts
	per   []int64 // class -> units of a processor
	most  int32   // units, by the largest cap
	least int32   // by the smallest
	until float64 // the profile has the cap up to this time
	room  int32   // by the cap in force, where planners know no other
}

// newWatts makes the plan of an idle machine, nil where there is no cap.
func newWatts(s *sim.State) (*watts, error) {
	on := s.Platform()
	if on.Cap == nil {
		return nil, nil
	}
	if s.Requests() {
		return nil, fmt.Errorf("platform.cap: jobs that request memory, GPUs or the like, or may span node classes, are not planned under a " +
			"cap: drop the cap, or the requests")
	}
	w, largest, common := &watts{on: on, cap: on.Cap}, 0., 0.
	for _, v := range w.cap.Watts.Value {
		largest = max(largest, v-on.IdlePower())
	}
	for c := range on.Clusters {
		a, b := common, on.Clusters[c].Extra()
		for least := 1e-9 * max(a, b); b > least; {
			a, b = b, math.Mod(a, b)
		}
		common = a
	}
	w.unit = max(common, largest/(1<<30), math.SmallestNonzeroFloat64)
	for c := range on.Clusters {
		w.per = append(w.per, int64(math.Ceil(on.Clusters[c].Extra()/w.unit*(1-sim.CapSlack/2))))
	}
	w.most, w.least = w.units(largest+on.IdlePower()), w.units(w.cap.Watts.Least())
	w.clear(s.Now())
	return w, nil
}

// units is what a cap leaves to jobs.
func (w *watts) units(watts float64) int32 {
	return int32(max(0, math.Floor((watts-w.on.IdlePower())/w.unit*(1+sim.CapSlack/2))))
}

// need is what a job draws on n processors of a class.
func (w *watts) need(class int, n int32) int {
	return int(min(int64(n)*w.per[class], math.MaxInt32))
}

// clear has nothing run from now on.
func (w *watts) clear(now float64) {
	w.use.Reset(int(w.most), now)
	w.until = now
	if w.room = w.most; !w.cap.Ahead {
		w.inForce(now)
	}
}

// inForce has the cap of now hold for ever, where planners know no other. It reports whether that is another than before.
func (w *watts) inForce(now float64) bool {
	room := w.units(w.cap.Watts.At(now))
	if w.cap.Ahead || room == w.room {
		return false
	}
	w.use.Reserve(now, math.Inf(1), int(w.room-room))
	w.room = room
	return true
}

// extend has the profile know the cap up to a time at least.
func (w *watts) extend(to float64) {
	for w.cap.Ahead && w.until < to {
		next := w.cap.Watts.After(w.until)
		w.use.Reserve(w.until, next, int(w.most-w.units(w.cap.Watts.At(w.until))))
		w.until = next
	}
}

// take reserves what j draws in a place, by = 1, or gives it back.
func (w *watts) take(q *part, procs int32, from, until float64, by int) {
	if w != nil {
		w.use.Reserve(from, until, by*w.need(q.class, procs))
	}
}

// earliest is the first time from t on at which the cap admits j in a part.
func (w *watts) earliest(q *part, j *sim.Job, t float64) float64 {
	n := w.need(q.class, q.need(j))
	if !w.ever(n, t, j.Walltime()) {
		return math.Inf(1)
	}
	for {
		w.extend(t + j.Walltime())
		if t = w.use.Earliest(t, n, j.Walltime()); !w.cap.Ahead || t+j.Walltime() <= w.until {
			return t
		}
	}
}

// fits reports whether the cap admits that j starts now.
func (w *watts) fits(q *part, j *sim.Job, now float64) bool {
	if w == nil {
		return true
	}
	w.extend(now + j.Walltime())
	return w.need(q.class, q.need(j)) <= w.use.Least(now, now+j.Walltime())
}

// ever reports whether a cap from now on admits a part's job when nothing else runs: all the time of its walltime, where planners know it.
func (w *watts) ever(need int, now, walltime float64) bool {
	steps := w.cap.Watts
	for t, begin, i := now, math.Inf(1), 0; need > int(w.least) && i <= 2*len(steps.From); i++ { // begin: since when there is room
		next := steps.After(t)
		if need > int(w.units(steps.At(t))) {
			begin = math.Inf(1)
		} else if begin = min(begin, t); !w.cap.Ahead || next-begin >= walltime {
			return true
		}
		if t = next; math.IsInf(t, 1) {
			break
		}
	}
	return need <= int(w.least)
}

// over reports whether j can start by its processors, and never by the cap.
func (p *Plan) over(s *sim.State, j *sim.Job) (over bool) {
	if p.watts == nil {
		return false
	}
	for i := range p.parts {
		q := &p.parts[i]
		if p.tries != nil && !slices.Contains(p.tries[j.Partition()], int32(i)) || int(q.need(j)) > q.size() {
			continue
		}
		if over = true; p.watts.ever(p.watts.need(q.class, q.need(j)), s.Now(), j.Walltime()) {
			return false
		}
	}
	return over
}

// giveUp refuses the jobs of a queue that the cap admits no more.
func (p *Plan) giveUp(s *sim.State, q *Queue) {
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
		if p.over(s, j) {
			q.Remove(j)
			s.RejectOverCap(j)
		}
	}
}

func (p *Easy) giveUp(*sim.State)           {} // [EasyHeads] serves platforms with a cap
func (p *EasyHeads) giveUp(s *sim.State)    { p.plan.giveUp(s, &p.queue) }
func (p *Conservative) giveUp(s *sim.State) { p.plan.giveUp(s, &p.queue) }
func (p *Cycles) giveUp(s *sim.State)       { p.plan.giveUp(s, &p.queue) }

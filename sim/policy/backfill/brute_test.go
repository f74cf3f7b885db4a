package backfill_test

import (
	"cmp"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// brute simulates node classes, partitions and platform events by looking at every instant and every processor. All times are whole. It
// knows the rules of EASY and conservative backfilling and shares nothing with the policies.
type brute struct {
	on           *sim.Platform
	events       []sim.Outage
	requeue      sim.Requeue
	less         func(a, b *bruteJob) bool // queue order, of jobs that differ in it
	conservative bool
	limits       []sim.Limit // each of users, or of user 0 alone
	held         []*bruteJob
	cycles       backfill.Planning
	calculated   int  // period of passes without an event; 0: none
	event        bool // a job has come or ended at this instant
	nodes        bool // jobs have requests, or span classes
	dark         *bruteNodes
	called       []*bruteJob // that wait for boots alone
	counted      bool        // processors are alike; else a place is the lowest processors that stay free
	now          int
	clock        *int // for less, that it knows the time; nil where it need not
	waiting      []*bruteJob
	running      []*bruteJob
	places       []*bruteJob // heads with a reservation, or all planned jobs
	known        int         // events that planners have learnt of so far
	early        bool        // a job has ended before its walltime since the last pass
	fresh        []*bruteJob
	number       int
	starts       []bruteStart
	jobs         []*bruteJob
}

type bruteJob struct {
	sim.JobSpec
	seq, requeues int
	start         int // or planned start; -1: none
	class         int
	procs         []int
	count         int
	uses          []use
}

// bruteStart is one start of a job: a job may have several.
type bruteStart struct {
	ID    int64
	Time  int
	Class int
}

// never is after all events and jobs.
const never = 10000

// bruteStarts plays partitions that share a class together, and others apart: what runs in one never delays another, but for limits.
func bruteStarts(b brute, jobs []sim.JobSpec) (starts []bruteStart) {
	if !apart(b.on) || b.limits != nil || len(b.on.Licences) > 0 || b.on.Cap != nil {
		b.play(jobs)
		return b.starts
	}
	for i, q := range b.on.Partitions {
		one := b
		one.events = slices.DeleteFunc(slices.Clone(b.events), func(o sim.Outage) bool { return !b.touches(&o, q.Classes) })
		one.play(slices.DeleteFunc(slices.Clone(jobs), func(j sim.JobSpec) bool { return int(j.Partition) != i+1 }))
		starts = append(starts, one.starts...)
	}
	return starts
}

// apart reports whether two partitions share no class.
func apart(on *sim.Platform) bool {
	return len(on.Partitions) == 2 && !slices.ContainsFunc(on.Partitions[0].Classes, func(c int) bool {
		return slices.Contains(on.Partitions[1].Classes, c)
	})
}

// touches reports whether an event is about processors of these classes.
func (b *brute) touches(o *sim.Outage, classes []int) bool {
	return slices.ContainsFunc(classes, func(c int) bool {
		return sim.Overlap(o.Procs, []sim.Span{{Lo: int32(b.on.First(c)), Hi: int32(b.on.First(c+1)) - 1}})
	})
}

func (b *brute) play(jobs []sim.JobSpec) {
	if len(b.on.Partitions) > 0 { // events elsewhere are nothing to learn
		var classes []int
		for _, q := range b.on.Partitions {
			classes = append(classes, q.Classes...)
		}
		b.events = slices.DeleteFunc(slices.Clone(b.events), func(o sim.Outage) bool { return !b.touches(&o, classes) })
	}
	for _, j := range jobs {
		b.jobs = append(b.jobs, &bruteJob{JobSpec: j, start: -1})
	}
	for b.now = 0; b.now < never/2 && (b.on.Cap == nil || b.now < 600); b.now++ {
		if b.clock != nil {
			*b.clock = b.now
		}
		b.event = b.calculated > 0 && b.now%b.calculated == 0
		b.ends()
		for len(b.jobs) > 0 && int(b.jobs[0].Submit) == b.now {
			j := b.jobs[0]
			j.seq, b.jobs = b.number, b.jobs[1:]
			b.number++
			b.submit(j)
		}
		b.down()
		b.keepCap()
		if b.dark != nil {
			b.dark.arrive(b.now)
		}
		for again := true; again; { // passes of one instant, as nodes change their states
			b.pass()
			again = b.dark != nil && (b.power() || b.sleep())
			if b.dark != nil {
				b.dark.arrive(b.now)
			}
		}
		if len(b.jobs)+len(b.waiting)+len(b.running) == 0 {
			break
		}
	}
}

func (b *brute) submit(j *bruteJob) {
	if len(b.on.Partitions) > 0 {
		if most := b.on.Partitions[j.Partition-1].Walltime; most > 0 && j.Walltime > most {
			return // rejected
		}
	}
	for i := range b.limits {
		l, all := &b.limits[i], slices.Concat(b.running, b.waiting, b.held)
		if l.Reject && (b.over(l, j) || l.Submitted > 0 && b.have(l, j, all, nil) >= l.Submitted) {
			return // rejected
		}
	}
	if b.limited(j) {
		b.held = append(b.held, j)
		return
	}
	if b.hopeless(j) {
		return // refused for the cap
	}
	b.event, b.waiting, b.fresh = true, append(b.waiting, j), append(b.fresh, j)
}

// have counts the jobs among these that a limit counts with j, or adds up something of them.
func (b *brute) have(l *sim.Limit, j *bruteJob, of []*bruteJob, what func(*bruteJob) int) (n int64) {
	about := func(k *bruteJob) bool { return len(l.Of) == 0 || k.User == l.Of[0].Number }
	if !about(j) {
		return -never
	}
	for _, k := range of {
		switch {
		case !about(k) || l.Each == sim.OfUser && k.User != j.User:
		case what == nil:
			n++
		default:
			n += int64(what(k))
		}
	}
	return n
}

// over reports whether j would exceed a limit by what runs.
func (b *brute) over(l *sim.Limit, j *bruteJob) bool {
	need, planned, uses := 0, j.count, j.uses
	for _, c := range b.classes(j) {
		b.place(j, c, never*2)
		need = max(need, j.count)
	}
	j.count, j.uses = planned, uses
	return l.Jobs > 0 && b.have(l, j, b.running, nil)+1 > l.Jobs ||
		l.Procs > 0 && b.have(l, j, b.running, func(k *bruteJob) int { return k.count })+int64(need) > l.Procs
}

func (b *brute) limited(j *bruteJob) bool {
	return slices.ContainsFunc(b.limits, func(l sim.Limit) bool { return b.over(&l, j) })
}

// hold takes a waiting job out if a limit holds it.
func (b *brute) hold(j *bruteJob) bool {
	if !b.limited(j) {
		return false
	}
	gone := func(k *bruteJob) bool { return k == j }
	b.waiting, b.places, b.held = slices.DeleteFunc(b.waiting, gone), slices.DeleteFunc(b.places, gone), append(b.held, j)
	return true
}

// release lets jobs wait again that no limit holds any more.
func (b *brute) release() {
	b.held = slices.DeleteFunc(b.held, func(j *bruteJob) bool {
		if b.limited(j) {
			return false
		}
		j.start = -1
		b.waiting, b.fresh = append(b.waiting, j), append(b.fresh, j)
		return true
	})
}

// ends ends the jobs that are over now.
func (b *brute) ends() {
	b.running = slices.DeleteFunc(b.running, func(j *bruteJob) bool {
		over := j.start+int(min(j.RunTime, j.Walltime)) == b.now
		b.event = b.event || over
		b.early = b.early || over && j.RunTime < j.Walltime
		return over
	})
}

// down kills what events hit.
func (b *brute) down() {
	for _, o := range b.events {
		if int(o.From) != b.now || o.Kind != sim.Down {
			continue
		}
		var hit []*bruteJob
		b.running = slices.DeleteFunc(b.running, func(j *bruteJob) bool {
			if slices.ContainsFunc(j.procs, func(p int) bool { return has(o.Procs, p) }) {
				hit = append(hit, j)
				return true
			}
			return false
		})
		slices.SortFunc(hit, func(a, b *bruteJob) int { return a.seq - b.seq })
		b.fail(hit)
	}
}

// fail has jobs that an event has killed run again.
func (b *brute) fail(hit []*bruteJob) {
	for _, j := range hit {
		b.early = b.early || j.start+int(j.Walltime) > b.now
		if j.requeues < b.requeue.AtMost {
			again := &bruteJob{JobSpec: j.JobSpec, seq: j.seq, requeues: j.requeues + 1, start: -1}
			if b.requeue.Last {
				again.seq = b.number
				b.number++
			}
			b.submit(again)
		}
	}
}

func has(procs []sim.Span, p int) bool {
	return slices.ContainsFunc(procs, func(sp sim.Span) bool { return int(sp.Lo) <= p && p <= int(sp.Hi) })
}

// knows reports whether planners know an event now.
func (b *brute) knows(o *sim.Outage) bool {
	return b.now < int(o.Until) && (int(o.From) <= b.now || o.Ahead && int(o.Announced) <= b.now)
}

// open reports whether j may hold a processor from start to its walltime, for all that is known of events.
func (b *brute) open(j *bruteJob, p, start int) bool {
	if b.dark != nil && (start < b.dark.ready(p, b.now) || b.dark.lit && b.dark.nodes[b.dark.of[p]].is != "on") {
		return false
	}
	for i := range b.events {
		o := &b.events[i]
		if !b.knows(o) || !has(o.Procs, p) || o.Kind == sim.Reserved && slices.Contains(o.For.Users, j.User) {
			continue
		}
		for t := start; t < start+int(j.Walltime); t++ {
			if int(o.From) <= t && t < int(o.Until) && (t == start || o.Kind != sim.Drained) {
				return false
			}
		}
	}
	return true
}

// free reports whether nobody has a processor for the walltime of j from start on, by walltimes.
func (b *brute) free(j *bruteJob, p, start int) bool {
	for _, k := range slices.Concat(b.running, b.places) {
		if k != j && slices.Contains(k.procs, p) && k.start < start+int(j.Walltime) && start < k.start+int(k.Walltime) {
			return false
		}
	}
	return true
}

// place finds room for j on a class from start on: processors, or as many numbers as it takes where they are alike.
func (b *brute) place(j *bruteJob, class, start int) ([]int, bool) {
	if b.nodes {
		classes := b.on.Partitions[j.Partition-1].Classes
		if !b.on.Partitions[j.Partition-1].Span {
			classes = []int{class}
		}
		return nil, b.vectors(j, classes, start)
	}
	lo, hi, need, node := 0, b.on.Procs(), int(j.Procs), 1
	if class >= 0 {
		lo, hi = b.on.First(class), b.on.First(class+1)
		if b.on.Partitions[j.Partition-1].Whole {
			node = b.on.Clusters[class].Cores
			need = (need + node - 1) / node * node
		}
	}
	j.count = need
	if b.counted {
		return nil, b.room(j, lo, hi, need, start)
	}
	var got []int
	if b.dark != nil && b.dark.first {
		for _, off := range []bool{false, true} {
			for n := lo; n < hi && len(got) < need; n += node {
				is := b.dark.nodes[b.dark.of[n]].is
				if off == (is == "off" || is == "shutdown") {
					b.node(j, n, node, need, start, &got)
				}
			}
		}
		return got, len(got) == need
	}
	for n := lo; n < hi && len(got) < need; n += node {
		b.node(j, n, node, need, start, &got)
	}
	return got, len(got) == need
}

// node takes processors of a node, or one processor, if all are free.
func (b *brute) node(j *bruteJob, n, node, need, start int, got *[]int) {
	all := true
	for p := n; p < n+node; p++ {
		all = all && b.open(j, p, start) && b.free(j, p, start)
	}
	for p := n; all && p < n+node && len(*got) < need; p++ {
		*got = append(*got, p)
	}
}

// room reports whether enough processors of lo to hi-1 are free at each instant.
func (b *brute) room(j *bruteJob, lo, hi, need, start int) bool {
	for t := start; t < start+int(j.Walltime); t++ {
		n := hi - lo
		for _, k := range slices.Concat(b.running, b.places) {
			if k != j && b.first(k) == lo && k.start <= t && t < k.start+int(k.Walltime) {
				n -= k.count
			}
		}
		if n < need {
			return false
		}
	}
	return b.open(j, lo, start)
}

func (b *brute) first(j *bruteJob) int {
	if j.class < 0 {
		return 0
	}
	return b.on.First(j.class)
}

// classes are those that j may run on, -1 for a machine that is not divided.
func (b *brute) classes(j *bruteJob) []int {
	if len(b.on.Partitions) == 0 {
		return []int{-1}
	}
	return b.on.Partitions[j.Partition-1].Classes
}

// earliest gives j the earliest place, from now to last.
func (b *brute) earliest(j *bruteJob, last int) bool {
	if j.start = -1; b.on.Cap != nil {
		last = min(last, b.now+300) // a longer search finds nothing
	}
	for t := b.now; t <= last; t++ {
		for _, c := range b.classes(j) {
			if procs, ok := b.place(j, c, t); ok && b.capped(j, c, t) {
				j.start, j.class, j.procs = t, c, procs
				for i, u := range j.uses {
					if i == 0 || u.class < j.class {
						j.class = u.class
					}
				}
				return true
			}
		}
	}
	return false
}

// start starts j at its place.
func (b *brute) start(j *bruteJob) {
	j.start = b.now
	if b.counted { // the lowest free processors, as they matter for what an event hits
		lo, hi := 0, b.on.Procs()
		if j.class >= 0 {
			lo, hi = b.on.First(j.class), b.on.First(j.class+1)
		}
		j.procs = nil
		for p := lo; p < hi && len(j.procs) < j.count; p++ {
			if !slices.ContainsFunc(b.running, func(k *bruteJob) bool { return slices.Contains(k.procs, p) }) {
				j.procs = append(j.procs, p)
			}
		}
	}
	b.running = append(b.running, j)
	b.waiting = slices.DeleteFunc(b.waiting, func(k *bruteJob) bool { return k == j })
	b.places = slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
	b.starts = append(b.starts, bruteStart{j.ID, b.now, max(j.class, 0)})
}

func (b *brute) pass() {
	if b.release(); b.limits != nil {
		slices.SortFunc(b.fresh, func(a, b *bruteJob) int { return a.seq - b.seq })
	}
	learned := 0
	for i := range b.events {
		if o := &b.events[i]; int(o.From) <= b.now || o.Ahead && int(o.Announced) <= b.now {
			learned++
		}
	}
	learned += b.capsLearnt()
	slices.SortFunc(b.waiting, func(x, y *bruteJob) int {
		switch {
		case b.less(x, y):
			return -1
		case b.less(y, x):
			return 1
		}
		return cmp.Compare(x.seq, y.seq)
	})
	if b.cycles.Every > 0 {
		b.cycle()
	} else if b.conservative {
		b.plan(learned > b.known)
	} else {
		b.easy()
	}
	b.known, b.early, b.fresh = learned, false, nil
}

// easy starts what may start beside the reservations of heads, and looks again after starts, which may bring a head over a limit.
func (b *brute) easy() {
	queues := []int32{0} // of partitions that are apart, the one with the first class comes first
	if apart(b.on) && len(b.on.Licences) == 0 && b.on.Cap == nil && b.dark == nil {
		queues = []int32{1, 2}
		if slices.Min(b.on.Partitions[1].Classes) < slices.Min(b.on.Partitions[0].Classes) {
			queues = []int32{2, 1}
		}
	}
	for before := -1; before < len(b.starts); {
		before = len(b.starts)
		for _, q := range queues {
			b.beside(q)
		}
	}
}

// beside goes through the queue of a partition once, or of all.
func (b *brute) beside(queue int32) {
	b.places = nil
	for _, j := range slices.Clone(b.called) {
		if b.places = append(b.places, j); j.start <= b.now && b.lit(j) {
			b.called = slices.DeleteFunc(b.called, func(k *bruteJob) bool { return k == j })
			b.start(j)
		}
	}
	heads := map[int32]bool{}
	for _, j := range slices.Clone(b.waiting) {
		if queue > 0 && j.Partition != queue || slices.Contains(b.called, j) || b.hold(j) {
			continue
		}
		if b.now == b.soonest(j) {
			b.start(j)
		} else if b.dark != nil && b.earliest(j, never) && !slices.ContainsFunc(j.procs, b.busy) &&
			slices.ContainsFunc(j.procs, func(p int) bool { return b.dark.waits(p, b.now, j.start) }) {
			b.places, b.called = append(b.places, j), append(b.called, j)
		} else if !heads[j.Partition] {
			heads[j.Partition] = true
			if b.earliest(j, never) {
				b.places = append(b.places, j)
			}
		}
	}
}

// soonest is when j can start on nodes that are on: now, or never.
func (b *brute) soonest(j *bruteJob) int {
	if b.dark != nil {
		b.dark.lit = true
		defer func() { b.dark.lit = false }()
	}
	if b.earliest(j, b.now) {
		return j.start
	}
	return never
}

// busy reports whether a job runs on a processor.
func (b *brute) busy(p int) bool {
	return slices.ContainsFunc(b.running, func(k *bruteJob) bool { return slices.Contains(k.procs, p) })
}

// lit reports whether all nodes of the place of j are on.
func (b *brute) lit(j *bruteJob) bool {
	return b.dark == nil || !slices.ContainsFunc(j.procs, func(p int) bool { return b.dark.nodes[b.dark.of[p]].is != "on" })
}

// plan brings the plan up to date and starts what is due.
func (b *brute) plan(learned bool) {
	take := func(j *bruteJob, last int) {
		if b.earliest(j, last) {
			b.places = append(b.places, j)
		}
	}
	switch {
	case learned:
		b.places = nil
		for _, j := range b.waiting {
			take(j, never)
		}
	default:
		for _, j := range b.waiting {
			if b.early && !slices.Contains(b.fresh, j) && (j.start > b.now || j.start < 0 || !b.counted) {
				b.places = slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
				take(j, never)
			}
		}
		for _, j := range b.fresh {
			take(j, never)
		}
	}
	for again := true; again; {
		again = false
		for _, j := range slices.Clone(b.waiting) {
			if j.start == b.now && b.hold(j) {
				again = true
			} else if j.start == b.now && b.lit(j) {
				b.start(j)
			}
		}
		for _, j := range b.waiting {
			if again && (j.start > b.now || j.start < 0 || !b.counted) {
				b.places = slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
				take(j, never)
			}
		}
	}
}

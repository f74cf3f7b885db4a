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
	order        sim.EventOrder
	conservative bool
	limits       []sim.Limit // each of users, or of user 0 alone
	held         []*bruteJob
	sessions     []backfill.Session // of every day
	cycles       backfill.Planning
	calculated   int  // period of passes without an event; 0: none
	event        bool // something has happened at this instant that brings a pass
	nodes        bool // jobs have requests, or span classes
	dark         *bruteNodes
	called       []*bruteJob // that wait for boots alone
	rule         string      // of placement; "": the lowest processors that stay free
	after        bool        // places begin at the next moment that there is
	denied       int         // boots that the cap did not admit
	counted      bool        // processors are alike; else a place is the lowest processors that stay free
	now          int
	moved        int  // when a job came or started last
	clock        *int // for less, that it knows the time; nil where it need not
	waiting      []*bruteJob
	running      []*bruteJob
	places       []*bruteJob // heads with a reservation, or all planned jobs
	known        []bool      // events that planners know
	begun, gone  []bool      // events
	learned      int         // events that planners had learnt of at the last pass
	within       bool        // the pass comes between events of the instant
	news         bool        // a job has ended or an event become known since the last pass
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
	after         bool  // its place begins at the moment after start
	open          []int // classes on which it may run; nil before they are sought
}

// bruteStart is one start of a job: a job may have several.
type bruteStart struct {
	ID    int64
	Time  int
	Class int
}

// never is after all events and jobs.
const never = 10000

// bruteStarts plays partitions that share a class together, and others apart: jobs in one never delay jobs in another, but for limits,
// licences, a cap and bounds on planning.
func bruteStarts(b brute, jobs []sim.JobSpec) (starts []bruteStart) {
	if !apart(b.on) || b.limits != nil || b.cycles.Jobs > 0 || b.cycles.PerUser > 0 || len(b.on.Licences) > 0 || b.on.Cap != nil {
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
	b.known, b.begun, b.gone = make([]bool, len(b.events)), make([]bool, len(b.events)), make([]bool, len(b.events))
	for i, o := range b.events {
		if b.known[i] = o.Ahead && o.Announced <= 0; b.known[i] {
			b.learned++
		}
	}
	for b.now = 0; b.now < never/2 && (b.on.Cap == nil || b.now < b.moved+600); b.now++ {
		if b.clock != nil {
			*b.clock = b.now
		}
		b.event = b.calculated > 0 && b.now%b.calculated == 0
		b.happen()
		b.keepCap()
		if b.dark != nil {
			b.changed(b.dark.arrive(b.now))
		}
		for again := true; again; { // passes of one instant, as nodes change their states
			b.pass()
			again = b.dark != nil && (b.changed(b.power()) || b.changed(b.sleep()))
			if b.dark != nil {
				b.changed(b.dark.arrive(b.now))
			}
		}
		if len(b.jobs)+len(b.waiting)+len(b.running) == 0 {
			break
		}
	}
}

// happen handles the events of this instant, with the passes between them.
func (b *brute) happen() {
	kinds := []func() bool{b.end, b.come, b.up, b.down, b.announce}
	if b.order.SubmitFirst {
		kinds[0], kinds[1] = b.come, b.end
	}
	if b.order.Pass != sim.PassPerInstant { // processors of an event are free in all passes
		b.up()
	}
	for _, one := range kinds {
		some := false
		for one() {
			if some = true; b.order.Pass == sim.PassPerEvent {
				b.between()
			}
		}
		if some && b.order.Pass == sim.PassPerKind {
			b.between()
		}
	}
}

// between is a pass within the instant, which does nothing where no job has come, ended or been released, and no event has become known.
func (b *brute) between() {
	if b.release(); b.news || len(b.fresh) > 0 {
		b.within = true
		b.pass()
		b.within = false
	}
}

// come submits the next job of this instant. Like all kinds of events it reports whether there was one.
func (b *brute) come() bool {
	if len(b.jobs) == 0 || int(b.jobs[0].Submit) != b.now {
		return false
	}
	j := b.jobs[0]
	j.seq, b.jobs = b.number, b.jobs[1:]
	b.number++
	b.submit(j)
	return true
}

func (b *brute) submit(j *bruteJob) {
	if len(b.on.Partitions) > 0 {
		if most := b.on.Partitions[j.Partition-1].Walltime; most > 0 && j.Walltime > most {
			return // rejected
		}
	}
	for i := range b.limits {
		l, all := &b.limits[i], slices.Concat(b.running, b.waiting, b.held)
		if l.Reject && l.Submitted > 0 && b.have(l, j, all, nil) >= l.Submitted {
			return // rejected
		}
	}
	if b.limits != nil && !slices.ContainsFunc(b.classes(j), func(c int) bool { return b.admitted(j, c, b.running, true) }) {
		return // rejected
	}
	if b.sessions != nil && !slices.ContainsFunc(b.sessions, func(s backfill.Session) bool { return b.eligible(j, int(s.Begin)) }) {
		return // rejected
	}
	if b.limited(j) {
		b.held = append(b.held, j)
		return
	}
	if b.hopeless(j) {
		return // refused for the cap
	}
	b.moved = b.now
	b.event, b.waiting, b.fresh = true, append(b.waiting, j), append(b.fresh, j)
}

// end ends the first job that is over now.
func (b *brute) end() bool {
	i := slices.IndexFunc(b.running, b.finishes)
	if i < 0 {
		return false
	}
	j := b.running[i]
	b.event, b.news, b.early, b.running = true, true, b.early || j.RunTime < j.Walltime, slices.Delete(b.running, i, i+1)
	return true
}

// finishes reports whether a job is over now.
func (b *brute) finishes(j *bruteJob) bool { return j.start+int(min(j.RunTime, j.Walltime)) == b.now }

// up ends all events that are over now.
func (b *brute) up() (some bool) {
	for i, o := range b.events {
		if !b.gone[i] && int(o.Until) == b.now {
			b.gone[i], b.event, b.news, some = true, true, true, true
		}
	}
	return some
}

// down begins the next event, which kills what it hits.
func (b *brute) down() bool {
	for i, o := range b.events {
		if int(o.From) != b.now || b.begun[i] {
			continue
		}
		b.event, b.news = b.event || !b.known[i], b.news || !b.known[i]
		b.begun[i], b.known[i] = true, true
		var hit []*bruteJob
		b.running = slices.DeleteFunc(b.running, func(j *bruteJob) bool {
			if o.Kind == sim.Down && slices.ContainsFunc(j.procs, func(p int) bool { return has(o.Procs, p) }) {
				hit = append(hit, j)
				return true
			}
			return false
		})
		slices.SortFunc(hit, func(a, b *bruteJob) int { return a.seq - b.seq })
		b.event, b.news = b.event || len(hit) > 0, b.news || len(hit) > 0
		b.fail(hit)
		return true
	}
	return false
}

// announce tells planners of the next event.
func (b *brute) announce() bool {
	for i, o := range b.events {
		if o.Ahead && int(o.Announced) == b.now && !b.known[i] {
			b.known[i], b.event, b.news = true, true, true
			return true
		}
	}
	return false
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
	if b.nodes { // all of its nodes, for an event hits whole ones
		j.procs = nil
		for _, u := range j.uses {
			j.procs = append(j.procs, b.procsOf(u.class, u.node)...)
		}
	}
	b.running = append(b.running, j)
	b.waiting = slices.DeleteFunc(b.waiting, func(k *bruteJob) bool { return k == j })
	b.places = slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
	b.moved = b.now
	b.starts = append(b.starts, bruteStart{j.ID, b.now, max(j.class, 0)})
}

func (b *brute) pass() {
	b.release()
	slices.SortFunc(b.fresh, func(a, b *bruteJob) int { return a.seq - b.seq }) // held and requeued jobs come in between
	learned := 0
	for _, known := range b.known {
		if known {
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
		b.plan(learned > b.learned)
	} else {
		if learned > b.learned { // another cap
			b.called = nil
		}
		b.easy()
	}
	b.learned, b.early, b.news, b.fresh = learned, false, false, nil
}

// easy starts what may start beside the reservations of heads. Under limits it looks again after starts, which may bring a head over one.
func (b *brute) easy() {
	for before := -1; before < 0 || b.limits != nil && before < len(b.starts); {
		before = len(b.starts)
		b.beside()
	}
}

// beside goes through the queue once.
func (b *brute) beside() {
	b.places = nil
	for _, j := range slices.Clone(b.called) {
		if b.places = append(b.places, j); j.start > b.now {
			continue
		}
		if held := b.hold(j); held || b.closed(j) || b.lit(j) {
			same := func(k *bruteJob) bool { return k == j }
			if b.called = slices.DeleteFunc(b.called, same); b.closed(j) {
				b.places = slices.DeleteFunc(b.places, same)
			} else if !held {
				b.start(j)
			}
		}
	}
	heads := map[int32]bool{}
	for _, j := range slices.Clone(b.waiting) {
		if slices.Contains(b.called, j) || b.hold(j) {
			continue
		}
		if b.now == b.soonest(j) {
			b.start(j)
		} else if b.dark != nil && b.earliest(j, never) && !slices.ContainsFunc(j.procs, b.busy) &&
			slices.ContainsFunc(j.procs, func(p int) bool { return b.dark.waits(p, b.now, j.start) }) {
			b.places, b.called = append(b.places, j), append(b.called, j)
		} else if !heads[j.Partition] && b.hopeless(j) && !b.earliest(j, never) { // by now: it is no head
			b.waiting = slices.DeleteFunc(b.waiting, func(k *bruteJob) bool { return k == j })
		} else if !heads[j.Partition] {
			heads[j.Partition] = true
			if b.earliest(j, never) {
				b.places = append(b.places, j)
			}
		}
	}
}

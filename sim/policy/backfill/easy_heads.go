package backfill

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// EasyHeads is EASY backfilling on node classes that several partitions share, or that one partition joins, and on platforms with events.
//
// There is one queue. A pass goes through it in its order. A job starts if a class of its partition has its processors free
// now, and, for its walltime, beside every reservation of this pass. It takes the first such class in the order of its
// partition's list. The first job of each partition that cannot start is the head of its partition. The head gets a
// reservation: the earliest start by walltimes, over the classes of its partition, beside the reservations before it; among
// classes with the same start it takes the first of the list. Later jobs of the partition get none. So a job never
// delays the reservation of a head before or behind it, of its own partition or of another that shares a class. A
// partition never waits for the head of a partition with which it shares no class. The reservations are not kept
// between passes: an early end may let an earlier head take the place of a later one.
//
// Where idle nodes are switched off, a job may wait for boots and nothing else: no job runs on its place, the earliest beside the
// reservations before it, and the place starts when one of its nodes is on. Such a job keeps this place until it starts there. It is no
// head, and others have to start beside it. Where a limit holds it when its place begins, it leaves the queue as others do.
//
// With one class and one partition the rule is that of [Easy]. A job that has passed its walltime is expected to end at
// the next moment.
//
// A pass after an end looks at every job that is not wider than the class of its partition with most free processors, and that the cap may
// admit. Each partition has a line of its own in the queue, so that the jobs of others are passed over together. A submission behind the
// heads looks at the new job alone.
type EasyHeads struct {
	parts
	fresh   []*sim.Job
	heads   []head           // by partition number
	called  []head           // jobs that wait for boots alone
	callAt  float64          // when a job that was not called may be
	refused []refusal        // of jobs that this pass has neither started nor called
	waiting []int32          // jobs by partition number
	news    bool             // a job has ended, or a session has begun, since the last pass: reservations must be chosen anew
	freed   bool             // a job has ended since, and the head stays
	sooner  bool             // the reservation of the head may begin sooner then
	moved   bool             // its nodes may be others
	total   int64            // with sole: processors
	lines   []int32          // numbers of the partitions, 0 where there are none
	rooms   []Room           // by partition number: no job behind the heads starts or is called that it does not admit
	stale   bool             // they may be narrower for the present plan
	roomsAt float64          // callAt when they were made narrower
	room    *Room            // with sole: of the only partition
	groups  *placement.Plan  // the only plan, if its sets can bound the jobs that may start; else nil
	sole    *placement.Nodes // keeps the reservation of the only head apart; nil: the plan has all reservations
	pending bool             // with sole: the head has no nodes yet, and starts no sooner than its start says
	sure    bool             // it starts then for sure, and room says so
	slots   []int32          // scratch: of running jobs
	late    bool             // the plan was made with jobs beyond their walltimes
	until   float64          // end of the session of the last pass
}

// shape holds the traits of a job that decide where and when the plan has room for it, where no limit and no event admits some jobs alone.
type shape struct {
	partition, procs int32
	walltime         float64
}

// refusal is of jobs that a pass has neither started nor called. Before a time there is no room in the plan for a job of the shape, nor
// for a larger one; boots may take longer.
type refusal struct {
	shape
	need int32 // no job that needs fewer processors is as large
	from float64
	old  bool // the plan has changed since
}

// refuses reports whether the pass refuses jobs of a shape. The plan is as it was when it refused another of the shape, or there is no room
// for a smaller one before all nodes can be on: then a larger one waits for other jobs, or for the cap. A pass that could call it comes in
// any case. If not, there is no room for the job before a time, from now on.
func (p *EasyHeads) refuses(of shape, now float64) (from float64, refused bool) {
	from = now
	for i := range p.refused {
		r := &p.refused[i]
		if r.partition != of.partition || r.procs > of.procs || r.walltime > of.walltime {
			continue
		}
		if r.shape == of && !r.old || p.final(r) {
			return from, true
		}
		from = max(from, r.from)
	}
	return from, false
}

// alike reports whether the plan has room for j where it has room for a larger job of its partition.
func (p *EasyHeads) alike(j *sim.Job) bool {
	return !p.plan.lends && p.plan.parts[0].all == nil && p.plan.limits.anywhere(j)
}

// final reports whether the pass refuses all larger jobs, too.
func (p *EasyHeads) final(r *refusal) bool {
	return !p.plan.dim || r.from > p.plan.allOn && r.from-p.plan.boots >= p.callAt
}

// exclude has the room of a partition leave out jobs that a refusal is final for. Where limits choose classes, it is for some alone.
func (p *EasyHeads) exclude(r *refusal) {
	if p.queue.limits == nil && p.final(r) {
		p.rooms[r.partition].exclude(r.need, r.walltime)
	}
}

// changed forgets refusals that hold for the present plan alone. In a pass the plan loses room, and wins none.
func (p *EasyHeads) changed() {
	p.stale = true
	p.refused = slices.DeleteFunc(p.refused, func(r refusal) bool { return r.from <= p.plan.allOn })
	for i := range p.refused {
		p.refused[i].old = true
	}
}

// head is the head of a partition, which has a reservation; the job is nil for none.
type head struct {
	job   *sim.Job
	start float64
	lit   bool // all nodes of the place boot or are on, and stay on until the job starts
	// closed is the number of classes that limits closed to the job when it got its reservation.
	closed int
}

// Reset prepares a run, or refuses it.
func (p *EasyHeads) Reset(s *sim.State) error {
	pyss := s.Order().Resolve(p.rules) == "pyss" && p.plan.rule == ""
	if err := p.plan.mayFollow(s, "easy", pyss, false, p.queue.limits != nil); err != nil {
		return err
	}
	n := len(s.Platform().Partitions) + 1
	p.running.Reset()
	p.fresh, p.heads, p.waiting, p.news, p.freed, p.late = p.fresh[:0], make([]head, n), make([]int32, n), false, false, false
	p.sooner, p.moved, p.pending, p.until = false, false, false, math.NaN()
	p.called = p.called[:0]
	p.queue.need, p.queue.split = p.plan.need, true
	if p.lines, p.rooms = p.plan.of.partitions, make([]Room, n); len(p.lines) == 0 {
		p.lines = []int32{0}
	}
	p.room = &p.rooms[p.lines[0]]
	if err := errors.Join(p.queue.Reset(s), p.plan.Reset(s, false)); err != nil {
		return err
	}
	p.alone(s)
	return nil
}

// Submitted puts the job into the queue.
func (p *EasyHeads) Submitted(s *sim.State, j *sim.Job) {
	if !p.plan.Submitted(s, j) {
		return
	}
	p.queue.Push(s, j)
	p.waiting[j.Partition()]++
	p.fresh = append(p.fresh, j)
}

// Adopt never comes: no policy hands over a divided platform.
func (p *EasyHeads) Adopt(*sim.State, *sim.Job) {}

// Ended gives back the job's processors.
func (p *EasyHeads) Ended(s *sim.State, j *sim.Job) {
	p.running.remove(j, j.Width(), j.PlannedEnd())
	p.freed = p.stays(j)
	p.news = p.news || !p.freed
	p.plan.Ended(s, j)
	p.queue.Ended(s, j)
}

// Changed has the plan keep off the events that are known now. An event that was known ahead may be the first since a job has passed its
// walltime.
func (p *EasyHeads) Changed(s *sim.State) bool {
	changed, more := p.plan.learn(s)
	p.news = p.news || changed
	if more { // another cap
		for _, h := range p.called {
			p.plan.Withdraw(h.job, h.start)
			p.waiting[h.job.Partition()]++
		}
		p.called = p.called[:0]
	}
	return changed || p.plan.begins && p.running.First() <= s.Now()
}

// Woken comes when a session begins, or after a first pass of that instant.
func (p *EasyHeads) Woken(*sim.State) { p.news = true }

// Pass starts the jobs that may start.
func (p *EasyHeads) Pass(s *sim.State) {
	p.plan.Cut(s.Now())
	p.plan.dusk(s.Now())
	p.callAt = math.Inf(1)
	sorted := p.queue.sort(s)
	moved := p.startCalled(s)
	late := p.running.First() <= s.Now()
	if p.plan.eligible != nil {
		_, end := p.plan.eligible.At(s.Now())
		p.news = p.news || end != p.until
		p.until = end
	}
	switch {
	case late || p.late || moved:
		p.plan.Renew(s, &p.running)
		clear(p.heads)
		p.late, p.pending = late, false
		for _, h := range p.called {
			p.plan.retake(h.job, h.start)
		}
		p.all(s, first)
	case p.news || p.plan.dim || sorted || !p.behind(s) || p.overLimits(s) || p.freed && !p.waits(s):
		for i := range p.heads {
			if h := &p.heads[i]; h.job != nil {
				p.withdraw(h)
				h.job = nil
			}
		}
		p.all(s, first)
	case p.freed:
		p.renew(s)
		p.all(s, p.queue.place(p.head().job.Slot()+1))
	default:
		// Jobs refused before are refused now: only the new jobs can start.
		slices.SortFunc(p.fresh, p.queue.compare)
		for _, j := range p.fresh {
			if p.queue.holds(j) {
				p.waiting[j.Partition()]--
			} else if p.mayFit(s, j) {
				p.tryStart(s, j)
			}
		}
	}
	p.fresh, p.news, p.freed, p.sooner, p.moved = p.fresh[:0], false, false, false, false
	p.plan.booting = p.plan.dim
	if p.plan.eligible != nil && p.queue.count > 0 {
		p.plan.awaitSession(s, p.alarm)
	}
}

// behind reports whether all new jobs are behind all heads, and one head is of their partition. A head that no cap to come admits is none.
func (p *EasyHeads) behind(s *sim.State) bool {
	return !slices.ContainsFunc(p.fresh, func(j *sim.Job) bool {
		return p.heads[j.Partition()].job == nil || slices.ContainsFunc(p.heads, func(h head) bool {
			return h.job != nil && (p.queue.compare(j, h.job) < 0 || math.IsInf(h.start, 1) && p.plan.watts != nil && p.plan.over(s, h.job))
		})
	})
}

// overLimits reports whether a limit holds a head by now, which then has no reservation, or keeps it off another class.
func (p *EasyHeads) overLimits(s *sim.State) bool {
	l := p.queue.limits
	return l != nil && slices.ContainsFunc(p.heads, func(h head) bool {
		return h.job != nil && (l.over(h.job) || l.closed(h.job) != h.closed)
	})
}

// first is before all jobs of a queue.
var first = after{key: math.Inf(-1)}

// begin begins a search of the queue, and returns the number of partitions with waiting jobs and no head yet.
func (p *EasyHeads) begin(s *sim.State) (open int) {
	for i, n := range p.waiting {
		if n > 0 && p.heads[i].job == nil {
			open++
		}
	}
	p.refused, p.sure, p.stale = p.refused[:0], false, true
	for _, n := range p.lines {
		p.rooms[n] = Room{Now: s.Now(), Free: math.MaxInt32, Longest: math.Inf(1), Shadow: math.Inf(1), refused: p.rooms[n].refused[:0]}
	}
	p.queue.anew()
	if open == 0 {
		p.bound()
	}
	return open
}

// all goes through the queue: through all jobs when there are no reservations, or through those behind the only head.
func (p *EasyHeads) all(s *sim.State, at after) {
	open := p.begin(s)
	for left := p.queue.count - len(p.called); left > 0; {
		if open == 0 && (p.stale || p.roomsAt != p.callAt) {
			p.narrow(s)
		}
		x := p.queue.next(at, p.rooms)
		if x == 0 {
			return
		}
		place := p.queue.pass(x)
		if p.pending && p.decide(s, p.queue.job(x)) {
			continue
		}
		at = place
		j := p.queue.job(x)
		h := &p.heads[j.Partition()]
		if p.isCalled(j) {
			continue
		}
		if left--; p.leaves(s, j) {
			if p.waiting[j.Partition()]--; h.job == nil && p.waiting[j.Partition()] == 0 {
				open--
			}
			continue
		}
		of, alike := shape{j.Partition(), j.Procs(), j.Walltime()}, p.alike(j)
		from, taken := s.Now(), false
		if alike && p.plan.dim {
			if from, taken = p.refuses(of, from); taken {
				continue
			}
		}
		if taken = from == s.Now() && p.tryStart(s, j); !taken && p.plan.dim {
			from, taken = p.call(s, j, from)
		}
		if taken {
			if p.changed(); h.job == nil && p.waiting[j.Partition()] == 0 {
				open--
			} else {
				p.bound()
			}
		} else if h.job == nil {
			*h = head{job: j, start: p.reserve(s, j), closed: p.queue.limits.closed(j)}
			p.changed()
			open--
			p.bound()
		} else if alike {
			r := refusal{shape: of, need: p.least(j), from: from}
			if p.plan.dim {
				p.refused = append(p.refused, r)
			}
			p.exclude(&r)
		}
	}
}

// leaves reports whether a limit holds j, or j would be a head that no cap to come admits. Then j has left the queue.
func (p *EasyHeads) leaves(s *sim.State, j *sim.Job) bool {
	return p.queue.holds(j) || p.heads[j.Partition()].job == nil && p.plan.lost(s, &p.queue, j)
}

// least is a number of processors: a job of the partition of j that needs as many asks for at least as many as j does, or gets the same.
func (p *EasyHeads) least(j *sim.Job) int32 {
	need := p.plan.need(j)
	if p.plan.tries != nil && len(p.plan.tries[j.Partition()]) > 1 && need > j.Procs() { // whole nodes of several sizes
		need++
	}
	return need
}

// narrow has the room of each partition leave out jobs that find too few free processors now, or too few that stay free, on any of its
// classes. It leaves out jobs that the cap does not admit, and jobs that this pass refuses for good.
func (p *EasyHeads) narrow(s *sim.State) {
	p.stale, p.roomsAt = false, p.callAt
	w, of, by := p.plan.watts, level{}, s.Now()
	if w != nil {
		if p.plan.dim { // a job that starts later waits for other jobs or for the cap, and a pass comes before it may boot nodes
			by = max(p.plan.allOn, min(p.callAt+p.plan.boots, p.callsBy(s)))
		}
		of = w.level(s.Now(), by)
	}
	for _, n := range p.lines {
		free, draw := int32(0), int64(math.MaxInt64) // of all classes: free processors, and units of one
		for i := range p.plan.parts {
			q := &p.plan.parts[i]
			if p.plan.tries != nil && !slices.Contains(p.plan.tries[n], int32(i)) {
				continue
			}
			if free = max(free, int32(q.free(s)+q.dark(s))); w != nil {
				draw = min(draw, w.draws(q.class))
			}
		}
		r := &p.rooms[n]
		if !p.plan.lends {
			r.Free = free
		}
		if w != nil && draw > 0 {
			r.Free, r.Shadow, r.Extra = min(r.Free, int32(of.most/draw)), of.at, int32(of.least/draw)
		}
		if p.groups != nil {
			r.Shadow, r.Extra = p.groups.Least(s.Now())
		}
	}
	for i := range p.refused {
		p.exclude(&p.refused[i])
	}
}

// tryStart starts j if it may start now.
func (p *EasyHeads) tryStart(s *sim.State, j *sim.Job) bool {
	if !p.startNow(s, j) {
		return false
	}
	p.waiting[j.Partition()]--
	return true
}

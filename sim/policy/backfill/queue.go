package backfill

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"schedsweep/sim"
)

// Queue is the waiting jobs in the order of a [Priority]. The zero value keeps the order of submission.
type Queue struct {
	// Priority is set before Reset; nil keeps the order of submission.
	Priority Priority
	tree
	events Events               // the priority again where it has them, else nil
	cycle  Periodic             // the priority again where it makes passes, else nil
	due    float64              // when the keys must be computed anew, by the cycle
	asked  float64              // time of the last pass that the cycle wanted
	state  *sim.State           // of the run
	alarm  *alarm               // of the member whose queue it is
	limits *limits              // of the policy; nil for none
	sorted float64              // when the keys were computed
	flat   bool                 // no policy searches the queue: it is the list alone, not a tree
	list   []entry              // in order unless messy, with jobs that have gone; of a tree a scratch
	moved  []entry              // scratch of a sort
	messy  bool                 // jobs have come out of order
	split  bool                 // each partition has a line of its own
	ahead  []int32              // line -> the next node of a search, -1 where it is not known
	need   func(*sim.Job) int32 // processors that a job gets at least; nil: what it asks for
}

// Reset empties the queue.
func (q *Queue) Reset(s *sim.State) error {
	lines := 1
	if q.split {
		lines += len(s.Platform().Partitions)
	}
	q.tree.reset(lines)
	q.ahead = append(q.ahead[:0], make([]int32, lines)...)
	q.state = s
	q.sorted, q.list, q.messy, q.due, q.asked = s.Now(), q.list[:0], false, math.Inf(1), math.Inf(-1)
	if q.cycle, _ = q.Priority.(Periodic); q.cycle != nil {
		q.due = q.cycle.Next(s.Now())
	}
	if q.events, _ = q.Priority.(Events); q.events != nil {
		return q.events.Reset(s)
	}
	return nil
}

// Push adds the job, which has been submitted now.
func (q *Queue) Push(s *sim.State, j *sim.Job) {
	key := 0.0
	if q.Priority != nil {
		if q.events != nil {
			q.events.Submitted(s, j)
		}
		key = q.Priority.Key(s, j)
	}
	procs := j.Procs()
	if q.need != nil {
		procs = q.need(j)
	}
	if q.flat && j.Requeues() > 0 {
		q.list = slices.DeleteFunc(q.list, q.gone) // the entry of its last attempt would count again
	}
	line := int32(0)
	if q.split {
		line = j.Partition()
	}
	x := q.enter(j, line, key, procs)
	if q.cycle != nil {
		q.ask(s)
	}
	if q.flat {
		e := q.entry(x)
		q.messy = q.messy || len(q.list) > 0 && e.order(q.list[len(q.list)-1]) < 0
		q.list = append(q.list, e)
	} else {
		q.join(x)
	}
}

// Started tells limits and priority that a job has started.
func (q *Queue) Started(s *sim.State, j *sim.Job) {
	if q.limits != nil {
		q.limits.jobs[j.Slot()].has = q.limits.has(s, j)
		q.limits.count(j, 1)
	}
	if q.events != nil {
		q.events.Started(s, j)
	}
}

// Ended tells limits and priority that a job that ran has ended.
func (q *Queue) Ended(s *sim.State, j *sim.Job) {
	if q.limits != nil {
		q.limits.count(j, -1)
	}
	if q.events != nil {
		q.events.Ended(s, j)
	}
}

// AbsoluteTimes reports whether the priority has times of its own.
func (q *Queue) AbsoluteTimes() bool {
	p, ok := q.Priority.(interface{ AbsoluteTimes() bool })
	return ok && p.AbsoluteTimes()
}

// Len is the number of waiting jobs.
func (q *Queue) Len() int { return q.count }

// Head returns the first job, or nil.
func (q *Queue) Head(s *sim.State) *sim.Job {
	q.sort(s)
	return q.job(q.first())
}

// Remove takes out a waiting job.
func (q *Queue) Remove(j *sim.Job) {
	x := j.Slot() + 1
	if q.count--; q.flat {
		q.nodes[x].job = nil
		return
	}
	q.leave(x)
}

// holds takes j out if it would exceed a limit now, and reports whether it would.
func (q *Queue) holds(j *sim.Job) bool { return q.limits != nil && q.hold(j) }

func (q *Queue) hold(j *sim.Job) bool {
	if !q.limits.over(j) {
		return false
	}
	if q.Remove(j); q.flat {
		q.list = slices.DeleteFunc(q.list, q.gone) // its entry would count again when it comes back
	}
	q.limits.hold(j)
	return true
}

// entry is a job in a list; its node may have passed on to another job since.
type entry struct {
	node  int32
	procs int32
	key   float64
	rank  int64
}

// order compares the places of two entries.
func (e entry) order(o entry) int {
	switch { // faster than cmp.Compare, which knows what to do with NaN
	case e.key < o.key:
		return -1
	case e.key > o.key:
		return 1
	case e.key == o.key:
		return cmp.Compare(e.rank, o.rank)
	}
	return cmp.Or(cmp.Compare(e.key, o.key), cmp.Compare(e.rank, o.rank))
}

// gone reports whether the job of an entry has left the queue.
func (q *Queue) gone(e entry) bool {
	n := &q.nodes[e.node]
	return n.rank != e.rank || n.job == nil
}

// inLine returns all jobs in order, and perhaps as many that have gone.
func (q *Queue) inLine() []entry {
	if !q.flat {
		q.list = q.list[:0]
		for _, root := range q.roots {
			q.list = q.appendTo(q.list, root)
		}
		if len(q.roots) > 1 {
			slices.SortFunc(q.list, entry.order)
		}
		return q.list
	}
	if len(q.list) > 2*q.count || q.messy {
		q.list = slices.DeleteFunc(q.list, q.gone)
	}
	if q.messy {
		q.messy = false
		slices.SortFunc(q.list, entry.order)
	}
	return q.list
}

// All visits the jobs in their order. The visitor may remove them.
func (q *Queue) All(s *sim.State) iter.Seq[*sim.Job] { return q.visit(s, math.MaxInt32) }

// Fitting visits, in their order, the jobs that fit in the processors that are free by then. The visitor may start and
// remove them. It costs O(log k) for each with k jobs waiting, because the queue knows where its narrow jobs are.
func (q *Queue) Fitting(s *sim.State) iter.Seq[*sim.Job] { return q.visit(s, 0) }

// visit visits the jobs of at most procs processors, or as many as are free.
func (q *Queue) visit(s *sim.State, procs int32) iter.Seq[*sim.Job] {
	return func(visit func(*sim.Job) bool) {
		q.sort(s)
		at, rooms := first, [1]Room{{Longest: math.Inf(1), Shadow: math.Inf(1)}}
		q.anew()
		for {
			rooms[0].Free = max(procs, int32(s.Free()))
			x := q.next(at, rooms[:])
			if x == 0 {
				return
			}
			at = q.pass(x)
			if !visit(q.job(x)) {
				return
			}
		}
	}
}

// anew begins a search of [Queue.next].
func (q *Queue) anew() {
	for line := range q.ahead {
		q.ahead[line] = -1
	}
}

// next returns the first node behind a position that the room of its line admits, 0 where there is none. The last room is that of all
// lines behind, too. In the course of a search, rooms only shrink. Nodes that were found in other lines are kept, and may be too large
// by then.
func (q *Queue) next(at after, rooms []Room) (found int32) {
	for line, root := range q.roots {
		x := &q.ahead[line]
		if *x < 0 {
			*x = q.fitting(root, at, &rooms[min(line, len(rooms)-1)])
		}
		if *x != 0 && (found == 0 || q.before(*x, found)) {
			found = *x
		}
	}
	return found
}

// pass has the search go on behind node x, and returns its position.
func (q *Queue) pass(x int32) after {
	q.ahead[q.nodes[x].line] = -1
	return q.place(x)
}

// sort computes the keys anew where the priority's period has passed, and reports whether that has changed the order. It takes O(k log k),
// and nearly O(k) when the order has changed little.
func (q *Queue) sort(s *sim.State) bool { return q.Priority != nil && q.rekey(s) }

func (q *Queue) rekey(s *sim.State) bool {
	if !q.outdated(s) {
		return false
	}
	if q.sorted = s.Now(); q.cycle != nil {
		q.due = q.cycle.Next(s.Now())
		q.ask(s)
	}
	if q.list = q.inLine(); q.flat {
		q.list = slices.DeleteFunc(q.list, q.gone)
	}
	ordered := true
	for i := range q.list {
		e := &q.list[i]
		n := &q.nodes[e.node]
		n.key = q.Priority.Key(s, n.job)
		e.key = n.key
		ordered = ordered && (i == 0 || q.list[i-1].order(*e) < 0)
	}
	if ordered {
		return false
	}
	q.resort()
	if !q.flat {
		q.build()
	}
	return true
}

// outdated reports whether the keys must be computed anew.
func (q *Queue) outdated(s *sim.State) bool {
	return q.Priority != nil && s.Now() != q.sorted && (s.Now()-q.sorted >= q.Priority.Period() || s.Now() >= q.due)
}

// Ranks reports whether the run has no limits and no events, so that jobs leave only by their starts and may do so in order.
func (q *Queue) Ranks() bool { return q.limits == nil && !q.state.HasEvents() }

// Rank returns the key of a waiting job now.
func (q *Queue) Rank(j *sim.Job) float64 {
	if q.Priority == nil {
		return 0
	}
	return q.Priority.Key(q.state, j)
}

// RankedAt returns when all keys were computed, and whether they must be computed anew.
func (q *Queue) RankedAt() (at float64, outdated bool) { return q.sorted, q.outdated(q.state) }

// stays reports whether the jobs keep their places, and no limit holds any.
func (q *Queue) stays() bool {
	return q.limits == nil && (q.Priority == nil || math.IsInf(q.Priority.Period(), 1))
}

// resort sorts a list that is mostly in order: it takes out the jobs that are out of order, sorts them and merges them back.
func (q *Queue) resort() {
	kept, out := q.list[:0], q.moved[:0]
	for _, e := range q.list {
		switch n := len(kept); {
		case n == 0 || e.order(kept[n-1]) > 0:
			kept = append(kept, e)
		case n == 1 || e.order(kept[n-2]) > 0: // the last that was kept is out of place
			out = append(out, kept[n-1])
			kept[n-1] = e
		default:
			out = append(out, e)
		}
	}
	slices.SortFunc(out, entry.order)
	q.moved = out
	i, k := len(kept)-1, len(out)-1
	for at := len(q.list) - 1; k >= 0; at-- {
		if i >= 0 && out[k].order(q.list[i]) < 0 {
			q.list[at] = q.list[i]
			i--
		} else {
			q.list[at] = out[k]
			k--
		}
	}
}

// ask asks for the next pass of the cycle if jobs wait for it.
func (q *Queue) ask(s *sim.State) {
	if q.count > 0 && q.asked <= s.Now() {
		q.asked = q.cycle.Next(s.Now())
		q.alarm.at(s, q.asked)
	}
}

// compare compares the places of two jobs in the queue.
func (q *Queue) compare(a, b *sim.Job) int { return q.entry(a.Slot() + 1).order(q.entry(b.Slot() + 1)) }

// entry returns the entry of a node.
func (q *Queue) entry(x int32) entry {
	n := &q.nodes[x]
	return entry{x, n.procs, n.key, n.rank}
}

// appendTo appends the jobs of subtree x in order.
func (q *Queue) appendTo(dst []entry, x int32) []entry {
	for x != 0 {
		dst = q.appendTo(dst, q.nodes[x].left)
		dst = append(dst, q.entry(x))
		x = q.nodes[x].right
	}
	return dst
}

// build makes the treap of the nodes in the list, which are in order. It keeps the
// right spine of the treap so far on a stack, in the part of the list already read:
// each node leaves the stack once, so build takes O(k).
func (q *Queue) build() {
	if len(q.roots) > 1 {
		clear(q.roots)
		for _, e := range q.list {
			n := &q.nodes[e.node]
			n.left, n.right = 0, 0
			q.pull(e.node)
			q.join(e.node)
		}
		return
	}
	top := 0
	for _, e := range q.list {
		x, last := e.node, int32(0)
		for top > 0 && q.nodes[q.list[top-1].node].pri < q.nodes[x].pri {
			top--
			last = q.list[top].node
			q.pull(last)
		}
		q.nodes[x].left, q.nodes[x].right = last, 0
		if top > 0 {
			q.nodes[q.list[top-1].node].right = x
		}
		q.list[top] = e
		top++
	}
	for i := top - 1; i >= 0; i-- {
		q.pull(q.list[i].node)
	}
	q.roots[0] = q.list[0].node
}

// place is the position of node x.
func (q *Queue) place(x int32) after { return after{q.nodes[x].key, q.nodes[x].rank} }

// Lines are waiting jobs in lines of their own, each in order of submission.
type Lines struct{ waiting tree }

// Reset empties the lines, which are that many.
func (l *Lines) Reset(lines int) { l.waiting.reset(lines) }

// Push adds a job to a line.
func (l *Lines) Push(j *sim.Job, line int32) { l.waiting.join(l.waiting.enter(j, line, 0, j.Procs())) }

// Remove takes out a waiting job.
func (l *Lines) Remove(j *sim.Job) { l.waiting.leave(j.Slot() + 1) }

// Empty reports whether no job waits in a line.
func (l *Lines) Empty(line int) bool { return l.waiting.roots[line] == 0 }

// Head returns the first job of a line, nil for none.
func (l *Lines) Head(line int) *sim.Job { return l.waiting.job(l.waiting.firstOf(int32(line))) }

// Next returns the first job of a line that was submitted after another one and that the room admits, nil for none.
func (l *Lines) Next(line int, behind int64, r *Room) *sim.Job {
	return l.waiting.job(l.waiting.fitting(l.waiting.roots[line], after{rank: behind}, r))
}

package queue

import (
	"math"

	"schedsweep/sim"
)

// waiting is the queue of waiting jobs in some order.
type waiting struct {
	tree
	order  Order
	sorted float64 // when the keys were computed, for orders that change
	jobs   []*sim.Job
}

func (q *waiting) reset() {
	q.tree.reset()
	q.sorted = math.Inf(-1)
}

func (q *waiting) push(j *sim.Job, now float64) { q.insert(j, q.order.key(j, now), j.Seq) }

// sort brings the queue into its order at time now, in O(k log k) where the
// order changes with time and for nothing where it does not.
func (q *waiting) sort(now float64) {
	if !q.order.Changes || q.sorted == now {
		return
	}
	q.sorted = now
	q.jobs = q.appendTo(q.jobs[:0], q.root)
	q.root, q.count = 0, 0
	for _, j := range q.jobs {
		q.push(j, now)
	}
	clear(q.jobs)
}

// appendTo appends the jobs of subtree x in order.
func (q *waiting) appendTo(dst []*sim.Job, x int32) []*sim.Job {
	for x != 0 {
		dst = q.appendTo(dst, q.nodes[x].left)
		dst = append(dst, q.nodes[x].job)
		x = q.nodes[x].right
	}
	return dst
}

// place is the position of node x.
func (q *waiting) place(x int32) after { return after{q.nodes[x].key, q.nodes[x].rank} }

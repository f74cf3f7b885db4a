package queue

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
)

// waiting is the queue of waiting jobs in some order.
type waiting struct {
	tree
	order  Order
	sorted float64 // when the keys were computed, for orders that change
	line   []int32 // scratch of sort: nodes in order, then the right spine
}

func (q *waiting) reset() {
	q.tree.reset()
	q.sorted = math.Inf(-1)
}

func (q *waiting) push(j *sim.Job, now float64) { q.insert(j, q.order.key(j, now), j.Seq()) }

// sort brings the queue into its order at time now: for nothing where the order
// does not change with time, else in O(k log k), and nearly O(k) when the order
// has changed little.
func (q *waiting) sort(now float64) {
	if !q.order.Changes || q.sorted == now {
		return
	}
	q.sorted = now
	q.line = q.appendTo(q.line[:0], q.root)
	for _, x := range q.line {
		q.nodes[x].key = q.order.key(q.nodes[x].job, now)
	}
	slices.SortFunc(q.line, func(a, b int32) int {
		m, n := &q.nodes[a], &q.nodes[b]
		return cmp.Or(cmp.Compare(m.key, n.key), cmp.Compare(m.rank, n.rank))
	})
	q.build()
}

// appendTo appends the nodes of subtree x in order.
func (q *waiting) appendTo(dst []int32, x int32) []int32 {
	for x != 0 {
		dst = q.appendTo(dst, q.nodes[x].left)
		dst = append(dst, x)
		x = q.nodes[x].right
	}
	return dst
}

// build makes the treap of the nodes in line, which are in order. It keeps the
// right spine of what is built on a stack, in the part of line already read:
// each node leaves it once, so it takes O(k).
func (q *waiting) build() {
	top := 0
	for _, x := range q.line {
		last := int32(0)
		for top > 0 && q.nodes[q.line[top-1]].pri < q.nodes[x].pri {
			top--
			last = q.line[top]
			q.pull(last)
		}
		q.nodes[x].left, q.nodes[x].right = last, 0
		if top > 0 {
			q.nodes[q.line[top-1]].right = x
		}
		q.line[top] = x
		top++
	}
	for i := top - 1; i >= 0; i-- {
		q.pull(q.line[i])
	}
	q.root = 0
	if top > 0 {
		q.root = q.line[0]
	}
}

// place is the position of node x.
func (q *waiting) place(x int32) after { return after{q.nodes[x].key, q.nodes[x].rank} }

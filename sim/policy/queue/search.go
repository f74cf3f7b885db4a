package queue

import (
	"math"

	"schedsweep/sim"
)

// room is what a job may take to start now without delaying the head of the
// queue.
type room struct {
	now    float64
	free   int32   // processors free now
	shadow float64 // what ends until then may take all of free
	extra  int32   // what does not may take these
}

// admits reports whether jobs at least as wide and as long as these may start.
func (r *room) admits(procs int32, walltime float64) bool {
	return procs <= r.free && (r.now+walltime <= r.shadow || procs <= r.extra)
}

// after is the position in the queue of a job that may have left it.
type after struct {
	key  float64
	rank int64
}

// fitting returns the first node behind a position that the room admits, 0 when
// there is none.
func (t *tree) fitting(x int32, behind after, r *room) int32 {
	for x != 0 {
		n := &t.nodes[x]
		if !r.admits(n.narrowest, n.shortest) {
			return 0
		}
		if n.key < behind.key || n.key == behind.key && n.rank <= behind.rank {
			x = n.right
			continue
		}
		if found := t.fitting(n.left, behind, r); found != 0 {
			return found
		}
		if r.admits(n.procs, n.walltime) {
			return x
		}
		x = n.right
	}
	return 0
}

// sum returns the processors of all jobs of the tree.
func (t *tree) sum() int64 { return t.nodes[t.root].total }

// until returns the processors of the jobs whose key is at most key.
func (t *tree) until(key float64) int64 {
	n := int64(0)
	for x := t.root; x != 0; {
		if t.nodes[x].key > key {
			x = t.nodes[x].left
			continue
		}
		n += int64(t.nodes[x].procs) + t.nodes[t.nodes[x].left].total
		x = t.nodes[x].right
	}
	return n
}

// above returns the smallest key greater than key, +Inf when there is none.
func (t *tree) above(key float64) float64 {
	best := math.Inf(1)
	for x := t.root; x != 0; {
		if t.nodes[x].key > key {
			best = t.nodes[x].key
			x = t.nodes[x].left
		} else {
			x = t.nodes[x].right
		}
	}
	return best
}

// reaching returns the smallest key such that the jobs up to it have at least
// need processors. There must be as many.
func (t *tree) reaching(need int64) float64 {
	for x := t.root; x != 0; {
		n := &t.nodes[x]
		left := t.nodes[n.left].total
		if left >= need {
			x = n.left
			continue
		}
		if need -= left + int64(n.procs); need <= 0 {
			return n.key
		}
		x = n.right
	}
	panic("queue: fewer processors in the tree than are needed")
}

// each calls f for the jobs of subtree x in order. f must not change the tree.
func (t *tree) each(x int32, f func(*sim.Job)) {
	for x != 0 {
		t.each(t.nodes[x].left, f)
		f(t.nodes[x].job)
		x = t.nodes[x].right
	}
}

package queue

import "schedsweep/sim"

// room is what a job may take to start now without delaying the head of the
// queue.
type room struct {
	now     float64
	free    int32   // processors free now
	longest float64 // walltime that may start now at all
	shadow  float64 // what ends until then may take all of free
	extra   int32   // what does not may take these
}

// admits reports whether jobs at least as wide and as long as these may start.
func (r *room) admits(procs int32, walltime float64) bool {
	return procs <= r.free && walltime <= r.longest && (r.now+walltime <= r.shadow || procs <= r.extra)
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

// each calls f for the jobs of subtree x in order. f must not change the tree.
func (t *tree) each(x int32, f func(*sim.Job)) {
	for x != 0 {
		t.each(t.nodes[x].left, f)
		f(t.nodes[x].job)
		x = t.nodes[x].right
	}
}

package backfill

import "schedsweep/sim"

// tree is a set of jobs in order of (key, rank), a treap whose nodes are indexed
// by the jobs' slots: a job finds its node without a search, and nothing is
// allocated once there are as many nodes as jobs were ever in the system. Each
// node knows the narrowest and the shortest job of its subtree. There may be several lines, each a treap of its own.
//
// With k jobs, in expected time: put, without and first take O(log k). fitting
// skips subtrees in which no job is narrow or none short enough. It takes O(log k)
// where one of the two decides, and more only where a subtree has jobs that are
// narrow and others that are short.
type tree struct {
	nodes []treeNode // 0 is the empty tree; a job's is its slot + 1
	roots []int32    // by line
	count int
}

type treeNode struct {
	job       *sim.Job
	key       float64
	rank      int64
	walltime  float64
	shortest  float64 // walltime in the subtree
	procs     int32
	narrowest int32 // procs in the subtree
	left      int32
	right     int32
	pri       uint32
	line      int32
}

// reset empties the lines, which are that many.
func (t *tree) reset(lines int) {
	t.roots, t.count = append(t.roots[:0], make([]int32, lines)...), 0
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, treeNode{})
	}
}

// enter prepares a node of a line for j, which is not in the tree and needs procs processors, and counts it.
func (t *tree) enter(j *sim.Job, line int32, key float64, procs int32) int32 {
	x := j.Slot() + 1
	*sim.Entry(&t.nodes, x) = treeNode{job: j, key: key, rank: j.Seq(), walltime: j.Walltime(), shortest: j.Walltime(),
		procs: procs, narrowest: procs, pri: uint32(sim.Mixed(uint64(j.Seq())) >> 32), line: line}
	t.count++
	return x
}

// job returns the job of node x.
func (t *tree) job(x int32) *sim.Job { return t.nodes[x].job }

// first returns the node of the first job of the only line, 0 when there is none.
func (t *tree) first() int32 { return t.firstOf(0) }

// firstOf returns the node of the first job of a line, 0 when there is none.
func (t *tree) firstOf(line int32) int32 {
	x := t.roots[line]
	for t.nodes[x].left != 0 {
		x = t.nodes[x].left
	}
	return x
}

// join puts a node that was entered into its line.
func (t *tree) join(x int32) {
	root := &t.roots[t.nodes[x].line]
	*root = t.put(*root, x)
}

// leave takes a node out of its line.
func (t *tree) leave(x int32) {
	root := &t.roots[t.nodes[x].line]
	*root = t.without(*root, x)
}

// before reports whether node a comes before node b.
func (t *tree) before(a, b int32) bool {
	m, n := &t.nodes[a], &t.nodes[b]
	return m.key < n.key || m.key == n.key && m.rank < n.rank
}

func (t *tree) put(x, nd int32) int32 {
	if x == 0 {
		return nd
	}
	if t.nodes[nd].pri > t.nodes[x].pri {
		t.nodes[nd].left, t.nodes[nd].right = t.split(x, nd)
		t.pull(nd)
		return nd
	}
	if t.before(nd, x) {
		t.nodes[x].left = t.put(t.nodes[x].left, nd)
	} else {
		t.nodes[x].right = t.put(t.nodes[x].right, nd)
	}
	t.nodes[x].cover(&t.nodes[nd]) // all else below nd was below x before
	return x
}

// split parts subtree x into what comes before node at and the rest.
func (t *tree) split(x, at int32) (l, r int32) {
	if x == 0 {
		return 0, 0
	}
	if t.before(x, at) {
		l, r = t.split(t.nodes[x].right, at)
		t.nodes[x].right = l
		t.pull(x)
		return x, r
	}
	l, r = t.split(t.nodes[x].left, at)
	t.nodes[x].left = r
	t.pull(x)
	return l, x
}

func (t *tree) without(x, nd int32) int32 {
	n := &t.nodes[x]
	if x == nd {
		return t.merge(n.left, n.right)
	}
	if t.before(nd, x) {
		n.left = t.without(n.left, nd)
	} else {
		n.right = t.without(n.right, nd)
	}
	if gone := &t.nodes[nd]; gone.procs == n.narrowest || gone.walltime == n.shortest { // else others are as narrow and as short
		t.pull(x)
	}
	return x
}

func (t *tree) merge(l, r int32) int32 {
	switch {
	case l == 0:
		return r
	case r == 0:
		return l
	case t.nodes[l].pri > t.nodes[r].pri:
		t.nodes[l].right = t.merge(t.nodes[l].right, r)
		t.pull(l)
		return l
	default:
		t.nodes[r].left = t.merge(l, t.nodes[r].left)
		t.pull(r)
		return r
	}
}

// pull recomputes a node's facts about its subtree.
func (t *tree) pull(x int32) {
	n := &t.nodes[x]
	n.narrowest, n.shortest = n.procs, n.walltime
	if n.left != 0 {
		n.cover(&t.nodes[n.left])
	}
	if n.right != 0 {
		n.cover(&t.nodes[n.right])
	}
}

// cover adds a subtree to the facts of n about its own.
func (n *treeNode) cover(child *treeNode) {
	n.narrowest = min(n.narrowest, child.narrowest)
	if child.shortest < n.shortest { // never NaN
		n.shortest = child.shortest
	}
}

// after is the position in the queue of a job that may have left it.
type after struct {
	key  float64
	rank int64
}

// fitting returns the first node behind a position that the room admits, 0 when
// there is none.
func (t *tree) fitting(x int32, behind after, r *Room) int32 {
	for x != 0 {
		n := &t.nodes[x]
		if !r.Admits(n.narrowest, n.shortest) {
			return 0
		}
		if n.key < behind.key || n.key == behind.key && n.rank <= behind.rank {
			x = n.right
			continue
		}
		if found := t.fitting(n.left, behind, r); found != 0 {
			return found
		}
		if r.Admits(n.procs, n.walltime) {
			return x
		}
		x = n.right
	}
	return 0
}

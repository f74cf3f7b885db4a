package backfill

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTreeKnowsItsSubtrees enters and takes out nodes at random: each node knows the narrowest and the shortest of its subtree.
func TestTreeKnowsItsSubtrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	q := tree{nodes: make([]treeNode, 100), roots: make([]int32, 1)}
	in, count := make([]bool, len(q.nodes)), 0
	for range 20_000 {
		x := 1 + rng.Int32N(int32(len(q.nodes))-1)
		if in[x] = !in[x]; !in[x] {
			q.roots[0], count = q.without(q.roots[0], x), count-1
		} else {
			procs, walltime := 1+rng.Int32N(9), float64(1+rng.IntN(9))
			q.nodes[x] = treeNode{key: float64(rng.IntN(5)), rank: int64(x), procs: procs, narrowest: procs, walltime: walltime,
				shortest: walltime, pri: rng.Uint32()}
			q.roots[0], count = q.put(q.roots[0], x), count+1
		}
		if _, _, n := q.least(t, q.roots[0]); n != count {
			t.Fatalf("the tree has %d nodes, want %d", n, count)
		}
	}
}

// least returns the narrowest and the shortest node of subtree x, and how many there are.
func (q *tree) least(t *testing.T, x int32) (procs int32, walltime float64, count int) {
	t.Helper()
	if x == 0 {
		return math.MaxInt32, math.Inf(1), 0
	}
	n := &q.nodes[x]
	p1, w1, c1 := q.least(t, n.left)
	p2, w2, c2 := q.least(t, n.right)
	procs, walltime = min(n.procs, p1, p2), min(n.walltime, w1, w2)
	if n.narrowest != procs || n.shortest != walltime {
		t.Fatalf("node %d knows %d and %g of its subtree, want %d and %g", x, n.narrowest, n.shortest, procs, walltime)
	}
	return procs, walltime, c1 + c2 + 1
}

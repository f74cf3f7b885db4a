package backfill

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
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

// TestLines goes through a queue of several lines: the nodes that the rooms of their lines admit come in the order of the queue.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.IntRange(1, 4).Draw(t, "lines")
		q := Queue{tree: tree{nodes: make([]treeNode, 1), roots: make([]int32, lines)}, ahead: make([]int32, lines)}
		rooms := make([]Room, lines)
		small := rapid.IntRange(0, 6)
		for i := range rooms {
			r := Room{Free: int32(small.Draw(t, "free")), Longest: float64(small.Draw(t, "longest")), Shadow: float64(small.Draw(t, "shadow")),
				Extra: int32(small.Draw(t, "extra"))}
			for range rapid.IntRange(0, 4).Draw(t, "refusals") {
				r.exclude(int32(small.Draw(t, "procs")), float64(small.Draw(t, "walltime")))
			}
			rooms[i] = r
		}
		for x := range int32(rapid.IntRange(0, 30).Draw(t, "jobs")) {
			n := treeNode{key: float64(small.Draw(t, "key")), rank: int64(x), procs: int32(small.Draw(t, "procs")),
				pri: uint32(sim.Mixed(uint64(x)) >> 32), walltime: float64(small.Draw(t, "walltime")),
				line: rapid.Int32Range(0, int32(lines)-1).Draw(t, "line")}
			n.narrowest, n.shortest = n.procs, n.walltime
			q.nodes = append(q.nodes, n)
			q.roots[n.line] = q.put(q.roots[n.line], x+1)
		}
		var want, got []int32
		for x := range int32(len(q.nodes)) {
			if n := &q.nodes[x]; x > 0 && rooms[n.line].Admits(n.procs, n.walltime) {
				want = append(want, x)
			}
		}
		slices.SortFunc(want, func(a, b int32) int { return q.entry(a).order(q.entry(b)) })
		q.anew()
		for x := q.next(first, rooms); x != 0; {
			got = append(got, x)
			x = q.next(q.pass(x), rooms)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("nodes %v, want %v", got, want)
		}
	})
}

// TestRoomExcludes: a room refuses the jobs that are at least as wide and long as one that it excludes, and no others.
func TestRoomExcludes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small, r, of := rapid.IntRange(0, 6), Room{}, []size(nil)
		for range rapid.IntRange(0, 8).Draw(t, "refusals") {
			z := size{int32(small.Draw(t, "procs")), float64(small.Draw(t, "walltime"))}
			r.exclude(z.procs, z.walltime)
			of = append(of, z)
		}
		for procs := range int32(8) {
			for walltime := range 8 {
				want := slices.ContainsFunc(of, func(z size) bool { return procs >= z.procs && float64(walltime) >= z.walltime })
				if got := r.refuses(procs, float64(walltime)); got != want {
					t.Fatalf("%d processors for %d s: refused %t, want %t", procs, walltime, got, want)
				}
			}
		}
	})
}

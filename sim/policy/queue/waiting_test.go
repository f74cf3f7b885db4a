package queue

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// TestSortedQueue pushes, removes and sorts jobs under an order that changes, and
// compares the order and every subtree's summary with a sorted list.
func TestSortedQueue(t *testing.T) {
	order, err := orderByName("wfp3")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := waiting{order: order}
		q.reset()
		var list []*sim.Job
		now := 0.0
		for seq := range rapid.IntRange(1, 40).Draw(t, "jobs") {
			now += float64(rapid.IntRange(0, 5).Draw(t, "gap"))
			j := simtest.NewJob(sim.JobSpec{Submit: now,
				Walltime: float64(rapid.IntRange(1, 9).Draw(t, "walltime")), Procs: int32(rapid.IntRange(1, 9).Draw(t, "procs"))}, int64(seq))
			q.push(j, now)
			list = append(list, j)
			if rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
				i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				q.remove(list[i])
				list = slices.Delete(list, i, i+1)
			}
		}
		q.sort(now + 1)
		slices.SortFunc(list, func(a, b *sim.Job) int {
			return cmp.Or(cmp.Compare(order.key(a, now+1), order.key(b, now+1)), cmp.Compare(a.Seq(), b.Seq()))
		})
		var got []*sim.Job
		q.each(q.root, func(j *sim.Job) { got = append(got, j) })
		if !slices.Equal(got, list) || q.count != len(list) {
			t.Fatalf("%d jobs in another order than the list of %d", len(got), len(list))
		}
		check(t, &q.tree, q.root)
	})
}

// check compares what each node knows of its subtree with the jobs in it.
func check(t *rapid.T, q *tree, x int32) {
	if x == 0 {
		return
	}
	n := q.nodes[x]
	narrowest, shortest := int32(math.MaxInt32), math.Inf(1)
	q.each(x, func(j *sim.Job) {
		narrowest, shortest = min(narrowest, j.Procs()), min(shortest, j.Walltime())
	})
	if n.narrowest != narrowest || n.shortest != shortest {
		t.Fatalf("a subtree has %d, %g; its node says %d, %g", narrowest, shortest, n.narrowest, n.shortest)
	}
	for _, c := range []int32{n.left, n.right} {
		if c != 0 && q.nodes[c].pri > n.pri {
			t.Fatal("a child has a higher priority than its parent")
		}
		check(t, q, c)
	}
}

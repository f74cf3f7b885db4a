package backfill

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// TestSortedQueue pushes, removes and sorts jobs under an order that changes, and
// compares the order and every subtree's summary with a sorted list.
func TestSortedQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, err := Ordered{Order: "wfp3"}.Queue(sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		q.flat = rapid.Bool().Draw(t, "flat")
		s := &sim.State{}
		clock := reflect.ValueOf(s).Elem().FieldByName("now")
		at := (*float64)(unsafe.Pointer(clock.UnsafeAddr()))
		if err := q.Reset(s); err != nil {
			t.Fatal(err)
		}
		var list []*sim.Job
		now := 0.0
		for seq := range rapid.IntRange(1, 40).Draw(t, "jobs") {
			now += float64(rapid.IntRange(0, 5).Draw(t, "gap"))
			j := simtest.NewJob(sim.JobSpec{Submit: now,
				Walltime: float64(rapid.IntRange(1, 9).Draw(t, "walltime")), Procs: int32(rapid.IntRange(1, 9).Draw(t, "procs"))}, int64(seq))
			*at = now
			q.Push(s, j)
			list = append(list, j)
			if rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
				i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				q.Remove(list[i])
				list = slices.Delete(list, i, i+1)
			}
		}
		*at = now + 1
		q.sort(s)
		slices.SortFunc(list, func(a, b *sim.Job) int {
			return cmp.Or(cmp.Compare(q.Priority.Key(s, a), q.Priority.Key(s, b)), cmp.Compare(a.Seq(), b.Seq()))
		})
		var got []*sim.Job
		for _, e := range q.inLine() {
			if !q.gone(e) {
				got = append(got, q.job(e.node))
			}
		}
		if !slices.Equal(got, list) || q.count != len(list) {
			t.Fatalf("%d jobs in another order than the list of %d", len(got), len(list))
		}
		if !q.flat {
			check(t, &q, q.roots[0])
		}
	})
}

// check compares what each node knows of its subtree with the jobs in it.
func check(t *rapid.T, q *Queue, x int32) {
	if x == 0 {
		return
	}
	n := q.nodes[x]
	narrowest, shortest := int32(math.MaxInt32), math.Inf(1)
	for _, e := range q.appendTo(nil, x) {
		j := q.job(e.node)
		narrowest, shortest = min(narrowest, j.Procs()), min(shortest, j.Walltime())
	}
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

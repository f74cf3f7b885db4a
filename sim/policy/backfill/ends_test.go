package backfill

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// TestEndsAreASortedList enters and strikes out jobs, many with equal ends, and
// compares all that ends can tell with a plain sorted list.
func TestEndsAreASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ends
		for range 2 { // the second time with the blocks of the first
			r.Reset()
			var list []end
			jobs := map[int64]*sim.Job{}
			leaving := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "leaving")
			for seq := range int64(rapid.IntRange(1, 600).Draw(t, "jobs")) {
				j := simtest.NewJob(sim.JobSpec{Walltime: float64(rapid.IntRange(1, 200).Draw(t, "walltime")),
					Procs: int32(rapid.IntRange(1, 9).Draw(t, "procs"))}, seq)
				e := end{j.PlannedEnd(), seq, j.Procs(), j.Slot()}
				jobs[seq] = j
				r.Insert(j, e.time)
				list = append(list, e)
				for len(list) > 0 && rapid.IntRange(0, 9).Draw(t, "leaves") < leaving {
					i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
					r.remove(jobs[list[i].seq], list[i].procs, list[i].time)
					list = slices.Delete(list, i, i+1)
				}
			}
			compareEnds(t, &r, list)
		}
	})
}

func compareEnds(t *rapid.T, r *Ends, list []end) {
	slices.SortFunc(list, func(a, b end) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.seq, b.seq)) })
	var got []end
	for k, b := range r.blocks {
		if sum := b.sum; len(b.ends) == 0 || b.first != b.ends[0] || sum != processors(b.ends) {
			t.Fatalf("block %d begins with %v and sums up to %d, it says %v and %d", k, b.ends, processors(b.ends), b.first, sum)
		}
		if k > 0 && len(b.ends)+len(r.blocks[k-1].ends) <= endsPerBlock/2 {
			t.Fatalf("blocks %d and %d have only %d and %d ends", k-1, k, len(r.blocks[k-1].ends), len(b.ends))
		}
		got = append(got, b.ends...)
	}
	if !slices.Equal(got, list) || r.sum != processors(list) {
		t.Fatalf("%v with %d processors, want %v", got, r.sum, list)
	}
	at := rapid.Float64Range(0, 201).Draw(t, "at")
	if rapid.Bool().Draw(t, "whole") {
		at = math.Floor(at)
	}
	i := 0
	for i < len(list) && list[i].time <= at {
		i++
	}
	first, after := math.Inf(1), math.Inf(1)
	if len(list) > 0 {
		first = list[0].time
	}
	if i < len(list) {
		after = list[i].time
	}
	if r.First() != first || r.until(at) != processors(list[:i]) || r.after(at) != after {
		t.Fatalf("first %g, until %g %d, after it %g; want %g, %d, %g of %v", r.First(), at, r.until(at), r.after(at), first,
			processors(list[:i]), after, list)
	}
	if len(list) > 0 {
		k := rapid.IntRange(0, len(list)-1).Draw(t, "enough")
		need := processors(list[:k+1])
		if r.reaching(need) != list[k].time {
			t.Fatalf("%d processors are reached at %g, want %g of %v", need, r.reaching(need), list[k].time, list)
		}
	}
}

func processors(list []end) int64 {
	n := int64(0)
	for _, e := range list {
		n += int64(e.procs)
	}
	return n
}

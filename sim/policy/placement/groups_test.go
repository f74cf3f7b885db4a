package placement

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
)

// TestGroupsKeepSets puts random sets into a grouped plan, one after another in place of each other, and compares all of them with lists of
// processors after each.
func TestGroupsKeepSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, first := rapid.IntRange(1, 400).Draw(t, "total"), int32(rapid.IntRange(0, 9).Draw(t, "first"))
		c := &Plan{rule: rule{name: "basic", total: total}, first: first}
		c.grouped = true
		c.regroup()
		c.busy, c.scratch = c.busy.Resized(64*c.words()), c.scratch.Resized(64*c.words())
		c.Clear(0)
		c.Close(nil)
		want := make([][]bool, rapid.IntRange(1, 12).Draw(t, "sets"))
		c.closed = make([]Closed, len(want))
		for i := range want {
			want[i], c.closed[i].Set = make([]bool, total), c.grouping(nil, nil)
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			k, part := rapid.IntRange(0, len(want)-1).Draw(t, "set"), rapid.IntRange(1, 40).Draw(t, "part")
			var procs []sim.Span
			for p := int32(0); ; {
				p += int32(rapid.IntRange(1, part).Draw(t, "gap"))
				n := int32(rapid.IntRange(1, part).Draw(t, "length"))
				if int(p+n) > total {
					break
				}
				procs = append(procs, sim.Span{Lo: first + p, Hi: first + p + n - 1})
				p += n
			}
			c.closed[k].Set = c.grouping(c.closed[k].Set.Resized(0), procs)
			clear(want[k])
			for _, sp := range procs {
				for p := sp.Lo; p <= sp.Hi; p++ {
					want[k][p-first] = true
				}
			}
			for i := range want {
				got, n := make([]bool, total), 0
				for g := range len(c.lo) - 1 {
					for p := c.lo[g]; p < c.lo[g+1]; p++ {
						got[p-first] = c.closed[i].Set[g>>6]>>(g&63)&1 != 0
					}
				}
				for w, word := range c.closed[i].Set {
					n += c.weigh(w, word)
				}
				if !slices.Equal(got, want[i]) || n != len(slices.DeleteFunc(slices.Clone(got), func(in bool) bool { return !in })) {
					t.Fatalf("set %d of %v, %d groups: %v, want %v; %d processors", i, procs, len(c.lo)-1, got, want[i], n)
				}
			}
			if free := c.profile.of(0).Len(); free != len(c.lo)-1 {
				t.Fatalf("%d of %d groups are free", free, len(c.lo)-1)
			}
		}
	})
}

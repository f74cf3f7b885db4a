package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSpansAtOnce compares taking and giving many spans in one pass with doing
// it one by one.
func TestSpansAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 80
		var a, b spanSet
		a.reset(n)
		b.reset(n)
		var held [][]Span
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if len(held) > 0 && rapid.Bool().Draw(t, "give") {
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				a.giveAll(held[i])
				for _, sp := range held[i] {
					b.give(sp)
				}
				held = slices.Delete(held, i, i+1)
			} else {
				var want []Span
				at := int32(0)
				for range rapid.IntRange(1, 12).Draw(t, "spans") {
					lo := at + int32(rapid.IntRange(0, 4).Draw(t, "gap"))
					hi := lo + int32(rapid.IntRange(0, 3).Draw(t, "length"))
					if hi >= n {
						break
					}
					want = append(want, Span{lo, hi})
					at = hi + 1
				}
				all := true
				for _, sp := range want {
					all = all && b.has(sp)
				}
				before := slices.Clone(a.spans)
				if got := a.takeAll(want); got != all {
					t.Fatalf("%v of %v: taken %v, want %v", want, before, got, all)
				}
				if all && len(want) > 0 {
					for _, sp := range want {
						b.take(sp)
					}
					held = append(held, want)
				}
			}
			if !slices.Equal(a.spans, b.spans) {
				t.Fatalf("%v, want %v", a.spans, b.spans)
			}
		}
	})
}

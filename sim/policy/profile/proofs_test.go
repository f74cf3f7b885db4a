package profile

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestProofsAreSound notes one proof and has releases follow: a reservation from
// the same start is excluded as long as nothing was released before it, and the
// bound is kept for windows that end before all that was released, as they come
// out in floating point. Nothing narrower or shorter is bounded.
func TestProofsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q proofs
		q.forget()
		seconds := rapid.OneOf(rapid.Float64Range(1, 1e6), rapid.Map(rapid.IntRange(1, 30), func(n int) float64 { return float64(n) / 10 }))
		start, n, d := seconds.Draw(t, "start"), rapid.IntRange(1, 9).Draw(t, "n"), seconds.Draw(t, "d")
		q.set(start, n, d)
		untouched := true
		for range rapid.IntRange(0, 3).Draw(t, "releases") {
			a := seconds.Draw(t, "a")
			before, _ := q.get(-1, n, d)
			q.released(a)
			bound, _ := q.get(-1, n, d)
			switch touched := a < start; {
			case untouched && !touched:
				if bound != start {
					t.Fatalf("a release from %g on has moved the bound from %g to %g", a, start, bound)
				}
			case bound > before || bound+d > a:
				t.Fatalf("the bound of %g s is %g after a release from %g on, was %g", d, bound, a, before)
			case touched:
				untouched = false
			}
		}
		if _, none := q.get(start, n, d); none != untouched {
			t.Fatalf("a reservation from %g on is excluded: %v, want %v", start, none, untouched)
		}
		bound, _ := q.get(start, n, d)
		if _, none := q.get(bound, n, d); none && !untouched {
			t.Fatalf("a reservation from %g on is excluded by a bound", bound)
		}
		for _, c := range []struct {
			n int
			d float64
		}{{n - 1, d}, {n, d * 0.99}} {
			if bound, none := q.get(start, c.n, c.d); none || !math.IsInf(bound, -1) {
				t.Fatalf("%d processors and %g s are bounded by %d and %g", c.n, c.d, n, d)
			}
		}
		if b, none := q.get(start, n+1, d*2); b != bound || none != untouched {
			t.Fatalf("more has the bound %g and %v, want %g and %v", b, none, bound, untouched)
		}
	})
}

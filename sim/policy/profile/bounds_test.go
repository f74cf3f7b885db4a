package profile

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBoundsAreSound notes one proof and asks for another job: the proof counts
// for nothing narrower or shorter, and for everything of twice its measures.
func TestBoundsAreSound(t *testing.T) {
	var b bounds
	rapid.Check(t, func(t *rapid.T) {
		const total = 1000
		b.reset(total)
		length := rapid.OneOf(rapid.Float64Range(0, 3), rapid.Float64Range(0, 1e6),
			rapid.Map(rapid.IntRange(0, 40), func(n int) float64 { return float64(n) }))
		width := rapid.OneOf(rapid.IntRange(1, 8), rapid.IntRange(1, total))
		n, d := width.Draw(t, "n"), length.Draw(t, "d")
		m, e := width.Draw(t, "m"), length.Draw(t, "e")
		b.set(n, d, 7)
		known := b.get(m, e) == 7
		if known && (m < n || e < d) {
			t.Fatalf("what holds for %d processors and %g s was taken to hold for %d and %g s", n, d, m, e)
		}
		if !known && m >= 2*n && e >= 2*d && e >= 1 {
			t.Fatalf("what holds for %d processors and %g s was not known for %d and %g s", n, d, m, e)
		}
		b.set(n, d, 3)
		if b.get(m, e) == 3 {
			t.Fatal("a worse bound has replaced a better one")
		}
		b.epoch++
		if b.get(m, e) == 7 {
			t.Fatal("a bound was remembered after it had to be forgotten")
		}
	})
}

package sweep

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBitmapPicksTheKth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(rt, "n")
		every := rapid.IntRange(1, 700).Draw(rt, "every")
		b := newBitmap(n)
		var want []int
		for i := range n {
			if i%every == n%every || i*i%7 == 3 {
				b.set(i)
				want = append(want, i)
			}
		}
		b.index()
		if b.count != len(want) {
			rt.Fatalf("%d set, want %d", b.count, len(want))
		}
		for k, at := range want {
			if got := b.pick(k); got != at {
				rt.Fatalf("pick %d is %d, want %d", k, got, at)
			}
		}
	})
}

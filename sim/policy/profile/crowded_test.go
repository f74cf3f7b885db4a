package profile_test

import (
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/policy/profile"
)

// TestCrowdedProfileEqualsPlainList only reserves, so that each search builds on
// what all before it have proved.
func TestCrowdedProfileEqualsPlainList(t *testing.T) {
	var p profile.Profile
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 70).Draw(t, "total")
		ref := plain{total: total}
		p.Reset(total, 0)
		now := 0.0
		for range rapid.IntRange(1, 80).Draw(t, "jobs") {
			n := rapid.OneOf(rapid.IntRange(1, total), rapid.IntRange(1, 1+total/8)).Draw(t, "n")
			d := float64(rapid.IntRange(1, 400).Draw(t, "d")) / 8
			if rapid.IntRange(0, 9).Draw(t, "clock") == 0 {
				now += d / 4
				p.Cut(now)
			}
			s := p.Earliest(now, n, d)
			if want := ref.earliest(now, n, d); s != want {
				t.Fatalf("Earliest(%g, %d, %g) = %g, want %g", now, n, d, s, want)
			}
			p.Reserve(s, s+d, n)
			ref.held = append(ref.held, hold{s, s + d, n})
		}
	})
}

package lomarc

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSorted: few and many are sorted, equals keep their order, and nothing is
// allocated for an element.
func TestSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := make([]group, rapid.IntRange(0, 200).Draw(t, "length"))
		for i := range s {
			s[i].gain, s[i].nodes = float64(rapid.IntRange(0, 9).Draw(t, "gain")), i
		}
		byGain(s)
		for i := 1; i < len(s); i++ {
			if s[i-1].gain < s[i].gain || s[i-1].gain == s[i].gain && s[i-1].nodes > s[i].nodes {
				t.Fatalf("%g, first at %d, comes before %g, first at %d", s[i-1].gain, s[i-1].nodes, s[i].gain, s[i].nodes)
			}
		}
	})
	many := make([]group, 1000)
	if n := testing.AllocsPerRun(10, func() {
		for i := range many {
			many[i].gain = float64(i * 7 % 1000)
		}
		byGain(many)
	}); n > 10 {
		t.Errorf("sorting 1000 groups allocates %g times", n)
	}
}

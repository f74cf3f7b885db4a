package sim_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
)

// TestSteps compares values, changes and integrals of small steps with those that are counted second by second.
func TestSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var from, value, each []float64 // each second from the first step on
		first := rapid.IntRange(-5, 5).Draw(t, "first")
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			from, value = append(from, float64(first+len(each))), append(value, float64(rapid.IntRange(-4, 4).Draw(t, "value")))
			for range rapid.IntRange(1, 4).Draw(t, "length") {
				each = append(each, value[len(value)-1])
			}
		}
		s := sim.NewSteps(from, value, float64(first+len(each)))
		at := func(second int) float64 {
			if second < first || second >= first+len(each) {
				return math.NaN()
			}
			return each[second-first]
		}
		for a := first - 2; a < first+len(each)+2; a++ {
			if got, want := s.At(float64(a)+.5), at(a); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("at %d.5: %v, want %v", a, got, want)
			}
			sum := 0.
			for b := a; b < first+len(each)+2; b++ {
				if got := s.Integral(float64(a), float64(b)); got != sum && !(math.IsNaN(got) && math.IsNaN(sum)) {
					t.Fatalf("from %d to %d: %v, want %v", a, b, got, sum)
				}
				sum += at(b)
			}
		}
		s.Every = float64(len(each))
		for a := -30; a < 30; a++ {
			if got, want := s.At(float64(a)), each[((a-first)%len(each)+len(each))%len(each)]; got != want {
				t.Fatalf("at %d, again and again: %v, want %v", a, got, want)
			}
			next := a + 1
			for begins := false; !begins; next++ {
				for _, f := range from {
					begins = begins || (next-int(f))%len(each) == 0
				}
			}
			if got := s.After(float64(a)); got != float64(next-1) {
				t.Fatalf("after %d: %v, want %d", a, got, next-1)
			}
		}
	})
}

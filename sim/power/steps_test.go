package power_test

import (
	"math"
	"testing"

	"schedsweep/sim/power"

	"pgregory.net/rapid"
)

// TestTotal: each state counts.
func TestTotal(t *testing.T) {
	if got := (power.Energy{Busy: 1, Idle: 2, Down: 4, Off: 8, Boot: 16, Shutdown: 32}).Total(); got != 63 {
		t.Errorf("%g J in total, want 63", got)
	}
}

// TestSteps compares values, changes and integrals of small steps with a count second by second.
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
		s := power.NewSteps(from, value, float64(first+len(each)))
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
			if got, want := s.At(float64(a)), at(a); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("at %d: %v, want %v", a, got, want)
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

// TestStepsOfDays follows two steps that come again every day and begin at thousandths of a second: each lasts up to the next.
func TestStepsOfDays(t *testing.T) {
	const day = 86400
	rapid.Check(t, func(t *rapid.T) {
		since := float64(rapid.IntRange(0, 1000*day-1).Draw(t, "since")) / 1000
		length := float64(rapid.IntRange(1, day-1).Draw(t, "length"))
		s := power.NewSteps([]float64{-since, length - since}, []float64{1, 2}, day-since)
		s.Every = day
		for at, value := 0., s.At(0); at < 60*day; value = 3 - value {
			next := s.After(at)
			if last, is := s.At(math.Nextafter(next, 0)), s.At(next); !(next > at) || last != value || is != 3-value {
				t.Fatalf("after %v: %v, with %v before and %v from then on, and %v at first", at, next, last, is, value)
			}
			at = next
		}
	})
}

// TestLowest compares the start with the lowest mean with the one that a search over quarters of seconds finds. Steps begin at whole
// seconds and lengths are halves, so that every kink of the mean is among them.
func TestLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var from, value []float64
		end := 0
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			from, value = append(from, float64(end)), append(value, float64(rapid.IntRange(-4, 4).Draw(t, "value")))
			end += rapid.IntRange(1, 4).Draw(t, "length")
		}
		s := power.NewSteps(from, value, float64(end))
		a := float64(rapid.IntRange(-2, 80).Draw(t, "from")) / 4
		until := a + float64(rapid.IntRange(0, 60).Draw(t, "most"))/4
		d := float64(rapid.IntRange(0, 30).Draw(t, "length")) / 2
		want, best := a, math.NaN()
		for x := a; x <= until; x += .25 {
			sum := 0.
			for at := x; at < x+d; at += .25 {
				sum += s.At(at)
			}
			if x == a {
				best = sum
			} else if sum < best-1e-9 {
				want, best = x, sum
			}
		}
		if got := s.Lowest(a, until, d); got != want {
			t.Fatalf("from %v to %v for %v of %v from %v: %v, want %v", a, until, d, value, from, got, want)
		}
	})
	// A constant number delays nothing, in spite of rounding.
	n := 1000
	from, value := make([]float64, n), make([]float64, n)
	for i := range from {
		from[i], value[i] = float64(i)*300, .1/3.6e6
	}
	s := power.NewSteps(from, value, float64(n)*300)
	for i := range 500 {
		if a := 7.3 * float64(i); s.Lowest(a, a+6*3600, 3600.7) != a {
			t.Fatalf("a constant delays a start at %v to %v", a, s.Lowest(a, a+6*3600, 3600.7))
		}
	}
}

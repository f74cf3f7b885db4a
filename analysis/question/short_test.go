package question

import (
	"fmt"
	"strings"
	"testing"
)

// TestTooShort: a mean that tables call undefined decides nothing. More replications may define it. Where they will not, the
// answer says so, and keeps the places between which the crossing lies.
func TestTooShort(t *testing.T) {
	grows := func(from, by, noise float64) Ask {
		return newWorld(1, func(p Point, _, own *rng) Row {
			r := Row{Y: p.At + float64(p.Side) + .01*own.NormFloat64(), Growth: noise * own.NormFloat64()}
			if p.At >= from {
				r.Growth += by
			}
			return r
		}).ask
	}
	line := func(bound float64) Crossing {
		return Crossing{Lattice: []float64{1, 2, 3, 4}, Bound: bound, HalfWidth: .01, Least: 20, Most: 2000}
	}
	for _, c := range []struct {
		of     Decider
		rows   Ask
		state  State
		within [2]float64
		why    string
	}{
		{line(2.5), grows(9, 0, .05), Answered, [2]float64{2, 3}, ""},
		{line(2.5), grows(1, 0, .5), Answered, [2]float64{2, 3}, ""},
		{line(2.5), grows(4, 1, .1), Answered, [2]float64{2, 3}, "the runs at 4 are too short"},
		{line(3.5), grows(4, .14, .5), Undecided, [2]float64{3, 4}, "the runs at 4 are too short"},
		{line(3.5), grows(4, 1, .1), Undecided, [2]float64{3, 4}, "the runs at 4 are too short"},
		{line(2.5), grows(2.4, 1, .1), Undecided, [2]float64{2, 4}, "the runs at 3, 4 are too short"},
		{line(2.5), grows(0, 1, .1), Undecided, unknown, "the runs at 1, 2, 3, 4 are too short"},
		{Mean{HalfWidth: .1, Least: 20, Most: 500}, grows(0, 0, .6), Answered, unknown, ""},
		{Mean{HalfWidth: .1, Least: 20, Most: 20}, grows(0, 0, .6), Undecided, unknown, "the runs are too short"},
		{Mean{HalfWidth: .1, Least: 20, Most: 500}, grows(0, 1, .1), Undecided, unknown, "the runs are too short"},
		{Best{Sides: 3, Least: 20, Most: 500}, grows(0, 0, .6), Answered, unknown, ""},
		{Best{Sides: 3, Names: []string{"fcfs", "sjf", "ljf"}, Least: 20, Most: 500}, grows(0, 1, .1), Undecided, unknown,
			"the runs of fcfs are too short"},
	} {
		a := c.of.Decide(c.rows)
		if a.State != c.state || !strings.HasPrefix(a.Why, c.why) || (a.Why == "") != (c.why == "") {
			t.Errorf("%+v: %s (%s), want %s (%s)", c.of, a.State, a.Why, c.state, c.why)
		}
		if from, to := a.Bracket[0], a.Bracket[1]; c.state == Answered && (from < c.within[0] || to > c.within[1]) ||
			c.state != Answered && fmt.Sprint(a.Bracket) != fmt.Sprint(c.within) {
			t.Errorf("%+v: %s between %v, want %v", c.of, a.State, a.Bracket, c.within)
		}
	}
}

// TestPlaceOfLargeNumbers: watts of a cap are no powers of ten.
func TestPlaceOfLargeNumbers(t *testing.T) {
	for x, want := range map[float64]string{14000: "14000", 1234567: "1235000", 0.66666667: "0.6667", 2: "2"} {
		if got := place4(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}

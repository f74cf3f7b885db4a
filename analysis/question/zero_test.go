package question

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMeansOfZero: a mean of 0 has no logarithm, but lies on a side. So it bounds the place, and the lines lead through other points. Where
// the curve jumps from 0 there is none, and the answer names the place and what helps.
func TestMeansOfZero(t *testing.T) {
	falls := func(p Point, common, _ *rng) Row { return Row{Y: max(0, 10-2*p.At) * factor(common, 0.1)} }
	for _, k := range []struct {
		name    string
		lattice []float64
		draw    drawer
		x       bool
		want    State
		root    float64
	}{
		{"beside the bracket", []float64{1, 4, 7}, falls, false, Answered, 2.5},
		{"an end of the bracket", []float64{1, 7, 10}, falls, false, Answered, 2.5},
		{"all along", []float64{5, 6, 7}, falls, false, None, 0},
		{"a jump", []float64{1, 4, 7}, func(p Point, common, _ *rng) Row {
			if p.At > 3.3 {
				return Row{}
			}
			return Row{Y: 10 * factor(common, 0.1)}
		}, false, Undecided, 3.3},
		{"on a metric", []float64{0, 0.03}, func(p Point, common, own *rng) Row {
			return Row{Y: max(0, 1e4*p.At-100) * factor(common, 0.1), X: 1000*p.At + 0.1*own.NormFloat64()}
		}, true, Answered, 10.5},
	} {
		c := Crossing{Lattice: k.lattice, Bound: 5, Log: true, Measured: k.x, HalfWidth: 0.1, Least: 20, Most: 2000}
		a := c.Decide(newWorld(1, k.draw).ask)
		switch {
		case a.State != k.want:
			t.Errorf("%s: %s: %s", k.name, a.State, a.Why)
		case a.State == Answered && (!a.Contains(k.root) || a.HalfWidth() > 0.1):
			t.Errorf("%s: %v, want %g", k.name, a.Interval, k.root)
		case a.State == Undecided && !(a.Bracket[0] < k.root && k.root < a.Bracket[1] && a.Bracket[1]-a.Bracket[0] <= 0.1 &&
			strings.Contains(a.Why, "is not above 0") && strings.Contains(a.Why, "scale")):
			t.Errorf("%s: within %v: %s", k.name, a.Bracket, a.Why)
		}
	}
}

// TestRareEvents: a replication counts events, whose number grows so fast that eight replications of most places have none.
func TestRareEvents(t *testing.T) {
	for _, against := range []bool{false, true} {
		right, undecided, _, _ := held(100, func(rep int) asked {
			root := 0.3 + 2.4*rand.New(rand.NewPCG(uint64(rep), 7)).Float64()
			c := Crossing{Lattice: []float64{0, 1, 2, 3}, Bound: 3, Against: against, Log: true, HalfWidth: 0.05, Least: 20, Most: 20000}
			return asked{question: c, draw: func(p Point, _, own *rng) Row {
				mean := 3.0
				if p.Side == 0 {
					mean *= math.Exp(4 * (p.At - root))
				}
				events := 0.0
				for at := own.ExpFloat64(); at < mean; at += own.ExpFloat64() {
					events++
				}
				return Row{Y: events}
			}, right: func(a Answer) bool { return (a.State == Answered || a.State == AtEnd) && a.Contains(root) }}
		})
		if right < coverage || undecided > mostUndecided {
			t.Errorf("against another side %v: %.2f are right and %.2f undecided", against, right, undecided)
		}
	}
}

// TestFarFromTheOthers: where one long replication alone leaves a side undecided, the answer says so.
func TestFarFromTheOthers(t *testing.T) {
	for far, want := range map[float64]bool{-5: true, 0: false} {
		drawn := 0
		draw := func(p Point, _, own *rng) Row {
			y := 1 + 0.1*own.NormFloat64()
			switch {
			case p.At == 0:
				y = -1
			case far == 0:
				y = own.NormFloat64()
			case drawn == 0:
				y = far
			}
			if p.At != 0 {
				drawn++
			}
			return Row{Y: 10 + y}
		}
		c := Crossing{Lattice: []float64{0, 1}, Bound: 10, HalfWidth: 0.1, Least: 8, Most: 32}
		a := c.Decide(newWorld(1, draw).ask)
		if said := strings.Contains(a.Why, "a few of them are far from the others at 1"); a.State != Undecided || said != want {
			t.Errorf("%g: %s: %s", far, a.State, a.Why)
		}
	}
}

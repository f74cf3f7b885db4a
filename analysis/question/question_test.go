package question

import (
	"fmt"
	"math"
	"testing"
)

// TestRoundsComeFromRowsAskedFor: with the rows of its first k rounds a question is open,
// and wants what it wanted in round k when all were there.
func TestRoundsComeFromRowsAskedFor(t *testing.T) {
	for _, q := range studied() {
		if b, isBest := q.question.(Best); isBest && b.Most > 2000 {
			continue // the same, only longer
		}
		w := newWorld(3, q.draw)
		whole := q.question.Decide(w.ask)
		for k := range w.rounds {
			round := 0
			a := q.question.Decide(func(demands ...Demand) ([][]Row, bool) {
				if fmt.Sprint(demands) != fmt.Sprint(w.rounds[round]) {
					t.Fatalf("%s, %s: round %d wants %v, and %v when all rows are there", q.kind, q.law, round, demands, w.rounds[round])
				}
				if round++; round > k {
					return nil, false
				}
				return newWorld(3, q.draw).ask(demands...)
			})
			if a.State != Open || a.Rounds != k {
				t.Fatalf("%s, %s: %s after %d rounds of %d", q.kind, q.law, a.State, a.Rounds, whole.Rounds)
			}
		}
	}
}

// TestLost: a replication without a value leaves every kind of question undecided.
func TestLost(t *testing.T) {
	for _, q := range []Decider{Mean{HalfWidth: 1, Least: 30, Most: 100}, Best{Sides: 2, Least: 20, Most: 100}, Crossing{Lattice: []float64{1, 2, 3}, HalfWidth: 1, Least: 20, Most: 100}} {
		w := newWorld(1, func(p Point, common, own *rng) Row { return Row{Y: common.NormFloat64()} })
		a := q.Decide(func(demands ...Demand) ([][]Row, bool) {
			rows, ok := w.ask(demands...)
			rows[0][3].Y = math.NaN()
			return rows, ok
		})
		if a.State != Undecided || a.Why == "" {
			t.Errorf("%T: %s (%s)", q, a.State, a.Why)
		}
	}
}

// TestFew: with one or two replications questions are undecided, whatever these are.
func TestFew(t *testing.T) {
	for most := 1; most <= 2; most++ {
		for _, q := range []Decider{Mean{HalfWidth: 0.001, Least: 30, Most: most}, Best{Sides: 3, Least: 20, Most: most}, Crossing{Lattice: []float64{1, 2, 3}, Bound: 2, HalfWidth: 0.001, Least: 20, Most: most}} {
			w := newWorld(1, func(p Point, common, own *rng) Row { return Row{Y: p.At + own.NormFloat64()} })
			if a := q.Decide(w.ask); a.State != Undecided || a.More > 1e9 {
				t.Errorf("%T with %d replications: %+v", q, most, a)
			}
		}
	}
}

// TestEdges: what does not cross is said to; so is where it lies.
func TestEdges(t *testing.T) {
	exact := func(f func(x float64) float64) Ask {
		return newWorld(1, func(p Point, _, own *rng) Row { return Row{Y: f(p.At) + 0.01*own.NormFloat64()} }).ask
	}
	c := Crossing{Lattice: []float64{0, 1, 2, 3}, HalfWidth: 0.01, Least: 20, Most: 10000}
	for _, k := range []struct {
		name string
		f    func(x float64) float64
		want State
		at   float64
	}{
		{"above", func(x float64) float64 { return 1 + x }, None, 0},
		{"below", func(x float64) float64 { return -1 - x }, None, 0},
		{"up", func(x float64) float64 { return x - 1.3 }, Answered, 1.3},
		{"down", func(x float64) float64 { return 0.2 - x }, Answered, 0.2},
		{"bent", func(x float64) float64 { return x*x*x - 20 }, Answered, math.Cbrt(20)},
		{"at a value of the lattice", func(x float64) float64 { return x - 1 }, Answered, 1},
		{"twice", func(x float64) float64 { return (x - 0.5) * (x - 2.5) }, Several, 0},
		{"nothing but zero", func(float64) float64 { return 0 }, Undecided, 0},
	} {
		a := c.Decide(exact(k.f))
		if a.State != k.want || k.want == Answered && (!a.Contains(k.at) || a.HalfWidth() > 0.01) {
			t.Errorf("%s: %+v", k.name, a)
		}
	}
}

package question

import (
	"math"
	"testing"
)

// TestWholeNumbers: between them lines are straight, and only they are looked at.
func TestWholeNumbers(t *testing.T) {
	for _, k := range []struct{ root, half, want float64 }{{13.4, 0.05, 13.4}, {20, 0.5, 20}, {0.3, 0.05, 0.3}, {29.9, 0.2, 29.9}} {
		w := newWorld(1, func(p Point, _, own *rng) Row { return Row{Y: p.At - k.root + 0.01*own.NormFloat64()} })
		a := Crossing{Lattice: []float64{0, 10, 20, 30}, Whole: true, HalfWidth: k.half, Least: 20, Most: 10000}.Decide(w.ask)
		if a.State != Answered || !a.Contains(k.want) {
			t.Errorf("%g: %+v", k.root, a)
		}
		for p := range w.rows {
			if p.At != math.Trunc(p.At) {
				t.Errorf("%g: looked at %g", k.root, p.At)
			}
		}
	}
}

// TestWholeNumbersWithAKink: lines are straight between neighbouring numbers only, and steep behind 19. The crossing is on the line from 19
// to 20, and at times the anchor is either.
func TestWholeNumbersWithAKink(t *testing.T) {
	const runs = 60
	missed := 0
	for seed := range uint64(runs) {
		w := newWorld(seed, func(p Point, _, own *rng) Row {
			y := 12 - p.At/2
			if p.At > 19 {
				y -= 6.4
			}
			return Row{Y: y + 2*own.NormFloat64()}
		})
		a := Crossing{Lattice: []float64{12, 16, 20, 24, 28}, Whole: true, HalfWidth: 0.2, Least: 20, Most: 10000}.Decide(w.ask)
		if a.State != Answered || !a.Contains(19+2.5/6.9) {
			missed++
		}
	}
	if missed > runs/12 {
		t.Errorf("%d of %d intervals do not hold the crossing", missed, runs)
	}
}

// TestWholeNumbersBentSteeply: the line of the answer is that between the numbers beside the crossing, at any anchor and ends. The means
// are the waits in queues of 10 erlangs with 11 to 20 servers and a service time of 100 s (A. K. Erlang 1917).
func TestWholeNumbersBentSteeply(t *testing.T) {
	waits := []float64{68.21, 22.47, 9.509, 4.353, 2.051, 0.9557, 0.4418, 0.1991, 0.0872, 0.0373}
	first, wide, last := []float64{11, 12, 13, 14, 16, 18, 20}, []float64{11, 14, 17, 20}, []float64{11, 12, 13}
	for _, k := range []struct {
		lattice           []float64
		bound, half, want float64
	}{
		{first, 15, 0.1, 12 + 7.47/12.961}, {first, 15, 0.2, 12 + 7.47/12.961}, {first, 5, 0.1, 13 + 4.509/5.156},
		{wide, 15, 0.2, 12 + 7.47/12.961}, {wide, 15, 0.5, 12 + 7.47/12.961}, {last, 9.7, 0.02, 13 - 0.191/12.961},
		{last, 10.2, 0.1, 13 - 0.691/12.961},
	} {
		const runs = 100
		missed := 0
		for seed := range uint64(runs) {
			w := newWorld(seed, func(p Point, common, own *rng) Row {
				return Row{Y: waits[int(p.At)-11] * factor(common, 0.3) * factor(own, 0.1)}
			})
			a := Crossing{Lattice: k.lattice, Bound: k.bound, Whole: true, HalfWidth: k.half, Least: 20, Most: 10000}.Decide(w.ask)
			if a.State != Answered && a.State != AtEnd || !a.Contains(k.want) {
				missed++
			}
		}
		if missed > runs/12 {
			t.Errorf("%v, bound %g to %g: %d of %d intervals do not hold the crossing", k.lattice, k.bound, k.half, missed, runs)
		}
	}
}

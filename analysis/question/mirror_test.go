package question

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestMirrored: the answer does not depend on the directions of the axis and of the metric. Its grid has as many replications as the
// point with the most.
func TestMirrored(t *testing.T) {
	four, whole := []float64{0, 1, 2, 3}, []float64{0, 10, 20, 30}
	shown := func(a Answer) string {
		return fmt.Sprintf("%s %.6g %.6g %.6g %.6g %d, %d rounds, %d more, %d", a.State, a.Estimate, a.Low, a.High, a.Bracket, a.Sign, a.Rounds,
			a.More, a.Grid)
	}
	for name, k := range map[string]struct {
		c Crossing
		y func(x float64) float64 // of side 0, that of side 1 is 7
	}{
		"line":   {Crossing{Lattice: four, HalfWidth: 0.05}, func(x float64) float64 { return x - 1.2 }},
		"bent":   {Crossing{Lattice: four, HalfWidth: 0.1}, func(x float64) float64 { return x*x/4 - 1 }},
		"at end": {Crossing{Lattice: four, HalfWidth: 0.1}, func(x float64) float64 { return x - 2.98 }},
		"none":   {Crossing{Lattice: four, HalfWidth: 0.1, Margin: 0.2, Bound: 7}, func(x float64) float64 { return x }},
		"twice":  {Crossing{Lattice: four, HalfWidth: 0.1}, func(x float64) float64 { return (x - 0.5) * (x - 1.6) }},
		"whole":  {Crossing{Lattice: whole, Whole: true, HalfWidth: 0.5}, func(x float64) float64 { return x*x/50 - 2 }},
		"curved": {Crossing{Lattice: whole, Whole: true, HalfWidth: 1.2}, func(x float64) float64 { return math.Exp(x/4)/40 - 1 }},
		"sides":  {Crossing{Lattice: four, HalfWidth: 0.1, Against: true}, func(x float64) float64 { return 5.3 + x }},
		"fixed":  {Crossing{Lattice: four, HalfWidth: 0.1, Against: true, Fixed: true}, func(x float64) float64 { return 5.3 + x }},
	} {
		for seed := range uint64(20) {
			w := newWorld(seed, func(p Point, common, own *rng) Row {
				y := 7.0
				if p.Side == 0 {
					y = k.y(p.At)
				}
				return Row{Y: y + 0.3*common.NormFloat64() + 0.2*own.NormFloat64()}
			})
			k.c.Least, k.c.Most = 20, 3000
			a := k.c.Decide(w.ask)
			want, most := shown(a), 0
			for p, rows := range w.rows {
				if most = max(most, len(rows)); p.At < k.c.Lattice[0] || p.At > k.c.Lattice[3] {
					t.Errorf("%s, %d: looked at %g", name, seed, p.At)
				}
			}
			points := 1 + int(math.Ceil(k.c.Lattice[3]/2/k.c.HalfWidth))
			if k.c.Fixed {
				points++
			} else if k.c.Against {
				points *= 2
			}
			if a.Grid != points*most {
				t.Errorf("%s, %d: a grid of %d, want %d points with %d replications", name, seed, a.Grid, points, most)
			}
			back, down := k.c, k.c
			back.Lattice = nil
			for _, v := range slices.Backward(k.c.Lattice) {
				back.Lattice = append(back.Lattice, 0-v)
			}
			got := back.Decide(func(demands ...Demand) ([][]Row, bool) {
				for i := range demands {
					demands[i].At = 0 - demands[i].At
				}
				return w.ask(demands...)
			})
			got.Estimate, got.Low, got.High, got.Sign = 0-got.Estimate, 0-got.High, 0-got.Low, -got.Sign
			if got.Bracket = [2]float64{0 - got.Bracket[1], 0 - got.Bracket[0]}; got.State == None {
				got.Sign *= -1 // that of the gap
			}
			if shown(got) != want {
				t.Errorf("%s, %d: backwards %s, want %s", name, seed, shown(got), want)
			}
			down.Bound *= -1
			got = down.Decide(func(demands ...Demand) ([][]Row, bool) {
				rows, ok := w.ask(demands...)
				for i := range rows {
					rows[i] = slices.Clone(rows[i])
					for n := range rows[i] {
						rows[i][n].Y *= -1
					}
				}
				return rows, ok
			})
			if got.Sign *= -1; shown(got) != want {
				t.Errorf("%s, %d: downwards %s, want %s", name, seed, shown(got), want)
			}
		}
	}
}

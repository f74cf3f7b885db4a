package question

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// curveNames are those of curvesThrough.
var curveNames = []string{"rises exponentially", "levels off", "saturates", "falls like an arc tangent"}

// curvesThrough are curves that pass 0 at a root, and are bent so much.
func curvesThrough(root, bend float64) map[string]func(x float64) float64 {
	return map[string]func(x float64) float64{
		"rises exponentially":       func(x float64) float64 { return math.Exp(bend*(x-root)) - 1 },
		"levels off":                func(x float64) float64 { return 1 - math.Exp(-bend*(x-root)) },
		"saturates":                 func(x float64) float64 { return (x - root) / (3 + 1/bend - x) },
		"falls like an arc tangent": func(x float64) float64 { return math.Atan(bend * (root - x)) },
	}
}

// noisy draws values around a curve, as far off it as the root varies by what points share, and by what
// each has alone.
func noisy(curve func(x float64) float64, root, shared, alone float64) drawer {
	slope := math.Abs(curve(root+1e-6)-curve(root-1e-6)) / 2e-6
	return func(p Point, common, own *rng) Row {
		return Row{Y: curve(p.At) + slope*(shared*common.NormFloat64()+alone*own.NormFloat64())}
	}
}

// anchorAlone returns the number of replications that a normal interval of 98 % takes to be 0.05 wide either way for a known slope.
func anchorAlone(shared, alone float64) float64 {
	return math.Pow(2.326/0.05, 2) * (shared*shared + alone*alone)
}

// anyCurve is a question of a repetition: its root, curvature and noise are drawn.
func anyCurve(name string, rep int) asked {
	r := rand.New(rand.NewPCG(uint64(rep), 5))
	root, bend, shared, alone := 0.3+2.4*r.Float64(), 0.01+3.99*r.Float64(), 0.5*r.Float64(), 0.3*r.Float64()
	return asked{"threshold", "a curve that " + name + ", few to 700 replications",
		Crossing{Lattice: []float64{0, 0.75, 1.5, 2.25, 3}, HalfWidth: 0.05, Least: 20, Most: 50000},
		noisy(curvesThrough(root, bend)[name], root, shared, alone),
		func(a Answer) bool { return a.State == Answered && a.Contains(root) }, coverage}
}

// anyWave is a question of a repetition about a curve whose waves are 1.6 long; its root, where it crosses once, and noise are
// drawn. Steps that are not much shorter than the waves do not see them: then less is promised.
func anyWave(step, floor float64, rep int) asked {
	r := rand.New(rand.NewPCG(uint64(rep), 6))
	wave := func(x float64) float64 { return x + 0.3*math.Sin(4*x) }
	root := 0.2 + 2.6*r.Float64()
	for thrice := func(y float64) bool { return 0.76 < y && y < 0.81 }; thrice(math.Mod(wave(root), math.Pi/2)); {
		root = 0.2 + 2.6*r.Float64()
	}
	lattice := []float64{0}
	for x := step; x <= 3; x += step {
		lattice = append(lattice, x)
	}
	return asked{"threshold", fmt.Sprintf("a curve with waves of 1.6, from 0 to 3 in steps of %g", step),
		Crossing{Lattice: lattice, HalfWidth: 0.05, Least: 20, Most: 50000},
		noisy(func(x float64) float64 { return wave(x) - wave(root) }, root, 0, 0.01*math.Pow(20, r.Float64())),
		func(a Answer) bool { return a.State == Answered && a.Contains(root) }, floor}
}

// anyJump is a question of a repetition about a logistic curve of a scale, 0 for a step. Its root and noise are drawn.
func anyJump(scale float64, log bool, rep int) asked {
	r := rand.New(rand.NewPCG(uint64(rep), 8))
	root, noise := 0.3+2.4*r.Float64(), 0.1*math.Pow(10, r.Float64())
	curve := func(x float64) float64 { return 1 + 1/(1+math.Exp((root-x)/scale)) }
	law := "a step from 1 to 2"
	if scale > 0 {
		law = fmt.Sprintf("a logistic curve from 1 to 2, scale %g", scale)
	}
	draw := func(p Point, _, own *rng) Row { return Row{Y: curve(p.At) + noise*own.NormFloat64()} }
	if log {
		law, draw = law+", logarithms", func(p Point, _, own *rng) Row { return Row{Y: curve(p.At) * factor(own, noise)} }
	}
	return asked{"threshold", law,
		Crossing{Lattice: []float64{0, 0.75, 1.5, 2.25, 3}, Bound: 1.5, Log: log, HalfWidth: 0.05, Least: 20, Most: 50000}, draw,
		func(a Answer) bool { return a.State == Answered && a.Contains(root) }, coverage}
}

// steps is the lattice of questions by slope.
var steps = []float64{0.5, 0.6, 0.7, 0.8, 0.9}

// perStep is a question of a repetition about a curve that rises by so much a step of the lattice. It passes its bound at a root,
// which is drawn from the range where it is NaN; most suffices for the interval that is wanted.
func perStep(law string, rise, root float64, rep int) asked {
	if math.IsNaN(root) {
		root = 0.5 + 0.4*rand.New(rand.NewPCG(uint64(rep), 7)).Float64()
	}
	c := Crossing{Lattice: steps, Bound: 100, Log: true, HalfWidth: 0.03, Least: 20, Most: 20000}
	return asked{"threshold", law, c, func(p Point, common, own *rng) Row {
		return Row{Y: 100 * math.Pow(rise, (p.At-root)/0.1) * factor(common, 0.5) * factor(own, 0.2)}
	}, func(a Answer) bool { return rightPlace(a, root) }, coverage}
}

// rightPlace reports whether an answer about the lattice of steps is right where the truth is one root.
func rightPlace(a Answer, root float64) bool {
	switch a.State {
	case Answered:
		return a.Contains(root)
	case AtEnd:
		return a.Contains(root) && (a.Low >= 0.84 || a.High <= 0.56)
	case None:
		return root <= steps[0] || root >= steps[len(steps)-1]
	}
	return false
}

// apart is a question about two sides that differ by a factor all along.
func apart(law string, by float64) asked {
	return asked{"crossing", law, Crossing{Lattice: steps, Against: true, Log: true, HalfWidth: 0.03, Margin: 0.02, Least: 20, Most: 20000},
		func(p Point, common, own *rng) Row {
			y := 100 * p.At * factor(common, 0.5) * factor(own, 0.2)
			if p.Side == 1 {
				y *= by
			}
			return Row{Y: y}
		}, func(a Answer) bool { return a.State == None }, coverage}
}

package workload

import (
	"math"
	"math/rand/v2"
)

// gamma draws from the gamma distribution of a shape and a scale (mean shape *
// scale) by the method of G. Marsaglia and W. W. Tsang, "A simple method for
// generating gamma variables", ACM TOMS 26(3), 2000.
type gamma struct {
	d, c, scale float64
	boost       float64 // 1/shape where the shape is below 1, else 0
}

// newGamma prepares the constants for a shape and a scale above 0.
func newGamma(shape, scale float64) gamma {
	g := gamma{scale: scale}
	if shape < 1 {
		// A draw of shape+1 times U^(1/shape) has the shape.
		g.boost = 1 / shape
		shape++
	}
	g.d = shape - 1.0/3
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

func (g *gamma) draw(r *rand.Rand) float64 {
	for {
		x := r.NormFloat64()
		v := 1 + g.c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - r.Float64() // above 0
		x2 := x * x
		if u < 1-0.0331*x2*x2 || math.Log(u) < 0.5*x2+g.d*(1-v+math.Log(v)) {
			y := g.d * v * g.scale
			if g.boost > 0 {
				y *= math.Pow(1-r.Float64(), g.boost)
			}
			return y
		}
	}
}

package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// LineSums are sums over points from which the least squares line through them follows in constant time, so that lines
// without some of the points cost no look at the others. Points are measured from a line near the one wanted, that through
// all of them: residuals do not cancel then.
type LineSums struct {
	n                   int
	w, x, e, xx, xe, ee float64 // weights, and weighted sums of x - MeanX and of the residual
	x3, x4, xxe         float64 // for parabolas
}

// Add takes in a point with a weight of 1.
func (s *LineSums) Add(near *Line, p XY) {
	x, e := p.X-near.MeanX, p.Y-near.At(p.X)
	s.n++
	s.w++
	s.x += x
	s.e += e
	s.xx += x * x
	s.xe += x * e
	s.ee += e * e
	s.x3 += x * x * x
	s.x4 += x * x * x * x
	s.xxe += x * x * e
}

// Plus takes in other sums, weighted; a negative weight takes them out.
func (s *LineSums) Plus(o LineSums, weight float64) {
	if weight < 0 {
		s.n -= o.n
	} else {
		s.n += o.n
	}
	s.w += weight * o.w
	s.x += weight * o.x
	s.e += weight * o.e
	s.xx += weight * o.xx
	s.xe += weight * o.xe
	s.ee += weight * o.ee
	s.x3 += weight * o.x3
	s.x4 += weight * o.x4
	s.xxe += weight * o.xxe
}

// Line is the line; near is the one that the points were measured from. Slope, Intercept and ResidualSD are those of
// [FitWeightedLine]; R2, MinX and MaxX are left NaN. The slope is NaN where the abscissas do not differ.
func (s LineSums) Line(near *Line) Line {
	nan := math.NaN()
	l := Line{N: s.n, Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MeanX: nan, MinX: nan, MaxX: nan, meanY: nan}
	if s.n < 1 {
		return l
	}
	mx, me := s.x/s.w, s.e/s.w
	l.MeanX = near.MeanX + mx
	l.meanY = near.At(l.MeanX) + me
	xx, xe := s.xx-s.x*mx, s.xe-s.x*me
	if !(xx > 1e-12*s.xx) {
		return l
	}
	l.Slope = near.Slope + xe/xx
	l.Intercept = l.meanY - l.Slope*l.MeanX
	if rss := s.ee - s.e*me - xe*xe/xx; s.n >= 3 {
		l.ResidualSD = math.Sqrt(max(rss, 0) * float64(s.n) / s.w / float64(s.n-2))
	}
	return l
}

// Parabola is y = a + b x + c x^2 by least squares, with the slope at the MeanX of near, which all parabolas of some points
// have in common; MinX and MaxX are left NaN. It is NaN where there are fewer than 3 different abscissas. In R:
// lm(y ~ poly(x, 2)).
func (s LineSums) Parabola(near *Line) Line {
	nan := math.NaN()
	l := Line{N: s.n, Slope: nan, Intercept: nan, Curvature: nan, R2: nan, ResidualSD: nan, MeanX: near.MeanX, MinX: nan, MaxX: nan, meanY: nan}
	if s.n < 3 || !(s.xx > 0) {
		return l
	}
	h := math.Sqrt(s.xx / s.w) // abscissas in this unit have moments of like size
	m1, m3, m4 := s.x/(s.w*h), s.x3/(s.w*h*h*h), s.x4/(s.w*h*h*h*h)
	right := mat.NewVecDense(3, []float64{s.e / s.w, s.xe / (s.w * h), s.xxe / (s.w * h * h)})
	var normal mat.Cholesky
	if !normal.Factorize(mat.NewSymDense(3, []float64{1, m1, 1, m1, 1, m3, 1, m3, m4})) || !(normal.Cond() < 1e12) {
		return l
	}
	var more mat.VecDense // than the line
	if err := normal.SolveVecTo(&more, right); err != nil {
		return l
	}
	l.meanY = near.meanY + more.AtVec(0)
	l.Slope = near.Slope + more.AtVec(1)/h
	l.Curvature = more.AtVec(2) / (h * h)
	l.Intercept = l.At(0)
	rss := max(s.ee-s.w*mat.Dot(&more, right), 0)
	level := near.Slope*s.x + s.e
	if total := near.Slope*near.Slope*s.xx + 2*near.Slope*s.xe + s.ee - level*level/s.w; total > 0 {
		l.R2 = max(1-rss/total, 0)
	}
	if s.n > 3 {
		l.ResidualSD = math.Sqrt(rss * float64(s.n) / s.w / float64(s.n-3))
	}
	return l
}

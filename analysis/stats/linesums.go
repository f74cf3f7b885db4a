package stats

import "math"

// LineSums are sums over points from which the least squares line through them follows in constant time, so that lines
// without some of the points cost no look at the others. Points are measured from a line near the one wanted, that through
// all of them: residuals do not cancel then.
type LineSums struct {
	n                   int
	w, x, e, xx, xe, ee float64 // weights, and weighted sums of x - MeanX and of the residual
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

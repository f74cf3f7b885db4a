package stats

import (
	"cmp"
	"math"
	"slices"
)

// XY is a point.
type XY struct{ X, Y float64 }

// Line is a least-squares line y = Intercept + Slope x. Points of a sweep share their random numbers, so that it has no
// intervals of its own: those come from replications left out ([Jackknife]).
type Line struct {
	N                int
	Slope, Intercept float64 // at MeanX where it is bent, and at 0
	Curvature        float64 // coefficient of x squared; 0 where it is straight
	R2               float64 // share of the variance of y that the line explains; NaN where y does not vary
	ResidualSD       float64 // spread around the trend: sqrt(RSS/(n-2)); NaN below three points
	MeanX            float64
	MinX, MaxX       float64
	Warnings         []Warning

	meanY float64
	size  float64 // of the largest ordinate: changes up to 1e-12 of it are rounding
}

// noLine is an unknown line of n points.
func noLine(n int) Line {
	nan := math.NaN()
	return Line{N: n, Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MeanX: nan, MinX: nan, MaxX: nan, meanY: nan}
}

// FitLine fits y = a + b x by least squares to points that are finite, with positive weights, which count relative to each
// other; nil weighs all alike. Of weighted points R2 is left NaN, and ResidualSD has squares weighted by weights that sum to
// the number of points. In R: lm(y ~ x, weights = w).
func FitLine(points []XY, weights []float64) Line {
	l := noLine(len(points))
	if len(points) == 0 {
		return l
	}
	weight := func(i int) float64 { return weights[i] }
	if weights == nil {
		order := func(a, b XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }
		if !slices.IsSortedFunc(points, order) {
			points = slices.Clone(points)
			slices.SortFunc(points, order)
		}
		weight = func(int) float64 { return 1 }
	}
	xs, ys := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		xs[i], ys[i] = p.X, p.Y
	}
	l.MinX, l.MaxX, l.size = slices.Min(xs), slices.Max(xs), max(slices.Max(ys), -slices.Min(ys))
	total := float64(l.N)
	if weights == nil {
		l.MeanX, l.meanY = TakeSample(xs).Mean(), TakeSample(ys).Mean()
	} else {
		l.MeanX, l.meanY, total = WeightedMean(xs, weights), WeightedMean(ys, weights), Sum(weights)
	}
	var xx, xy, yy, rss Total
	for i, p := range points {
		dx, dy, w := p.X-l.MeanX, p.Y-l.meanY, weight(i)
		xx.Add(w * dx * dx)
		xy.Add(w * dx * dy)
		yy.Add(w * dy * dy)
	}
	if l.MinX == l.MaxX || xx.Value() == 0 {
		l.Warnings = append(l.Warnings, Warnf(Degenerate, "a line needs at least 2 different abscissas, there is 1"))
		return l
	}
	l.Slope = l.slope(xy.Value()/xx.Value(), xx.Value()/total)
	l.Intercept = l.meanY - l.Slope*l.MeanX
	for i, p := range points {
		e := p.Y - l.meanY - l.Slope*(p.X-l.MeanX)
		rss.Add(weight(i) * e * e)
	}
	rest := rss.Value()
	if weights == nil && beyond(math.Sqrt(yy.Value()/total), l.size) > 0 {
		l.R2 = min(max(1-rest/yy.Value(), 0), 1)
	} else if weights != nil {
		rest = rest * float64(l.N) / total
	}
	if l.N >= 3 {
		l.ResidualSD = beyond(math.Sqrt(rest/float64(l.N-2)), l.size)
	}
	return l
}

// slope is a slope over abscissas of a variance, 0 where it moves ordinates by rounding only.
func (l *Line) slope(slope, variance float64) float64 {
	if beyond(slope*math.Sqrt(variance), l.size) == 0 {
		return 0
	}
	return slope
}

// At is the line's value at x, in the form that does not cancel far from the origin.
func (l Line) At(x float64) float64 {
	d := x - l.MeanX
	return l.meanY + l.Slope*d + l.Curvature*d*d
}

// WeightedMean is the mean of finite values with positive weights, NaN without values. The order of the values can change
// its last bits.
func WeightedMean(values, weights []float64) float64 {
	var sum, total Total
	for i, v := range values {
		sum.Add(weights[i] * v)
		total.Add(weights[i])
	}
	return sum.Value() / total.Value()
}

// MostTheilSen is up to how many points [TheilSen] takes: it looks at all pairs.
const MostTheilSen = 3000

// TheilSen is the line whose slope is the median of those of all pairs of points with different abscissas (H. Theil 1950,
// Indagationes Mathematicae 12, 85-91; P. K. Sen 1968, Journal of the American Statistical Association 63, 1379-1389), through
// the point of the median abscissa and the median ordinate. Points are finite. The slope is NaN where the abscissas do not
// differ, or for more than [MostTheilSen] points; R2 and ResidualSD are left NaN.
func TheilSen(points []XY) Line {
	l := noLine(len(points))
	if len(points) > MostTheilSen {
		return l
	}
	var xs, ys, slopes []float64
	for i, p := range points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
		for _, q := range points[:i] {
			if p.X != q.X {
				slopes = append(slopes, Change(q.Y, p.Y)/(p.X-q.X))
			}
		}
	}
	x := TakeSample(xs)
	l.MinX, l.MaxX, l.MeanX, l.meanY = x.Min(), x.Max(), x.Median(), TakeSample(ys).Median()
	l.Slope = TakeSample(slopes).Median()
	l.Intercept = l.At(0)
	return l
}

// MedianLine is the line of some lines that are one a replication: the median of their slopes, through the median of their
// heights at the middle of the abscissas.
func MedianLine(lines []Line) Line {
	out := noLine(0)
	out.MinX, out.MaxX = math.Inf(1), math.Inf(-1)
	var slopes, middles, heights []float64
	for _, l := range lines {
		out.N += l.N
		out.MinX, out.MaxX = min(out.MinX, l.MinX), max(out.MaxX, l.MaxX)
		slopes, middles = append(slopes, l.Slope), append(middles, l.MeanX)
	}
	out.Slope, out.MeanX = TakeSample(slopes).Median(), TakeSample(middles).Median()
	for _, l := range lines {
		heights = append(heights, l.At(out.MeanX))
	}
	out.meanY = TakeSample(heights).Median()
	out.Intercept = out.At(0)
	return out
}

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
// [FitLine] with weights; R2, MinX and MaxX are left NaN. The slope is NaN where the abscissas do not differ.
func (s LineSums) Line(near *Line) Line {
	l := noLine(s.n)
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
	l.Slope = near.slope(near.Slope+xe/xx, xx/s.w)
	l.Intercept = l.meanY - l.Slope*l.MeanX
	if rss := s.ee - s.e*me - xe*xe/xx; s.n >= 3 {
		l.ResidualSD = beyond(math.Sqrt(max(rss, 0)*float64(s.n)/s.w/float64(s.n-2)), near.size)
	}
	return l
}

// Parabola is y = a + b x + c x^2 by least squares, with the slope at the MeanX of near, which all parabolas of some points
// have in common. MinX and MaxX stay NaN. It is NaN where there are fewer than 3 different abscissas. In R:
// lm(y ~ poly(x, 2)).
func (s LineSums) Parabola(near *Line) Line {
	l := noLine(s.n)
	l.MeanX, l.Curvature = near.MeanX, math.NaN()
	if s.n < 3 || !(s.xx > 0) {
		return l
	}
	h := math.Sqrt(s.xx / s.w) // abscissas in this unit have moments of like size
	m1, m3, m4 := s.x/(s.w*h), s.x3/(s.w*h*h*h), s.x4/(s.w*h*h*h*h)
	right := [3]float64{s.e / s.w, s.xe / (s.w * h), s.xxe / (s.w * h * h)}
	more, ok := solveMoments(m1, m3, m4, right, near.size) // than the line
	if !ok {
		return l
	}
	l.meanY = near.meanY + more[0]
	l.Slope = near.slope(near.Slope+more[1]/h, h*h)
	l.Curvature = more[2] / (h * h)
	l.Intercept = l.At(0)
	rss := max(s.ee-s.w*(more[0]*right[0]+more[1]*right[1]+more[2]*right[2]), 0)
	level := near.Slope*s.x + s.e
	if total := near.Slope*near.Slope*s.xx + 2*near.Slope*s.xe + s.ee - level*level/s.w; beyond(math.Sqrt(max(total, 0)/s.w), near.size) > 0 {
		l.R2 = max(1-rss/total, 0)
	}
	if s.n > 3 {
		l.ResidualSD = beyond(math.Sqrt(rss*float64(s.n)/s.w/float64(s.n-3)), near.size)
	}
	return l
}

// solveMoments solves the normal equations of a parabola whose abscissas have the moments 1, m1, 1, m3 and m4:
// ((1, m1, 1), (m1, 1, m3), (1, m3, m4)) x = right, by elimination. It is false where their condition is 1e12 or more, in
// the norm of columns. x[2] is 0 where the curve moves ordinates of a size by rounding only. A library of linear algebra would double what
// the program's statistics weigh, for these three unknowns.
func solveMoments(m1, m3, m4 float64, right [3]float64, size float64) (x [3]float64, ok bool) {
	p, q := 1-m1*m1, m3-m1
	r := m4 - 1 - q*q/p
	norm := max(2+math.Abs(m1), math.Abs(m1)+1+math.Abs(m3), 1+math.Abs(m3)+m4)
	c01, c02, c12 := math.Abs(m3-m1*m4), math.Abs(m1*m3-1), math.Abs(q)
	adjugate := max(math.Abs(m4-m3*m3)+c01+c02, c01+math.Abs(m4-1)+c12, c02+c12+p)
	if !(p > 0 && r > 0 && norm*adjugate < 1e12*p*r) {
		return x, false
	}
	x[2] = beyond(right[2]-right[0]-q/p*(right[1]-m1*right[0]), size) / r
	x[1] = (right[1] - m1*right[0] - q*x[2]) / p
	x[0] = right[0] - m1*x[1] - x[2]
	return x, true
}

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
}

// FitLine fits y = a + b x by ordinary least squares; points with a coordinate that is not finite are left out and
// counted. In R: lm(y ~ x).
func FitLine(points []XY) Line {
	ps := make([]XY, 0, len(points))
	for _, p := range points {
		if Finite(p.X) && Finite(p.Y) {
			ps = append(ps, XY{p.X + 0, p.Y + 0})
		}
	}
	slices.SortFunc(ps, func(a, b XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	nan := math.NaN()
	l := Line{N: len(ps), Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MeanX: nan, MinX: nan, MaxX: nan, meanY: nan}
	if left := len(points) - len(ps); left > 0 {
		l.Warnings = append(l.Warnings, Warnf(NotFinite, "%d of %d points are missing or not finite and were left out", left, len(points)))
	}
	if len(ps) > 0 {
		l.fit(ps)
	}
	return l
}

func (l *Line) fit(ps []XY) {
	xs, ys := make([]float64, len(ps)), make([]float64, len(ps))
	for i, p := range ps {
		xs[i], ys[i] = p.X, p.Y
	}
	l.MinX, l.MaxX = xs[0], xs[len(xs)-1]
	l.MeanX, l.meanY = TakeSample(xs).Mean(), TakeSample(ys).Mean()
	var xx, xy, yy Total
	for _, p := range ps {
		dx, dy := p.X-l.MeanX, p.Y-l.meanY
		xx.Add(dx * dx)
		xy.Add(dx * dy)
		yy.Add(dy * dy)
	}
	sumXX := xx.Value()
	if l.MinX == l.MaxX || sumXX == 0 {
		l.Warnings = append(l.Warnings, Warnf(Degenerate, "a line needs at least 2 different abscissas, there is 1"))
		return
	}
	l.Slope = xy.Value() / sumXX
	l.Intercept = l.meanY - l.Slope*l.MeanX
	var rss Total
	for _, p := range ps {
		e := p.Y - l.meanY - l.Slope*(p.X-l.MeanX)
		rss.Add(e * e)
	}
	if total := yy.Value(); total > 0 {
		l.R2 = min(max(1-rss.Value()/total, 0), 1)
	}
	if l.N < 3 {
		return
	}
	l.ResidualSD = math.Sqrt(rss.Value() / float64(l.N-2))
}

// At is the line's value at x, in the form that does not cancel far from the origin.
func (l Line) At(x float64) float64 {
	d := x - l.MeanX
	return l.meanY + l.Slope*d + l.Curvature*d*d
}

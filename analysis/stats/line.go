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

// FitWeightedLine fits y = a + b x by least squares with positive weights, which count relative to each other; points are
// finite. ResidualSD is that of [FitLine] with squares weighted by weights that sum to the number of points. In R:
// lm(y ~ x, weights = w) for Slope and Intercept. R2 is left NaN.
func FitWeightedLine(points []XY, weights []float64) Line {
	nan := math.NaN()
	l := Line{N: len(points), Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MinX: math.Inf(1), MaxX: math.Inf(-1)}
	xs, ys := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		xs[i], ys[i] = p.X, p.Y
		l.MinX, l.MaxX = min(l.MinX, p.X), max(l.MaxX, p.X)
	}
	l.MeanX, l.meanY = WeightedMean(xs, weights), WeightedMean(ys, weights)
	if len(points) == 0 || l.MinX == l.MaxX {
		return l
	}
	var xx, xy, rss, total Total
	for i, p := range points {
		dx, dy := p.X-l.MeanX, p.Y-l.meanY
		xx.Add(weights[i] * dx * dx)
		xy.Add(weights[i] * dx * dy)
		total.Add(weights[i])
	}
	l.Slope = xy.Value() / xx.Value()
	l.Intercept = l.meanY - l.Slope*l.MeanX
	for i, p := range points {
		e := p.Y - l.meanY - l.Slope*(p.X-l.MeanX)
		rss.Add(weights[i] * e * e)
	}
	if l.N >= 3 {
		l.ResidualSD = math.Sqrt(rss.Value() * float64(l.N) / total.Value() / float64(l.N-2))
	}
	return l
}

// MostTheilSen is up to how many points [TheilSen] takes: it looks at all pairs.
const MostTheilSen = 3000

// TheilSen is the line whose slope is the median of those of all pairs of points with different abscissas (H. Theil 1950,
// Indagationes Mathematicae 12, 85-91; P. K. Sen 1968, Journal of the American Statistical Association 63, 1379-1389), through
// the point of the median abscissa and the median ordinate. Points are finite. The slope is NaN where the abscissas do not
// differ, or for more than [MostTheilSen] points; R2 and ResidualSD are left NaN.
func TheilSen(points []XY) Line {
	nan := math.NaN()
	l := Line{N: len(points), Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MeanX: nan, MinX: nan, MaxX: nan, meanY: nan}
	if len(points) > MostTheilSen {
		return l
	}
	var xs, ys, slopes []float64
	for i, p := range points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
		for _, q := range points[:i] {
			if p.X != q.X {
				slopes = append(slopes, (p.Y-q.Y)/(p.X-q.X))
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
	nan := math.NaN()
	out := Line{Slope: nan, Intercept: nan, R2: nan, ResidualSD: nan, MeanX: nan, MinX: math.Inf(1), MaxX: math.Inf(-1), meanY: nan}
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

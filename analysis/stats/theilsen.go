package stats

import "math"

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

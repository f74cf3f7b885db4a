package stats

import "math"

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

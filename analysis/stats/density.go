package stats

import "math"

// Density is the kernel estimate of the density at x, with normal kernels whose width is by the rule of B. W. Silverman
// (Density Estimation for Statistics and Data Analysis, 1986, (3.31); bw.nrd0 of R): 0.9 min(sd, quartile distance / 1.34)
// n^(-1/5). Where that is 0 the width is a thousandth of the range, or of the value.
func (s Sample) Density(x float64) float64 {
	n := float64(len(s.sorted))
	width := 0.0
	if n > 1 {
		spread := s.SD()
		if quartiles := (s.Quantile(0.75) - s.Quantile(0.25)) / 1.34; quartiles > 0 {
			spread = min(spread, quartiles)
		}
		width = 0.9 * spread * math.Pow(n, -0.2)
	}
	if !(width > 0) {
		width = max(s.Max()-s.Min(), math.Abs(s.Max()), 1e-300) / 1000
	}
	sum := 0.0
	for _, v := range s.sorted {
		z := (x - v) / width
		sum += math.Exp(-z * z / 2)
	}
	return sum / (n * width * math.Sqrt(2*math.Pi))
}

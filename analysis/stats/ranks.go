package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// Order is the numbers below n as compare sorts them; of equal ones the lower first.
func Order(n int, compare func(i, k int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(compare(i, k), i-k) })
	return order
}

// Ranks are the ranks of values from 1, the smallest, on; values that are equal but for rounding share the mean of theirs. In R:
// rank(values).
func Ranks(values []float64) []float64 {
	order := Order(len(values), func(i, k int) int { return cmp.Compare(values[i], values[k]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && equal(values[order[to]], values[order[from]]) {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return ranks
}

// Friedman compares treatments by their ranks in independent blocks (M. Friedman 1937, Journal of the American Statistical
// Association 32, 675-701), with the correction for ties.
type Friedman struct {
	Blocks     int
	MeanRanks  []float64 // one a treatment, over the points of a block and then over the blocks
	ChiSquared float64
	// F is the statistic of R. L. Iman and J. M. Davenport 1980, Communications in Statistics A 9, 571-595, which
	// rejects less cautiously than ChiSquared, and P its p-value, that all treatments are alike. Where all blocks rank
	// them in one way F is infinite for any number of them, and P is that of ChiSquared. NaN where all blocks are ties,
	// or there are fewer than two blocks or treatments.
	F, P float64

	spread float64 // variance of the ranks of a block
}

// FriedmanOf tests blocks of points, each with a value of each treatment. Ranks are within a point, so that its values may be
// on any scale, and are averaged over the points of a block: these are not independent, and with several of them the tests
// take the averages for ranks.
func FriedmanOf(blocks [][][]float64) Friedman {
	f := Friedman{Blocks: len(blocks), ChiSquared: math.NaN(), F: math.NaN(), P: math.NaN()}
	if len(blocks) == 0 {
		return f
	}
	n, k := float64(len(blocks)), float64(len(blocks[0][0]))
	f.MeanRanks = make([]float64, len(blocks[0][0]))
	squares, several := 0.0, false
	for _, b := range blocks {
		sums := make([]float64, len(f.MeanRanks))
		for _, point := range b {
			for i, r := range Ranks(point) {
				sums[i] += r // sums of halves are exact
			}
		}
		for i, sum := range sums {
			r := sum / float64(len(b))
			f.MeanRanks[i] += r
			squares += r * r
		}
		several = several || len(b) > 1
	}
	for i := range f.MeanRanks {
		f.MeanRanks[i] /= n
	}
	middle := (k + 1) / 2
	spread := (squares - n*k*middle*middle) / (n * (k - 1)) // of the ranks within a block; k (k+1) / 12 without ties
	if f.spread = k * (k + 1) / 12; several {
		f.spread = spread // averages differ by less
	}
	between := 0.0
	for _, r := range f.MeanRanks {
		between += (r - middle) * (r - middle)
	}
	if n < 2 || k < 2 || !(spread > 1e-12) {
		return f
	}
	f.ChiSquared = n * between / spread
	if rest := n*(k-1) - f.ChiSquared; rest > 1e-9 {
		f.F = (n - 1) * f.ChiSquared / rest
		f.P = fisherSurvival(f.F, k-1, (k-1)*(n-1))
	} else {
		f.F, f.P = math.Inf(1), chiSquaredSurvival(f.ChiSquared, k-1)
	}
	return f
}

// Nemenyi is the critical difference of mean ranks at a confidence: with this probability no two of the treatments, were
// they alike, differ by more (P. Nemenyi 1963; J. Demsar 2006, Journal of Machine Learning Research 7, 1-30, section 3.2.2).
func (f *Friedman) Nemenyi(confidence float64) float64 {
	return rangeQuantile(confidence, len(f.MeanRanks)) * math.Sqrt(f.spread/float64(f.Blocks))
}

// rangeProbability is that of k independent standard normal values lying within q of one another: the studentized range
// with infinite degrees of freedom. In R: ptukey(q, k, Inf).
func rangeProbability(q float64, k int) float64 {
	if q <= 0 {
		return 0
	}
	return quad.Fixed(func(z float64) float64 {
		return float64(k) * normalDensity(z) * math.Pow(normalCDF(z)-normalCDF(z-q), float64(k-1))
	}, -9, 9, 200, nil, 0)
}

// rangeQuantile inverts rangeProbability. In R: qtukey(p, k, Inf).
func rangeQuantile(p float64, k int) float64 {
	low, high := 0.0, 40.0
	for range 60 {
		if middle := (low + high) / 2; rangeProbability(middle, k) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// Cliques are the largest runs of ascending numbers that lie within a distance of one another: of each the first and the
// last index. A number that is in none with others is left out.
func Cliques(ascending []float64, within float64) [][2]int {
	var out [][2]int
	last := 0
	for from := range ascending {
		to := from
		for to+1 < len(ascending) && ascending[to+1]-ascending[from] <= within {
			to++
		}
		if to > from && (to > last || len(out) == 0) {
			out = append(out, [2]int{from, to})
			last = to
		}
	}
	return out
}

// Ratios returns the ratio of each of some costs, which are not negative, to the smallest of them: the performance ratios
// of E. D. Dolan and J. J. More 2002, Mathematical Programming 91, 201-213. One that is not finite has failed: its ratio
// is infinite. Where the smallest is 0, zeros have the ratio 1 and all others an infinite one. It reports false where a
// cost is negative.
func Ratios(costs []float64) ([]float64, bool) {
	least := math.Inf(1)
	for _, c := range costs {
		if c < 0 {
			return nil, false
		}
		if Finite(c) {
			least = min(least, c)
		}
	}
	ratios := make([]float64, len(costs))
	for i, c := range costs {
		switch {
		case !Finite(c):
			ratios[i] = math.Inf(1)
		case equal(c, least):
			ratios[i] = 1
		default:
			ratios[i] = c / least
		}
	}
	return ratios, true
}

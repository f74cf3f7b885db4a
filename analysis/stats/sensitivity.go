package stats

import (
	"math"
	"slices"
)

// crossed estimates a statistic of units and replications that cross, both drawn: its value with all of them (-1, -1), with
// one unit left out (u, -1) and with one replication left out (-1, r). The variances of both are added, as if they were
// independent: what a unit brings in one replication only is in both, so that intervals are rather too wide (A. B. Owen 2007,
// The pigeonhole bootstrap, Annals of Applied Statistics 1, 386-411). Replications are left out where at least fewest remain.
func crossed(units, replications, fewest int, statistic func(unit, replication int) float64) Estimate {
	return crossing(units, replications, fewest, statistic).Estimate
}

// Crossed is an estimate over units and replications with the share of its variance that is over replications; NaN where that
// is not known.
type Crossed struct {
	Estimate
	OverReplications float64
}

func crossing(units, replications, fewest int, statistic func(unit, replication int) float64) Crossed {
	value := statistic(-1, -1)
	without := func(unit, replication int) float64 {
		if v := statistic(unit, replication); !math.IsNaN(v) {
			return v
		}
		return math.Inf(1) // undefined: the spread is not known. NaN would say that there is no such replication.
	}
	var over, across Class
	for u := range units {
		over.LeftOut = append(over.LeftOut, without(u, -1))
	}
	if replications > fewest {
		for r := range replications {
			across.LeftOut = append(across.LeftOut, without(-1, r))
		}
	}
	switch {
	case across.LeftOut == nil:
		return Crossed{Jackknife(value, []Class{over}), math.NaN()}
	case over.LeftOut == nil:
		return Crossed{Jackknife(value, []Class{across}), 1}
	}
	all, part := Jackknife(value, []Class{over}, []Class{across}), Jackknife(value, []Class{across})
	return Crossed{all, part.SE * part.SE / (all.SE * all.SE)}
}

// Effects are the elementary effects of a knob on a metric, in sum.
type Effects struct {
	// mean over trajectories of the size of the effect (F. Campolongo and others 2007, Environmental Modelling & Software 22, 1509-1518)
	MuStar Estimate
	Mu     Estimate // mean effect
	// Variance is that of effects over trajectories, estimated by the covariance between replications: their noise is not in
	// it, and by chance it may be negative. Of one replication the noise is in it.
	Variance Estimate
	// Noise is the expected MuStar of a knob without effect, with independent normal noise; NaN for one replication.
	Noise float64
}

// Sigma is the standard deviation of effects, by the interval of their variance.
func (e *Effects) Sigma(confidence float64) Interval {
	i := e.Variance.Interval(confidence)
	root := func(v float64) float64 {
		if v < 0 {
			return 0
		}
		return math.Sqrt(v)
	}
	return Interval{Estimate: root(i.Estimate), Low: root(i.Low), High: root(i.High)}
}

// EffectsOf sums effects up, by trajectory and replication: as many replications of each.
func EffectsOf(effects [][]float64) Effects {
	replications := len(effects[0])
	mean := func(size func(float64) float64) Estimate {
		return crossed(len(effects), replications, 1, func(t, r int) float64 {
			var sizes []float64
			for _, row := range without(effects, t, r) {
				sizes = append(sizes, size(Sum(row)/float64(len(row))))
			}
			return Sum(sizes) / float64(len(sizes))
		})
	}
	e := Effects{MuStar: mean(math.Abs), Mu: mean(func(v float64) float64 { return v })}
	e.Variance = crossed(len(effects), replications, 2, func(t, r int) float64 { return covariance(without(effects, t, r)) })
	var noise Total
	for _, row := range effects {
		noise.Add(variance(row) / float64(replications))
	}
	e.Noise = math.Sqrt(2 / math.Pi * noise.Value() / float64(len(effects)))
	return e
}

// without is a table but for a row and a column; -1 for none.
func without(table [][]float64, row, column int) [][]float64 {
	var out [][]float64
	for i, values := range table {
		if column >= 0 {
			values = slices.Delete(slices.Clone(values), column, column+1)
		}
		if i != row {
			out = append(out, values)
		}
	}
	return out
}

// covariance is the mean over pairs of columns; of one column its variance, of no row NaN.
func covariance(table [][]float64) float64 {
	if len(table) == 0 {
		return math.NaN()
	}
	n := len(table[0])
	sums, column := make([]float64, len(table)), make([]float64, len(table))
	for i, row := range table {
		sums[i] = Sum(row)
	}
	v := variance(sums)
	if n == 1 {
		return v
	}
	for r := range n {
		for i, row := range table {
			column[i] = row[r]
		}
		v -= variance(column)
	}
	return v / float64(n*(n-1))
}

// Base is the answers of one scramble in one replication, by point: of the two base samples, and by knob of the first with
// the knob of the second.
type Base struct {
	A, B []float64
	AB   [][]float64
}

// Indices are Sobol' indices of a knob: shares of the variance of the mean answer, alone and with all others; NaN where no variance
// is left beside the noise.
type Indices struct{ First, Total Crossed }

// rounding is the share of an answer up to which a change of it is rounding.
const rounding = 1e-12

// Change is the difference of two answers, 0 where it is rounding.
func Change(from, to float64) float64 { return beyond(to-from, max(math.Abs(from), math.Abs(to))) }

// beyond is d, or 0 where it is rounding of numbers of a size.
func beyond(d, size float64) float64 {
	if math.Abs(d) > rounding*size || math.IsInf(d, 0) {
		return d
	}
	return 0
}

// equal reports whether two answers are equal but for rounding.
func equal(a, b float64) bool { return a == b || Finite(a) && Finite(b) && Change(a, b) == 0 }

// IndicesOf estimates the indices of each knob from answers by scramble and replication, after A. Saltelli and others 2010,
// Computer Physics Communications 181, 259-270 (first, b) and M. J. W. Jansen 1999, Computer Physics Communications 117, 35-43
// (total). Every product is of two replications, and every difference of one: for independent replications r and q
//
//	first V = mean (B_r - mean B_r) (AB_q - A_q),  total V = mean (A_r - AB_r) (A_q - AB_q) / 2,  V = cov (A_r B_r, A_q B_q),
//
// have the expectations that they have of the mean answer, so that noise is in no index, nor what replications share. It needs
// two replications; with three or more the intervals have their spread too.
func IndicesOf(answers [][]Base) []Indices {
	scrambles, replications := len(answers), len(answers[0])
	knobs := len(answers[0][0].AB)
	pair := func() []float64 { return make([]float64, scrambles*replications*replications) }
	whole, first, total := pair(), make([][]float64, knobs), make([][]float64, knobs)
	for k := range knobs {
		first[k], total[k] = pair(), pair()
	}
	for s, of := range answers {
		n := float64(len(of[0].A))
		means := make([]float64, replications)
		for r, x := range of {
			means[r] = (Sum(x.A)/n + Sum(x.B)/n) / 2
		}
		for r := range of {
			meanB := Sum(of[r].B) / n
			for q := range of {
				if q == r {
					continue
				}
				at := (s*replications+r)*replications + q
				x, y := &of[r], &of[q]
				var w Total
				for j := range x.A {
					w.Add((x.A[j]-means[r])*(y.A[j]-means[q]) + (x.B[j]-means[r])*(y.B[j]-means[q]))
				}
				if v := w.Value() / (2 * n); math.Abs(v) > rounding*rounding*math.Abs(means[r]*means[q]) {
					whole[at] = v
				}
				for k := range knobs {
					var f, t Total
					for j := range x.A {
						change := Change(y.A[j], y.AB[k][j])
						f.Add((x.B[j] - meanB) * change)
						t.Add(Change(x.A[j], x.AB[k][j]) * change / 2)
					}
					first[k][at], total[k][at] = f.Value()/n, t.Value()/n
				}
			}
		}
	}
	sum := func(of []float64, unit, replication int) float64 {
		var all Total
		for s := range scrambles {
			for r := range replications {
				for q := range replications {
					if s != unit && r != replication && q != replication {
						all.Add(of[(s*replications+r)*replications+q])
					}
				}
			}
		}
		return all.Value()
	}
	share := func(of []float64) Crossed {
		return crossing(scrambles, replications, 2, func(unit, replication int) float64 {
			if v := sum(whole, unit, replication); v > 0 {
				return sum(of, unit, replication) / v
			}
			return math.NaN()
		})
	}
	out := make([]Indices, knobs)
	for k := range knobs {
		out[k] = Indices{share(first[k]), share(total[k])}
	}
	return out
}

// RangeOf is the distance of the largest from the smallest mean of some levels, by level and replication; the interval is over
// replications. Where the levels move answers and not their means, which is rare, it misses 0 in a sixth of cases: no range is below.
func RangeOf(levels [][]float64) Estimate {
	return crossed(0, len(levels[0]), 1, func(_, r int) float64 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, row := range without(levels, -1, r) {
			mean := Sum(row) / float64(len(row))
			low, high = min(low, mean), max(high, mean)
		}
		return Change(low, high)
	})
}

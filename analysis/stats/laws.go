package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// The laws of this package, by the special functions of gonum alone. Its package of laws links its linear algebra, which is a
// megabyte of the program; the tests hold these to it.

// studentQuantile is the p-quantile of Student's law, for p above a half.
func studentQuantile(p, nu float64) float64 {
	t := mathext.InvRegIncBeta(nu/2, 0.5, 2*(1-p))
	return math.Sqrt(nu * (1 - t) / t)
}

// studentSurvival is the probability that Student's law is above x, for x above 0.
func studentSurvival(x, nu float64) float64 {
	return 0.5 * mathext.RegIncBeta(nu/2, 0.5, nu/(x*x+nu))
}

// binomialCDF is the probability of at most x of n with the probability p each, for a whole x from 0.
func binomialCDF(x, n, p float64) float64 {
	if x >= n {
		return 1
	}
	return mathext.RegIncBeta(n-x, x+1, 1-p)
}

// fisherSurvival is the probability that the law of F with d1 and d2 degrees of freedom is above x.
func fisherSurvival(x, d1, d2 float64) float64 {
	return 1 - mathext.RegIncBeta(d1/2, d2/2, d1*x/(d1*x+d2))
}

// chiSquaredSurvival is the probability that the law of chi squared with k degrees of freedom is above x, which is 0 or more.
func chiSquaredSurvival(x, k float64) float64 { return mathext.GammaIncRegComp(k/2, x/2) }

func normalDensity(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// variance is that of a sample (divided by n - 1), with the correction of T. F. Chan, G. H. Golub and R. J. LeVeque 1983,
// The American Statistician 37, 242-247.
func variance(values []float64) float64 {
	n := float64(len(values))
	mean := Sum(values) / n
	squares, rest := 0.0, 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
		rest += v - mean
	}
	return (squares - rest*rest/n) / (n - 1)
}

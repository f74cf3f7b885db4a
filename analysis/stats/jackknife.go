package stats

import "math"

// JackknifeVariance is the delete-one jackknife estimate of the variance of a statistic: leftOut[i] is its value without
// group i, and the variance is (n-1)/n times the sum of squared distances of these values from their mean. NaN below two
// groups or where a value is not finite.
//
// Source: B. Efron and R. J. Tibshirani 1993, An Introduction to the Bootstrap, Chapman & Hall, section 11.1, equation
// 11.5. It suits smooth statistics (means, ratios, slopes), not medians and other quantiles (their section 11.6).
func JackknifeVariance(leftOut []float64) float64 {
	n := float64(len(leftOut))
	if n < 2 {
		return math.NaN()
	}
	mean := Sum(leftOut) / n
	var a accumulator
	for _, v := range leftOut {
		if !isFinite(v) {
			return math.NaN()
		}
		a.add((v - mean) * (v - mean))
	}
	return (n - 1) / n * a.total()
}

// Estimate is a statistic with its standard error; the zero SE is of a statistic that no replication changes.
type Estimate struct {
	Value, SE float64
	DF        int // degrees of freedom of SE
}

// Jackknife estimates a statistic from independent sets of replications: value is the statistic of all of them, and each
// list of leftOut its values with one replication of one set left out. The variances of the sets add up. The degrees of
// freedom are n-1, and of several sets those of Welch and Satterthwaite (B. L. Welch 1947, Biometrika 34, 28-35), rounded
// down. For the mean of paired differences the interval is Student's paired interval.
func Jackknife(value float64, leftOut ...[]float64) Estimate {
	parts := make([]part, len(leftOut))
	for i, set := range leftOut {
		parts[i] = part{JackknifeVariance(set), len(set) - 1}
	}
	return combine(value, parts)
}

// part is a variance that is added to independent ones, with its degrees of freedom.
type part struct {
	variance float64
	df       int
}

// combine adds the variances up; the degrees of freedom are those of Welch and Satterthwaite, rounded down.
func combine(value float64, parts []part) Estimate {
	variance, weight, df := 0.0, 0.0, math.MaxInt
	for _, p := range parts {
		variance += p.variance
		weight += p.variance * p.variance / float64(p.df)
		df = min(df, p.df)
	}
	if len(parts) > 1 && weight > 0 {
		df = max(df, int(variance*variance/weight*(1+1e-12)))
	}
	return Estimate{Value: value, SE: math.Sqrt(variance), DF: df}
}

// Interval is Value +- t(DF) SE; infinite where there is no standard error.
func (e Estimate) Interval(confidence float64) Interval {
	switch {
	case math.IsNaN(e.Value):
		return nowhere()
	case math.IsNaN(e.SE) || e.DF < 1:
		return unbounded(e.Value)
	}
	half := TQuantile(confidence, e.DF) * e.SE
	return Interval{Estimate: e.Value, Low: e.Value - half, High: e.Value + half}
}

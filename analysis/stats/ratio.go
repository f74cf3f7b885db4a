package stats

import "math"

// LogRatio is the estimate of the logarithm of a ratio of two positive statistics, for [Estimate.Exponential]: log is the
// jackknife estimate of the logarithm, of and to are what each replication brings to numerator and denominator
// (pseudo-values; for means, its values), by independent set of replications; the ratio is that of these averages to the
// given power (for standard deviations, of variances, 1/2). The standard error is not taken to be below
// that of the mean of the logarithms of the replications' own ratios, over those that have one: with few skewed replications
// the jackknife sees too little of them (Fieller's interval covers .84 to .95 there, and is unbounded in up to 39 % of
// samples).
func LogRatio(log Estimate, of, to [][]float64, power float64) Estimate {
	floor := 0.0
	for set := range of {
		var logs []float64
		for i := range of[set] {
			if of[set][i] > 0 && to[set][i] > 0 {
				logs = append(logs, math.Log(of[set][i]/to[set][i]))
			}
		}
		if se := TakeSample(logs).Estimate().SE; se > 0 {
			floor += se * se
		}
	}
	if floor = power * math.Sqrt(floor); floor > log.SE {
		log.SE = floor
	}
	return log
}

type ratio struct {
	value float64 // of the ratio
	log   Estimate
}

// logRatioOfPairs is the ratio of means of values that are not negative.
func logRatioOfPairs(base, other []float64, value float64) ratio {
	n := float64(len(base))
	allBase, allOther := Sum(base), Sum(other)
	out := make([]float64, len(base))
	for i := range base {
		// What is left without the only value that is not 0 may round to something else than 0.
		left := Pair{max(allBase-base[i], 0), max(allOther-other[i], 0)}
		if left.Base <= 1e-15*allBase {
			left.Base = 0
		}
		if left.Other <= 1e-15*allOther {
			left.Other = 0
		}
		out[i] = (n - 1) / n * -math.Log(left.Other/left.Base) // what the replication brings, but for a constant
	}
	return ratio{value, LogRatio(combine(math.Log(value), []cumulants{bring(out)}), [][]float64{other}, [][]float64{base}, 1)}
}

// interval is the ratio's; the doubt says why it has no bounds.
func (r ratio) interval(confidence float64) (Interval, string) {
	if !Finite(r.log.Value) || math.IsNaN(r.log.SE) {
		return Interval{Estimate: r.value, High: math.Inf(1)}, "a mean is 0, or is without one of the replications: the ratio of means has no bounded interval"
	}
	i := r.log.Exponential(confidence)
	i.Estimate = r.value
	return i, ""
}

// Fieller is the interval of a ratio A / B of statistics that may be negative: all r for which Student's test accepts that
// A - r B is 0 (E. C. Fieller 1954, Some problems in interval estimation, Journal of the Royal Statistical Society B 16,
// 175-185). It reports false where that set is not bounded, which is where B may be 0. rest is the estimate of
// A - (A/B) B, whose value is 0, to that of B, and sum that of the sum of both.
//
// With d = r - A/B it solves (B^2 - t^2 var(B)) d^2 + 2 t^2 cov(rest, B) d - t^2 var(rest) <= 0, in which nothing cancels.
func Fieller(ratio float64, rest, to, sum Estimate, confidence float64) (Interval, bool) {
	df := min(rest.DF, to.DF, sum.DF)
	if df < 1 || math.IsNaN(ratio+rest.SE+to.SE+sum.SE) {
		return NoInterval(ratio), false
	}
	t := TQuantile(confidence, df)
	k := t * t
	a := to.Value*to.Value - k*to.SE*to.SE
	if !(a > 0) {
		return NoInterval(ratio), false
	}
	b := k * (sum.SE*sum.SE - rest.SE*rest.SE - to.SE*to.SE) / 2
	root := math.Sqrt(b*b + a*k*rest.SE*rest.SE)
	return Interval{Estimate: ratio, Low: ratio + (-b-root)/a, High: ratio + (-b+root)/a}, true
}

func fiellerOfPairs(base, other []float64, value, confidence float64) (Interval, string) {
	rest, sum := make([]float64, len(base)), make([]float64, len(base))
	for i := range base {
		rest[i] = other[i] - value*base[i]
		sum[i] = rest[i] + base[i]
	}
	i, ok := Fieller(value, TakeSample(rest).Estimate(), NewSample(base).Estimate(), TakeSample(sum).Estimate(), confidence)
	if !ok {
		return i, "the baseline's mean does not differ from 0 at this confidence: the ratio of means has no bounded interval"
	}
	return i, ""
}

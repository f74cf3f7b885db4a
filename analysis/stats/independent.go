package stats

import (
	"math"
	"slices"
)

// CompareIndependent compares the means of two independent sets of replications, which are of other random numbers, as
// [ComparePaired] does pairs; values that are not finite are left out and counted. N is the size of the smaller set. The
// degrees of freedom are Welch's.
func CompareIndependent(base, other []float64, confidence float64) Paired {
	a, b := sortedFinite(base), sortedFinite(other)
	r := Paired{N: min(len(a), len(b)), Ratio: NoInterval(math.NaN()), RatioRule: Logarithm}
	if left := len(base) + len(other) - len(a) - len(b); left > 0 {
		r.Warnings = append(r.Warnings, Warnf(NotFinite, "%d of %d values are missing or not finite and were left out", left,
			len(base)+len(other)))
	}
	if r.N < 2 {
		r.Warnings = append(r.Warnings, Warnf(TooFew, "an interval needs at least 2 replications of both, there are %d and %d", len(a), len(b)))
	}
	r.BaseMean, r.OtherMean = NewSample(a).Mean(), NewSample(b).Mean()
	r.Error = apart(a, b, 1, 0)
	r.Tested, r.Difference = r.Error, r.Error.Interval(confidence)
	switch {
	case r.N == 0:
	case a[0] < 0 || b[0] < 0:
		r.doubt("a value is negative: unrelated replications have no ratio then")
	case r.BaseMean == 0:
		r.doubt(noRatio)
	default:
		r.Ratio = Interval{Estimate: r.OtherMean / r.BaseMean, High: math.Inf(1)}
		log := combine(math.Log(r.Ratio.Estimate), []cumulants{bring(logsWithout(a, 1)), bring(logsWithout(b, -1))})
		log.SE = max(log.SE, math.Hypot(spreadOfLogs(a), spreadOfLogs(b))) // see [LogRatio]
		if !Finite(log.Value) || math.IsNaN(log.SE) {
			r.doubt(noBounds)
		} else {
			r.testRatio(log, confidence)
		}
	}
	return r
}

func sortedFinite(all []float64) []float64 {
	return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return !Finite(v) })))
}

// apart estimates mean(b) - share mean(a) + by.
func apart(a, b []float64, share, by float64) Estimate {
	return combine(NewSample(b).Mean()-share*NewSample(a).Mean()+by, []cumulants{ofMean(a, -share), ofMean(b, 1)})
}

// ofMean is the contribution of values to their mean times a factor.
func ofMean(all []float64, factor float64) cumulants {
	z := make([]float64, len(all))
	for i, v := range all {
		z[i] = factor * v / float64(len(all))
	}
	return bring(z)
}

// logsWithout returns the contribution of each value to the logarithm of the mean, by the jackknife.
func logsWithout(all []float64, sign float64) []float64 {
	n, sum := float64(len(all)), Sum(all)
	z := make([]float64, len(all))
	for i, v := range all {
		left := max(sum-v, 0)
		if left <= 1e-15*sum {
			left = 0
		}
		z[i] = sign * (n - 1) / n * math.Log(left)
	}
	return z
}

// spreadOfLogs is the standard error of the mean logarithm of the values above 0.
func spreadOfLogs(all []float64) float64 {
	var logs []float64
	for _, v := range all {
		if v > 0 {
			logs = append(logs, math.Log(v))
		}
	}
	if se := TakeSample(logs).Estimate().SE; se > 0 {
		return se
	}
	return 0
}

// EquivalenceOfIndependent compares the two independent sets behind r with a margin.
func EquivalenceOfIndependent(base, other []float64, m Margin, r *Paired) Equivalence {
	if m.Share > 0 && r.TestedRatio {
		return withinShare(m, r)
	}
	base, other = sortedFinite(base), sortedFinite(other)
	share := m.Share
	if r.BaseMean < 0 {
		share = -share
	}
	return Equivalence{apart(base, other, 1-share, m.Value), apart(base, other, 1+share, -m.Value), r.Error}
}

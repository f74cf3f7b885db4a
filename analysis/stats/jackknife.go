package stats

import (
	"cmp"
	"math"
	"slices"
)

// Class is the groups of a set of replications that have equally many of them, such as points of a sweep with 10 where
// others have 80. LeftOut[r] is the statistic without replication r in the groups of this class, all others as they are;
// it is NaN where the class has no replication r. The replications of two classes are nested.
type Class struct{ LeftOut []float64 }

func (c Class) n() int {
	n := 0
	for _, v := range c.LeftOut {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Jackknife estimates a statistic of replications from its values with one of them left out: each element of sets is the
// classes of an independent set of replications, one class where all groups have as many. B. Efron and R. J. Tibshirani
// 1993, An Introduction to the Bootstrap, Chapman & Hall, chapter 11. It suits smooth statistics (means, ratios, slopes),
// not medians, other quantiles and crossings.
//
// The statistic is a function of group means. To first order its error is a sum over replications r of what r brings to it,
//
//	Z(r) = sum over classes k that have r of I(k,r) / n(k),   I(k,r) = (n(k) - 1) (value - LeftOut(k,r)),
//
// I being the influence of r through the groups of class k (their section 11.5, pseudo-values) and n(k) their number of
// replications. Groups share the random numbers of a replication, so that what it brings through several classes is
// summed before it is squared: paired comparisons keep their gain where both sides have the replication. Replications
// that the same classes have, a layer, are alike: the Z of a layer of L replications are independent and equally distributed. They
// bring L s^2 and L k3 to the variance and to the third cumulant, with L-1 degrees of freedom. s^2 and k3 are the unbiased
// estimates from these Z. Layers and sets are independent: their cumulants add up, with the degrees of freedom of Welch and
// Satterthwaite (B. L. Welch 1947, Biometrika 34, 28-35), rounded down. For a linear statistic the variance is unbiased for any
// correlation between groups. A layer of one replication has no spread of its own. There the variance is Z^2 with every term of Z
// scaled by sqrt(n(k)/(n(k)-1)), for the groups' means are estimated, with 1 degree of freedom.
//
// For the mean of n values, and so for the mean of paired differences, value, standard error and skewness are those of
// [Sample.Estimate].
func Jackknife(value float64, sets ...[]Class) Estimate {
	var parts []cumulants
	for _, classes := range sets {
		parts = append(parts, layers(value, classes)...)
	}
	return combine(value, parts)
}

// cumulants holds the contributions of independent replications to the cumulants of an error.
type cumulants struct {
	variance, third float64 // third is NaN where too few tell it
	df              int
}

func bring(z []float64) cumulants {
	n := float64(len(z))
	p := cumulants{variance: math.NaN(), third: math.NaN(), df: len(z) - 1}
	if len(z) < 2 || slices.ContainsFunc(z, func(v float64) bool { return !Finite(v) }) {
		return p
	}
	mean := Sum(z) / n
	var two, three Total
	for _, v := range z {
		d := v - mean
		two.Add(d * d)
		three.Add(d * d * d)
	}
	p.variance = n / (n - 1) * two.Value()
	if n > 2 {
		p.third = n * n / ((n - 1) * (n - 2)) * three.Value()
	}
	return p
}

// combine adds the cumulants up. An unknown part of the third counts as 0 beside the known parts.
func combine(value float64, parts []cumulants) Estimate {
	variance, third, weight, df, known := 0.0, 0.0, 0.0, math.MaxInt, false
	for _, p := range parts {
		variance += p.variance
		weight += p.variance * p.variance / float64(p.df)
		df = min(df, p.df)
		if !math.IsNaN(p.third) {
			third, known = third+p.third, true
		}
	}
	if len(parts) > 1 && weight > 0 {
		df = max(df, int(variance*variance/weight*(1+1e-12)))
	}
	e := Estimate{Value: value, SE: math.Sqrt(variance), DF: df, Skew: math.NaN()}
	switch {
	case known && variance > 0:
		e.Skew = third / (variance * e.SE)
	case known && variance == 0:
		e.Skew = 0
	}
	return e
}

func layers(value float64, classes []Class) []cumulants {
	classes = slices.Clone(classes)
	slices.SortStableFunc(classes, func(a, b Class) int { return cmp.Compare(b.n(), a.n()) })
	n := make([]float64, len(classes))
	for k, c := range classes {
		n[k] = float64(c.n())
	}
	brings := func(r, depth int, scale func(n float64) float64) float64 {
		var a Total
		for k, c := range classes[:depth] {
			a.Add((n[k] - 1) * (value - c.LeftOut[r]) / n[k] * scale(n[k]))
		}
		return a.Value()
	}
	// The largest class has all replications; depth is how many classes have r.
	members := make([][]int, len(classes)+1)
	for r, v := range classes[0].LeftOut {
		if math.IsNaN(v) {
			continue
		}
		depth := 1
		for depth < len(classes) && r < len(classes[depth].LeftOut) && !math.IsNaN(classes[depth].LeftOut[r]) {
			depth++
		}
		members[depth] = append(members[depth], r)
	}
	var parts []cumulants
	for depth, layer := range members {
		if len(layer) == 1 && len(classes) > 1 {
			z := brings(layer[0], depth, func(n float64) float64 { return math.Sqrt(n / (n - 1)) })
			parts = append(parts, cumulants{z * z, math.NaN(), 1})
		} else if len(layer) > 0 {
			z := make([]float64, len(layer))
			for i, r := range layer {
				z[i] = brings(r, depth, func(float64) float64 { return 1 })
			}
			parts = append(parts, bring(z))
		}
	}
	if len(parts) == 0 {
		parts = []cumulants{bring(nil)}
	}
	return parts
}

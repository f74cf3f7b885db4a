package stats

import (
	"cmp"
	"math"
	"slices"
)

// Class is the groups of a set of replications that have equally many of them, such as points of a sweep with 10 where
// others have 80. LeftOut[r] is the statistic without replication r in the groups of this class, all others as they are;
// it is NaN where the class has no replication r. Of two classes one has all the replications of the other.
type Class struct{ LeftOut []float64 }

// n is the number of replications of the class.
func (c Class) n() int {
	n := 0
	for _, v := range c.LeftOut {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// JackknifeUnequal is [Jackknife] for sets of replications of which some groups have more than others; each element of sets
// is the classes of an independent set. A set of one class is a set of Jackknife, with the same result.
//
// The statistic is a function of group means. To first order its error is a sum over replications r of what r brings to it,
//
//	Z(r) = sum over classes k that have r of I(k,r) / n(k),   I(k,r) = (n(k) - 1) (value - LeftOut(k,r)),
//
// I being the influence of r through the groups of class k (Efron and Tibshirani 1993, section 11.5, pseudo-values) and
// n(k) their number of replications. Groups share the random numbers of a replication, so that what it brings through
// several classes is summed before it is squared: paired comparisons keep their gain where both sides have the replication.
// Replications that the same classes have, a layer, are alike: the Z of a layer of L replications are independent and
// equally distributed, and bring
//
//	V = L s^2,   s^2 = sum of (Z - mean Z)^2 / (L - 1),
//
// with L-1 degrees of freedom to the variance. For a linear statistic that is unbiased whatever the correlation between
// groups, and for normal data L-1 times V over its expectation has a chi-squared law. Layers are independent: their
// variances add up, with the degrees of freedom of Welch and Satterthwaite. A layer of one replication has no spread of its
// own; there V is Z^2 with every term of Z scaled by sqrt(n(k)/(n(k)-1)), for the groups' means are estimated, and has 1
// degree of freedom.
func JackknifeUnequal(value float64, sets ...[]Class) Estimate {
	var parts []part
	for _, classes := range sets {
		if len(classes) == 1 {
			var leftOut []float64
			for _, v := range classes[0].LeftOut {
				if !math.IsNaN(v) {
					leftOut = append(leftOut, v)
				}
			}
			parts = append(parts, part{JackknifeVariance(leftOut), len(leftOut) - 1})
			continue
		}
		parts = append(parts, layers(value, classes)...)
	}
	return combine(value, parts)
}

// layers is the variances of the layers of one set.
func layers(value float64, classes []Class) []part {
	classes = slices.Clone(classes)
	slices.SortStableFunc(classes, func(a, b Class) int { return cmp.Compare(b.n(), a.n()) })
	n := make([]float64, len(classes))
	for k, c := range classes {
		n[k] = float64(c.n())
	}
	brings := func(r, depth int, scale func(n float64) float64) float64 {
		var a accumulator
		for k, c := range classes[:depth] {
			a.add((n[k] - 1) * (value - c.LeftOut[r]) / n[k] * scale(n[k]))
		}
		return a.total()
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
	var parts []part
	for depth, layer := range members {
		switch len(layer) {
		case 0:
		case 1:
			z := brings(layer[0], depth, func(n float64) float64 { return math.Sqrt(n / (n - 1)) })
			parts = append(parts, part{z * z, 1})
		default:
			l := float64(len(layer))
			z := make([]float64, len(layer))
			for i, r := range layer {
				z[i] = brings(r, depth, func(float64) float64 { return l / (l - 1) }) // V is then the jackknife's variance of z
			}
			parts = append(parts, part{JackknifeVariance(z), len(layer) - 1})
		}
	}
	return parts
}

package stats

import (
	"math"
	"slices"
	"sort"
)

// PAbove is the p-value of [Estimate.Interval] for a value above c: 1 minus the highest confidence at which the interval
// lies above c; 1 where none does. NaN where there is no interval.
func (e Estimate) PAbove(c float64) float64 { return e.pBeyond((e.Value-c)/e.SE, 1) }

// PBelow is the same for a value below c.
func (e Estimate) PBelow(c float64) float64 { return e.pBeyond((c-e.Value)/e.SE, -1) }

// PNot is the p-value for a value that is not c: the interval leaves c out at every confidence below 1 minus it.
func (e Estimate) PNot(c float64) float64 {
	if _, none := e.undecided(); none {
		return math.NaN()
	}
	return min(e.PAbove(c), e.PBelow(c), 1)
}

// pBeyond inverts both intervals of the hull: Student's lies beyond c while t is below z, Hall's while h(t) is, where h is
// taken with the sign of the side. The hull does where both do.
func (e Estimate) pBeyond(z, side float64) float64 {
	if _, none := e.undecided(); none {
		return math.NaN()
	}
	if math.IsNaN(z) { // all values are equal, and c
		return 1
	}
	if a := side * e.Skew; !math.IsNaN(a) && a != 0 && !math.IsInf(z, 0) {
		u := a * z / 3
		z = min(z, a/6+z*(1+u+u*u/3)) // ((1+u)^3 - 1) / a would cancel
	}
	if z <= 0 {
		return 1
	}
	return 2 * studentSurvival(z, float64(e.DF))
}

// MedianPNot is the p-value that the median of what the values were drawn from is not c, by inverting the interval
// between order statistics: the sign test. NaN without values.
func (s Sample) MedianPNot(c float64) float64 {
	below, above := 0.0, 0.0
	for _, v := range s.sorted {
		if v <= c {
			below++
		}
		if v >= c {
			above++
		}
	}
	if s.N() == 0 {
		return math.NaN()
	}
	return min(1, 2*binomialCDF(min(below, above), float64(s.N()), 0.5))
}

// Family is p-values, each of one test of several: those of S. Holm 1979, A simple sequentially rejective multiple test
// procedure, Scandinavian Journal of Statistics 6, 65-70. That any true hypothesis of the family is rejected has at
// most the probability of one test, for any dependence between the tests.
type Family struct{ sorted, adjusted []float64 }

// NewFamily is the family of the p-values. It leaves out NaN, of comparisons that were not tested.
func NewFamily(p []float64) Family {
	f := Family{sorted: slices.DeleteFunc(slices.Clone(p), math.IsNaN)}
	slices.Sort(f.sorted)
	most := 0.0
	for i, p := range f.sorted {
		most = max(most, min(1, float64(len(f.sorted)-i)*p))
		f.adjusted = append(f.adjusted, most)
	}
	return f
}

// Adjusted is Holm's p-value of one that is p by itself: below alpha where the family rejects at alpha.
func (f Family) Adjusted(p float64) float64 {
	if math.IsNaN(p) {
		return p
	}
	// Of equal ones the first has the largest factor, and the others are not below it.
	i, _ := slices.BinarySearch(f.sorted, p)
	if i == len(f.sorted) {
		return 1
	}
	return f.adjusted[i]
}

// Level returns the bound below which a p-value that the family does not reject at alpha would be rejected, with equal others.
func (f Family) Level(alpha float64) float64 {
	rejected, _ := slices.BinarySearch(f.adjusted, alpha)
	return alpha / float64(max(len(f.sorted)-rejected, 1))
}

// Margin is up to which difference two means count as the same; the zero value is none.
type Margin struct {
	Value float64 // in the metric's unit, or
	Share float64 // of the baseline's mean
}

// Given reports that there is a margin.
func (m Margin) Given() bool { return m.Value > 0 || m.Share > 0 }

// Equivalence is the basis of the equivalence of two means within a margin: they are equivalent where Low is above 0 and
// High below it. Difference is the centre of the margin.
type Equivalence struct{ Low, High, Difference Estimate }

// EquivalenceOf compares the pairs behind r with a margin; pairs that are not finite are left out. A share of the
// baseline's mean is one of the ratio where no value is negative. Else it is taken of each pair's own, so that the error of
// that mean is in the estimates.
func EquivalenceOf(pairs []Pair, m Margin, r *Paired) Equivalence {
	if m.Share > 0 && r.TestedRatio {
		return withinShare(m, r)
	}
	var low, high []float64
	base := 0.0
	for _, p := range pairs {
		if Finite(p.Base) && Finite(p.Other) {
			d := p.Other - p.Base
			low, high = append(low, d+m.Value+m.Share*p.Base), append(high, d-m.Value-m.Share*p.Base)
			base += p.Base
		}
	}
	if base < 0 && m.Share > 0 { // the share of a negative mean is negative
		low, high = high, low
	}
	return Equivalence{TakeSample(low).Estimate(), TakeSample(high).Estimate(), r.Error}
}

func withinShare(m Margin, r *Paired) Equivalence {
	e := Equivalence{r.Tested, r.Tested, r.Tested}
	e.Low.Value -= math.Log(1 - m.Share)
	e.High.Value -= math.Log(1 + m.Share)
	return e
}

// P is the p-value by inverting both intervals.
func (e Equivalence) P() float64 { return max(e.Low.PAbove(0), e.High.PBelow(0)) }

// Needed is about how many replications it takes to find equal means the same within the margin, and to find them different where
// the margin lies between them. It follows from the spread of n replications, with intervals of this confidence and a probability
// of at least [Power]. It is above a million where none of use do.
func (e Equivalence) Needed(n int, confidence float64) int {
	margin := min(e.Low.Value-e.Difference.Value, e.Difference.Value-e.High.Value)
	if n < 2 || !(margin > 0) || !(e.Difference.SE > 0) {
		return maxReplications
	}
	spread := e.Difference.SE * math.Sqrt(float64(n))
	return 2 + sort.Search(maxReplications-2, func(more int) bool {
		n := 2 + more
		// Both ends of the margin must be left out: of what Power leaves, each may miss a half.
		reach := TQuantile(confidence, n-1) + TQuantile(Power, n-1)
		return reach*spread/math.Sqrt(float64(n)) <= margin
	})
}

// Power is the probability with which the stated number of replications decides.
const Power = 0.8

// Agreement finds whether replications are the same in every metric: then nothing in them is random, and that they agree
// is no evidence.
type Agreement struct {
	// Differ reports that some metric is not the same in all replications.
	Differ bool
	most   int // values of a metric
}

// Add takes in a metric: this number of values, one a replication. Values that are not finite say nothing.
func (a *Agreement) Add(n int, value func(i int) float64) {
	known, first := 0, 0.0
	for i := range n {
		v := value(i)
		if !Finite(v) {
			continue
		}
		if known++; known == 1 {
			first = v
		}
		a.Differ = a.Differ || v != first
	}
	a.most = max(a.most, known)
}

// Whole reports that there are several replications, and that they are the same.
func (a *Agreement) Whole() bool { return a.most > 1 && !a.Differ }

const maxReplications = 1 << 24

// ReplicationsFor is about how many replications make an interval of n of them factor times as long (0 < factor < 1):
// half-widths go with t(N-1) / sqrt(N). It is above a million where none of use do.
func ReplicationsFor(n int, factor, confidence float64) int {
	if n < 2 || !(factor > 0) {
		return maxReplications
	}
	half := func(n int) float64 { return TQuantile(confidence, n-1) / math.Sqrt(float64(n)) }
	goal := factor * half(n)
	return n + sort.Search(maxReplications-n, func(more int) bool { return half(n+more) <= goal })
}

package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestJackknifeOfLawSchools: the correlation of 15 law schools' mean LSAT and GPA. Efron and Tibshirani 1993, table 3.1
// (data); B. Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans, section 3.1: correlation .776, jackknife
// standard error .142.
func TestJackknifeOfLawSchools(t *testing.T) {
	lsat := []float64{576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594}
	gpa := []float64{3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96}
	correlation := func(leave int) float64 {
		var points []XY
		for i := range lsat {
			if i != leave {
				points = append(points, XY{lsat[i], gpa[i]})
			}
		}
		return math.Sqrt(FitLine(points, nil).R2) // the slope is positive
	}
	var out []float64
	for i := range lsat {
		out = append(out, correlation(i))
	}
	e := Jackknife(correlation(-1), []Class{{out}})
	near(t, "correlation", e.Value, 0.776, 5e-4)
	near(t, "standard error", e.SE, 0.142, 6e-4)
}

// leftOut lists the means without one value each.
func leftOut(values []float64) []float64 {
	out := make([]float64, len(values))
	for i := range values {
		rest := append(append([]float64(nil), values[:i]...), values[i+1:]...)
		out[i] = NewSample(rest).Mean()
	}
	return out
}

func TestJackknifeOfAMeanIsTheSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 3, 30).Draw(t, "values")
		s := NewSample(values)
		want, got := s.Estimate(), Jackknife(s.Mean(), []Class{{leftOut(values)}})
		if got.DF != want.DF || !(math.Abs(want.SE-got.SE) <= 1e-8) {
			t.Fatalf("jackknife %v, sample %v", got, want)
		}
		if !(math.Abs(want.Skew-got.Skew) <= 1e-6) && want.SE > 1e-3 {
			t.Fatalf("jackknife's skewness %v, the sample's %v", got.Skew, want.Skew)
		}
	})
}

// TestJackknifeOfTwoSets: the difference of the means of two independent samples has Welch's interval. SciPy 1.17:
// stats.ttest_ind(g2, g1, equal_var=False) of the sleep data has 17.776 degrees of freedom, here rounded down.
func TestJackknifeOfTwoSets(t *testing.T) {
	m1, m2 := NewSample(sleep1), NewSample(sleep2)
	var a, b []float64
	for _, v := range leftOut(sleep1) {
		a = append(a, m2.Mean()-v)
	}
	for _, v := range leftOut(sleep2) {
		b = append(b, v-m1.Mean())
	}
	e := Jackknife(m2.Mean()-m1.Mean(), []Class{{a}}, []Class{{b}})
	near(t, "difference", e.Value, 1.58, 1e-12)
	near(t, "standard error", e.SE, math.Sqrt((m1.SD()*m1.SD()+m2.SD()*m2.SD())/10), 1e-12)
	if e.DF != 17 {
		t.Errorf("%d degrees of freedom, want 17", e.DF)
	}
}

func TestJackknifeOfTooFew(t *testing.T) {
	if i := Jackknife(3, []Class{{[]float64{2}}}).Interval(0.95); i.Bounded() || i.Estimate != 3 {
		t.Errorf("one group: %v", i)
	}
	if e := Jackknife(3, []Class{{[]float64{1, math.Inf(1), 2}}}); !math.IsNaN(e.SE) || e.Interval(0.95).Bounded() {
		t.Errorf("%v with an infinite value", e)
	}
}

// Cumulants of independent sets add up: so do the third ones of two means.
func TestSkewnessOfTwoSets(t *testing.T) {
	a, b := []float64{1, 2, 3, 10}, []float64{0, 0, 5, 1, 20}
	ma, mb := NewSample(a), NewSample(b)
	var la, lb []float64
	for _, v := range leftOut(a) {
		la = append(la, v+mb.Mean())
	}
	for _, v := range leftOut(b) {
		lb = append(lb, ma.Mean()+v)
	}
	e, ea, eb := Jackknife(ma.Mean()+mb.Mean(), []Class{{la}}, []Class{{lb}}), ma.Estimate(), mb.Estimate()
	near(t, "third cumulant", e.Skew*e.SE*e.SE*e.SE, ea.Skew*ea.SE*ea.SE*ea.SE+eb.Skew*eb.SE*eb.SE*eb.SE, 1e-12)
}

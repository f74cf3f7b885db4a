package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// classesOf lists the left-out values of a function of two means. The first mean has fewer values.
func classesOf(a, b []float64, f func(a, b float64) float64) []Class {
	mean := func(v []float64, leave int) float64 {
		sum, n := 0.0, 0
		for i, x := range v {
			if i != leave {
				sum, n = sum+x, n+1
			}
		}
		return sum / float64(n)
	}
	few, many := Class{make([]float64, len(b))}, Class{make([]float64, len(b))}
	ma, mb := mean(a, -1), mean(b, -1)
	for r := range b {
		few.LeftOut[r] = math.NaN()
		if r < len(a) {
			few.LeftOut[r] = f(mean(a, r), mb)
		}
		many.LeftOut[r] = f(ma, mean(b, r))
	}
	return []Class{few, many}
}

func difference(a, b float64) float64 { return a - b }

// TestUnequalByHand: a = 1, 2, 6 (mean 3) and b = 2, 4, 6, 8, 0 (mean 4) share the first three replications. The difference
// of means is -1. In the shared layer Z is (a-3)/3 - (b-4)/5, that is -4/15, -5/15 and 9/15. Their squares sum to 122/225
// around their mean 0, so V = 3/2 122/225 = 61/75. In the other layer Z is -4/5 and 4/5 around 0, so V = 2 32/25 = 64/25.
// Together V = 61/75 + 192/75 = 253/75. The degrees of freedom are (253/75)^2 / ((61/75)^2/2 + (192/75)^2/1) = 1.65.
func TestUnequalByHand(t *testing.T) {
	a, b := []float64{1, 2, 6}, []float64{2, 4, 6, 8, 0}
	e := Jackknife(-1, classesOf(a, b, difference))
	near(t, "standard error", e.SE, math.Sqrt(253.0/75), 1e-12)
	if e.DF != 1 {
		t.Errorf("%d degrees of freedom, want 1", e.DF)
	}
	// With b = 2, 4, 6, 8 (mean 5) the second layer is one replication: Z^2 = (4/3) (3/4)^2 = 3/4. In the shared layer Z is
	// -2/3+3/4, -1/3+1/4, 1-1/4, that is 1/12, -1/12, 9/12 with mean 1/4. Distances are -2/12, -4/12, 6/12: V = 3/2 56/144 = 7/12.
	e = Jackknife(-2, classesOf(a, b[:4], difference))
	near(t, "standard error", e.SE, math.Sqrt(7.0/12+3.0/4), 1e-12)
	if e.DF != 2 { // (4/3)^2 / ((7/12)^2/2 + (3/4)^2) = 2.43
		t.Errorf("%d degrees of freedom, want 2", e.DF)
	}
}

// Classes of equal size are one: the plain jackknife.
func TestUnequalOfEqualIsTheJackknife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(1, 10), 3, 20).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(1, 10), len(a), len(a)).Draw(t, "b")
		c := classesOf(a, b, difference)
		var joint []float64
		for r := range a {
			joint = append(joint, c[0].LeftOut[r]+c[1].LeftOut[r]-(NewSample(a).Mean()-NewSample(b).Mean()))
		}
		value := NewSample(a).Mean() - NewSample(b).Mean()
		want := Jackknife(value, []Class{{joint}})
		if got := Jackknife(value, c); got.DF != want.DF || !(math.Abs(got.SE-want.SE) <= 1e-9) {
			t.Fatalf("two classes: %v, want %v", got, want)
		}
	})
}

// The variance is unbiased at any correlation. The mean of the squared standard errors of 20,000 samples is the variance of the
// difference of means, 1/5 + 1/12 - 2 rho/12, within 3 %.
func TestUnequalIsUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, rho := range []float64{-0.9, 0, 0.9} {
		const samples = 20000
		sum := 0.0
		for range samples {
			a, b := correlated(r, 5, 12, rho)
			e := Jackknife(NewSample(a).Mean()-NewSample(b).Mean(), classesOf(a, b, difference))
			sum += e.SE * e.SE
		}
		if want := 1.0/5 + 1.0/12 - 2*rho/12; !(math.Abs(sum/samples/want-1) <= 0.03) {
			t.Errorf("correlation %g: the variance is %.4f on average, want %.4f", rho, sum/samples, want)
		}
	}
}

// correlated draws two standard normal samples whose shared replications have the correlation.
func correlated(r *rand.Rand, few, many int, rho float64) (a, b []float64) {
	for i := range many {
		y := r.NormFloat64()
		b = append(b, y)
		if i < few {
			a = append(a, rho*y+math.Sqrt(1-rho*rho)*r.NormFloat64())
		}
	}
	return a, b
}

// TestUnequalCoverage: of 4,000 samples of normal data the 95 % interval of a ratio of means, 10 replications against 80
// (and others), covers the true one in 93 to 97 %.
func TestUnequalCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ratio := func(a, b float64) float64 { return a / b }
	for _, c := range []struct {
		few, many int
		rho       float64
	}{{10, 80, 0}, {10, 80, 0.9}, {10, 80, -0.9}, {10, 11, 0.5}, {5, 20, 0.9}, {79, 80, 0.9}} {
		const samples = 4000
		covered := 0
		for range samples {
			a, b := correlated(r, c.few, c.many, c.rho)
			for i := range a {
				a[i] = 15 + a[i]
			}
			for i := range b {
				b[i] = 10 + b[i]
			}
			value := NewSample(a).Mean() / NewSample(b).Mean()
			if Jackknife(value, classesOf(a, b, ratio)).Student(0.95).Contains(1.5) {
				covered++
			}
		}
		share := 100 * float64(covered) / samples
		t.Logf("%d against %d replications, correlation %g: %.1f %% covered", c.few, c.many, c.rho, share)
		if share < 93 || share > 97 {
			t.Errorf("%d against %d replications, correlation %g: the interval covers the true ratio in %.1f %% of samples", c.few, c.many, c.rho,
				share)
		}
	}
}

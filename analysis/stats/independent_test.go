package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestIndependentIsWelch: by hand, means of 2.5 and 6 with variances of 5/3 and 10.
func TestIndependentIsWelch(t *testing.T) {
	r := CompareIndependent([]float64{4, 1, math.NaN(), 3, 2}, []float64{2, 4, 6, 8, 10}, .95)
	if r.N != 4 || r.BaseMean != 2.5 || r.OtherMean != 6 || !(math.Abs(r.Error.SE-math.Sqrt(5./12+2)) <= 1e-12) || r.Error.DF != 5 {
		t.Errorf("%+v", r)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != NotFinite {
		t.Errorf("warnings %v", r.Warnings)
	}
	e := EquivalenceOfIndependent([]float64{4, 1, math.NaN(), 3, 2}, []float64{2, 4, 6, 8, 10}, Margin{Value: 2}, &r)
	if e.Low.Value != 5.5 || e.High.Value != 1.5 || !(math.Abs(e.High.SE-r.Error.SE) <= 1e-12) {
		t.Errorf("%+v", e)
	}
	if r := CompareIndependent(nil, []float64{1}, .95); r.N != 0 || r.Difference.Bounded() {
		t.Errorf("of nothing: %+v", r)
	}
}

// TestIndependentRatioIsTheJackknifes: each value brings to the logarithm what the jackknife of two sets says.
func TestIndependentRatioIsTheJackknifes(t *testing.T) {
	base, other := []float64{1, 1, 1, 9}, []float64{2, 2, 4, 6, 40} // skewed, so that the logarithms of the values spread less
	r := CompareIndependent(base, other, .95)
	value := math.Log(10.8 / 3)
	want := Jackknife(value, []Class{{[]float64{math.Log(10.8 * 3 / 11), math.Log(10.8 * 3 / 11), math.Log(10.8 * 3 / 11), math.Log(10.8)}}},
		[]Class{{[]float64{math.Log(13. / 3), math.Log(13. / 3), math.Log(12.5 / 3), math.Log(4), math.Log(3.5 / 3)}}})
	if !r.TestedRatio || !(math.Abs(r.Tested.Value-value) <= 1e-12) || !(math.Abs(r.Tested.SE-want.SE) <= 1e-12) || r.Tested.DF != want.DF {
		t.Errorf("%+v, want %+v", r.Tested, want)
	}
}

// TestIndependentCovers counts the intervals of difference and ratio that hold the truth, and the equal means that seem
// different. Each law has 2,000 repetitions (standard error .005).
func TestIndependentCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for name, draw := range map[string]func() float64{"normal": func() float64 { return 10 + 2*rng.NormFloat64() },
		"log-normal": func() float64 { return math.Exp(.5 * rng.NormFloat64()) }} {
		const n, m, all = 20, 15, 2000
		difference, ratio, told := 0, 0, 0
		for range all {
			a, b := make([]float64, n), make([]float64, m)
			for i := range a {
				a[i] = draw()
			}
			for i := range b {
				b[i] = draw()
			}
			r := CompareIndependent(a, b, .95)
			if r.Difference.Low <= 0 && 0 <= r.Difference.High {
				difference++
			}
			if r.Ratio.Low <= 1 && 1 <= r.Ratio.High {
				ratio++
			}
			if r.Tested.PNot(0) < .05 {
				told++
			}
		}
		if difference < .935*all || ratio < .935*all || told > .065*all {
			t.Errorf("%s: of %d intervals of the difference %d hold the truth, of the ratio %d, and %d tell equal means apart", name, all,
				difference, ratio, told)
		}
	}
}

// TestNeededHasItsPower uses the number of replications that Needed returns. Four of five cases then find equal means equivalent,
// and means that differ by the margin different. Each law has 2,000 repetitions (standard error .009).
func TestNeededHasItsPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	draw := func(n int, by float64) (pairs []Pair) {
		for range n {
			base := 10 + rng.NormFloat64()
			pairs = append(pairs, Pair{base, base + by + rng.NormFloat64()})
		}
		return pairs
	}
	margin := Margin{Value: .4}
	needed := equivalence(draw(100_000, 0), margin).Needed(100_000, .95)
	if needed < 50 || needed > 90 { // (1.96 + 1.28)^2 / .4^2 = 66, and Student's quantiles are longer
		t.Fatalf("%d are needed", needed)
	}
	const all = 2000
	same, differ := 0, 0
	for range all {
		if equivalence(draw(needed, 0), margin).P() < .05 {
			same++
		}
		pairs := draw(needed, .4)
		if r := ComparePaired(pairs, .95); r.Tested.PNot(0) < .05 {
			differ++
		}
	}
	if same < .78*all || differ < .78*all {
		t.Errorf("of %d with %d replications each %d are found equivalent, and %d different", all, needed, same, differ)
	}
}

// TestRatioOfUnrelatedRunsWithoutBound: the reasons are those of pairs, but for a negative value.
func TestRatioOfUnrelatedRunsWithoutBound(t *testing.T) {
	for why, sides := range map[string][2][]float64{"no ratio": {{0, 0, 0}, {1, 2}}, "no bounded interval": {{1, 2, 4}, {0, 3}},
		"a value is negative": {{-1, 2, 3}, {1, 2}}} {
		if p := CompareIndependent(sides[0], sides[1], .95); p.Ratio.Bounded() || !has(p.Warnings, NearZero, why) {
			t.Errorf("%s: %+v", why, p)
		}
	}
	if p := CompareIndependent([]float64{0}, []float64{1, 2}, .95); len(p.Warnings) != 1 || p.Warnings[0].Code != TooFew {
		t.Errorf("one replication: %v", p.Warnings)
	}
}

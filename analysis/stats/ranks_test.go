package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// demsar is Table 6 of J. Demsar 2006, Statistical comparisons of classifiers over multiple data sets, Journal of Machine
// Learning Research 7, 1-30: the areas under the curve of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets.
var demsar = [][]float64{
	{.763, .768, .771, .798}, {.599, .591, .590, .569}, {.954, .971, .968, .967}, {.628, .661, .654, .657}, {.882, .888, .886, .898},
	{.936, .931, .916, .931}, {.661, .668, .609, .685}, {.583, .583, .563, .625}, {.775, .838, .866, .875}, {1, 1, 1, 1},
	{.940, .962, .965, .962}, {.619, .666, .614, .669}, {.972, .981, .9751, .975}, {.957, .978, .946, .970},
}

func TestFriedmanOfDemsarsTable(t *testing.T) {
	var blocks [][]float64
	for _, b := range demsar {
		negative := slices.Clone(b) // larger is better, and has rank 1
		for i := range negative {
			negative[i] = -b[i]
		}
		blocks = append(blocks, negative)
	}
	f := FriedmanOf(single(blocks))
	for i, want := range []float64{3.143, 2.000, 2.893, 1.964} { // as printed
		near(t, "mean rank", f.MeanRanks[i], want, 5e-4)
	}
	// Printed are 9.28 and 3.69, without the correction for ties: 12 n / (k (k+1)) sum (rank - (k+1)/2)^2.
	between := 0.0
	for _, r := range f.MeanRanks {
		between += (r - 2.5) * (r - 2.5)
	}
	near(t, "chi squared without ties", 12*14/20.0*between, 9.28, 5e-3)
	// With it scipy 1.17: stats.friedmanchisquare(*(-d).T); F of the same formula as Demsar's, stats.f.sf(F, 3, 39).
	near(t, "chi squared", f.ChiSquared, 10.228346456692925, 1e-12)
	near(t, "F", f.F, 4.1851301115241695, 1e-12)
	near(t, "p", f.P, 0.011620659515310975, 1e-10)
	near(t, "critical difference", f.Nemenyi(.95), 1.25, 5e-3) // as printed, and at .90
	near(t, "critical difference at .90", f.Nemenyi(.90), 1.12, 5e-3)
	// scikit-posthocs 0.17: posthoc_nemenyi_friedman(d), of the first and the second.
	scale := math.Sqrt(4 * 5 / (12 * float64(f.Blocks)))
	near(t, "p of a pair", 1-rangeProbability((f.MeanRanks[0]-f.MeanRanks[1])/scale, 4), 0.08867270928888271, 1e-6)
}

func TestStudentizedRange(t *testing.T) {
	// Demsar 2006, Table 5a: critical values of Nemenyi's test, quantiles over sqrt(2), for 2 to 10 treatments.
	for k, want := range map[int][2]float64{2: {1.960, 1.645}, 3: {2.343, 2.052}, 4: {2.569, 2.291}, 5: {2.728, 2.459}, 6: {2.850, 2.589},
		7: {2.949, 2.693}, 8: {3.031, 2.780}, 9: {3.102, 2.855}, 10: {3.164, 2.920}} {
		near(t, "q .05", rangeQuantile(.95, k)/math.Sqrt2, want[0], 6e-4)
		near(t, "q .10", rangeQuantile(.90, k)/math.Sqrt2, want[1], 6e-4)
	}
	// scipy 1.17: stats.studentized_range.ppf(p, k, inf) and .cdf(q, k, inf).
	near(t, "q", rangeQuantile(.95, 11), 4.551863584065974, 1e-6)
	near(t, "q", rangeQuantile(.99, 30), 5.910592386935943, 1e-6)
	near(t, "p", rangeProbability(1.2, 4), 0.1688281514122056, 1e-9)
	near(t, "p", rangeProbability(5, 11), 0.9822384418838808, 1e-9)
}

func TestFriedmanWithoutAnAnswer(t *testing.T) {
	for _, blocks := range [][][]float64{nil, {{1, 2}}, {{1, 1, 1}, {2, 2, 2}}, {{1}, {2}}} {
		if f := FriedmanOf(single(blocks)); !math.IsNaN(f.P) {
			t.Errorf("%v: p = %g", blocks, f.P)
		}
	}
	// n (k-1) is the largest chi squared; scipy 1.17: stats.friedmanchisquare of these has p = 0.04978706836786394.
	if f := FriedmanOf(single([][]float64{{1, 2, 3}, {2, 3, 4}, {0, 1, 7}})); !(math.Abs(f.P-0.04978706836786394) <= 1e-12) ||
		f.ChiSquared != 6 || !math.IsInf(f.F, 1) {
		t.Errorf("all blocks agree: %+v", f)
	}
}

// Mean ranks sum to k (k+1) / 2 and do not change under a monotone transformation of a block.
func TestRanksByTheirLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 12).Draw(t, "values")
		k := float64(len(values))
		ranks := Ranks(values)
		if sum := Sum(ranks); sum != k*(k+1)/2 {
			t.Fatalf("%v sum to %g", ranks, sum)
		}
		moved := slices.Clone(values)
		for i := range moved {
			moved[i] = 8 * moved[i] // exact
		}
		if !slices.Equal(ranks, Ranks(moved)) {
			t.Fatalf("%v and %v", ranks, Ranks(moved))
		}
	})
}

func TestCliques(t *testing.T) {
	for _, c := range []struct {
		ranks  []float64
		within float64
		want   [][2]int
	}{
		{[]float64{1.96, 2, 2.89, 3.14}, 1.25, [][2]int{{0, 3}}},
		{[]float64{1.96, 2, 2.89, 3.14}, 1.15, [][2]int{{0, 2}, {1, 3}}},
		{[]float64{1, 2, 4, 4.5, 8}, .9, [][2]int{{2, 3}}},
		{[]float64{1, 2, 3}, .5, nil}, {nil, 1, nil},
	} {
		if got := Cliques(c.ranks, c.within); !slices.Equal(got, c.want) {
			t.Errorf("%v within %g: %v, want %v", c.ranks, c.within, got, c.want)
		}
	}
}

// By hand, from the definition.
// TestTiesButForRounding: values that differ in their last bit are equal. As ranks they would differ by Friedman's test.
func TestTiesButForRounding(t *testing.T) {
	next := math.Nextafter(.1, 1)
	got := Ranks([]float64{next, .3, .1, .2, math.Inf(1), math.Inf(1)})
	if want := []float64{1.5, 4, 1.5, 3, 5.5, 5.5}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
	if got, _ := Ratios([]float64{next, .1, .2}); !slices.Equal(got, []float64{1, 1, 2}) {
		t.Errorf("ratios %v", got)
	}
	var blocks [][]float64
	for range 10 {
		blocks = append(blocks, []float64{.1, next})
	}
	if f := FriedmanOf(single(blocks)); !math.IsNaN(f.P) {
		t.Errorf("all blocks tie: p = %g", f.P)
	}
}

func TestRatios(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ costs, want []float64 }{
		{[]float64{4, 2, 3}, []float64{2, 1, 1.5}}, {[]float64{4, math.NaN(), 2}, []float64{2, inf, 1}},
		{[]float64{0, 3, 0}, []float64{1, inf, 1}}, {[]float64{inf, math.NaN()}, []float64{inf, inf}}, {[]float64{2, -1}, nil},
	} {
		if got, _ := Ratios(c.costs); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.costs, got, c.want)
		}
	}
}

// single makes blocks of one point each.
func single(values [][]float64) (blocks [][][]float64) {
	for _, v := range values {
		blocks = append(blocks, [][]float64{v})
	}
	return blocks
}

// TestRanksOfNaN: a value that is no number is not equal to itself, and has a rank of its own.
func TestRanksOfNaN(t *testing.T) {
	if got := Ranks([]float64{1, math.NaN(), 1}); !slices.Equal(got, []float64{2.5, 1, 2.5}) {
		t.Error(got)
	}
}

package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// Gonum's laws and its linear algebra give the same.
func TestLawsAreThoseOfGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, p := rapid.Float64Range(1e-6, 50).Draw(t, "x"), rapid.Float64Range(1e-6, 1-1e-6).Draw(t, "p")
		n, k := float64(rapid.IntRange(1, 500).Draw(t, "n")), float64(rapid.IntRange(1, 60).Draw(t, "k"))
		z := rapid.Float64Range(-8, 8).Draw(t, "z")
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 40).Draw(t, "values")
		close := rapid.SliceOfN(rapid.Float64Range(1e6, 1e6+1), 2, 40).Draw(t, "close")
		whole := math.Floor(p * n)
		for what, pair := range map[string][2]float64{
			"quantile of Student's": {studentQuantile(.5+p/2, k), distuv.StudentsT{Sigma: 1, Nu: k}.Quantile(.5 + p/2)},
			"Student's":             {studentSurvival(x, k), distuv.StudentsT{Sigma: 1, Nu: k}.Survival(x)},
			"binomial":              {binomialCDF(whole, n, p), distuv.Binomial{N: n, P: p}.CDF(whole)},
			"binomial of all":       {binomialCDF(n, n, p), 1},
			"F":                     {fisherSurvival(x, k, n), distuv.F{D1: k, D2: n}.Survival(x)},
			"chi squared":           {chiSquaredSurvival(x, k), distuv.ChiSquared{K: k}.Survival(x)},
			"density of the normal": {normalDensity(z), distuv.UnitNormal.Prob(z)},
			"normal":                {normalCDF(z), distuv.UnitNormal.CDF(z)},
			"variance":              {variance(values), stat.Variance(values, nil)},
			"variance far from 0":   {variance(close), stat.Variance(close, nil)},
		} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-13*math.Abs(pair[1])+1e-15) {
				t.Fatalf("%s: %v, gonum has %v", what, pair[0], pair[1])
			}
		}
	})
}

func TestMomentsAreSolvedAsGonumDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-3, 3), 3, 12).Draw(t, "abscissas")
		n, square := float64(len(xs)), 0.0
		for _, x := range xs {
			square += x * x / n
		}
		h, m1, m3, m4 := math.Sqrt(square), 0.0, 0.0, 0.0
		for _, x := range xs {
			x /= h
			m1, m3, m4 = m1+x/n, m3+x*x*x/n, m4+x*x*x*x/n
		}
		var c mat.Cholesky
		good := c.Factorize(mat.NewSymDense(3, []float64{1, m1, 1, m1, 1, m3, 1, m3, m4})) && c.Cond() < 1e6
		right := [3]float64{1, rapid.Float64Range(-2, 2).Draw(t, "b"), rapid.Float64Range(-2, 2).Draw(t, "c")}
		got, ok := solveMoments(m1, m3, m4, right, 0)
		if !good {
			return
		}
		var want mat.VecDense
		if err := c.SolveVecTo(&want, mat.NewVecDense(3, right[:])); err != nil || !ok {
			t.Fatal(ok, err)
		}
		for i := range got {
			if !(math.Abs(got[i]-want.AtVec(i)) <= 1e-15*c.Cond()*(1+mat.Norm(&want, 2))*10) {
				t.Fatalf("unknown %d is %v, gonum has %v", i, got[i], want.AtVec(i))
			}
		}
	})
	for _, bad := range [][3]float64{{0, 0, 1}, {1, 1, 1}, {0, 0, math.NaN()}} { // two abscissas, one, none
		if x, ok := solveMoments(bad[0], bad[1], bad[2], [3]float64{1, 1, 1}, 0); ok {
			t.Errorf("moments %v are solved: %v", bad, x)
		}
	}
}

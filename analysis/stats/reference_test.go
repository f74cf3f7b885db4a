package stats

import (
	"math"
	"testing"
)

// near fails unless got is within a relative tolerance of want (absolute near 0).
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// sleep is R's data set of that name (Student 1908, Biometrika 6, 1-25): hours of sleep gained under two drugs.
var (
	sleep1 = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	sleep2 = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
)

func pairs(base, other []float64) []Pair {
	ps := make([]Pair, len(base))
	for i := range base {
		ps[i] = Pair{base[i], other[i]}
	}
	return ps
}

func TestPairedDifferenceOfSleepData(t *testing.T) {
	// R 4: with(sleep, t.test(extra[group == 2], extra[group == 1], paired = TRUE)): 1.58, 0.7001142 .. 2.4598858.
	// More digits from SciPy 1.17: stats.ttest_rel(g2, g1).confidence_interval(c).
	for _, c := range []struct{ confidence, low, high float64 }{
		{0.95, 0.7001142367230175, 2.459885763276983},
		{0.99, 0.31594811489517505, 2.8440518851048253},
	} {
		var difference []float64
		for i := range sleep1 {
			difference = append(difference, sleep2[i]-sleep1[i])
		}
		student := TakeSample(difference).Estimate().Student(c.confidence)
		near(t, "difference", student.Estimate, 1.58, 1e-14)
		near(t, "low", student.Low, c.low, 1e-12)
		near(t, "high", student.High, c.high, 1e-12)
	}
}

// Ten made-up waits; the numbers by spelling out the formulas of Hall 1992, p. 223, and of the delta method in plain Python,
// with the sample skewness of its third and second moments and SciPy's t quantile 2.262157162798205.
func TestHallsInterval(t *testing.T) {
	e := NewSample([]float64{12, 35, 7, 150, 22, 61, 9, 480, 18, 40}).Estimate()
	near(t, "mean", e.Value, 83.4, 1e-14)
	near(t, "G1", e.Skew*math.Sqrt(10), 2.7291987451697577, 1e-12)
	near(t, "Hall low", e.hall(0.95).Low, 17.081247477142853, 1e-12)
	near(t, "Hall high", e.hall(0.95).High, 407.6262143940693, 1e-12)
	near(t, "low", e.NotNegative(0.95).Low, 17.081247477142853, 1e-12)
	near(t, "high", e.NotNegative(0.95).High, 407.6262143940693, 1e-12)
}

func TestQuantilesOfSleepData(t *testing.T) {
	// numpy 2.4: np.quantile(g1, [.05, .25, .5, .9]) (linear, R's type 7) and g1.std(ddof=1).
	s := NewSample(sleep1)
	for p, want := range map[float64]float64{0.05: -1.42, 0.25: -0.175, 0.5: 0.35, 0.9: 3.43, 0: -1.6, 1: 3.7} {
		near(t, "quantile", s.Quantile(p), want, 1e-14)
	}
	near(t, "sd", s.SD(), 1.7890096577591623, 1e-14)
	near(t, "mean", s.Mean(), 0.75, 1e-15)
}

func TestStudentQuantiles(t *testing.T) {
	// SciPy 1.17: stats.t.ppf((1 + c)/2, n).
	for _, c := range []struct {
		confidence float64
		nu         int
		want       float64
	}{
		{0.95, 1, 12.706204736174694}, {0.95, 2, 4.302652729749462}, {0.95, 9, 2.262157162798205},
		{0.99, 19, 2.8609346064649794}, {0.9, 30, 1.697260886593957}, {0.95, 1000, 1.9623390808264083},
	} {
		near(t, "t", TQuantile(c.confidence, c.nu), c.want, 1e-9)
	}
}

func TestFiellerAgainstItsDefinition(t *testing.T) {
	// SciPy 1.17: the roots r of ttest_1samp(other - r*base, 0).statistic = +-t.ppf(.975, 5), by optimize.brentq.
	base := []float64{102, 98, 110, 95, 107, 101}
	other := []float64{121, 110, 140, 108, 125, 119}
	p := Paired{N: len(base), BaseMean: Sum(base) / 6, OtherMean: Sum(other) / 6}
	p.fiellerOfPairs(base, other, 0.95)
	i := p.Ratio
	if p.Warnings != nil {
		t.Fatal(p.Warnings)
	}
	near(t, "ratio", i.Estimate, 1.1794453507340945, 1e-14)
	near(t, "ratio low", i.Low, 1.1194464920408755, 1e-11)
	near(t, "ratio high", i.High, 1.2340717105790262, 1e-11)
}

// norris is the NIST StRD data set of that name (linear regression, lower level of difficulty), as {y, x}.
var norris = [][2]float64{
	{0.1, 0.2}, {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1}, {228.1, 226.5}, {668.5, 666.3}, {998.5, 996.3},
	{449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4}, {0.1, 0.6}, {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0},
	{448.9, 447.5}, {10.8, 11.6}, {557.7, 556.0}, {228.3, 228.1}, {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
	{0.6, 0.3}, {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0}, {10.2, 11.1}, {117.6, 118.3},
	{228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5},
}

func TestLineOfNorrisData(t *testing.T) {
	points := make([]XY, len(norris))
	for i, p := range norris {
		points[i] = XY{X: p[1], Y: p[0]}
	}
	l := FitLine(points, nil)
	// Certified values: https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml
	near(t, "intercept", l.Intercept, -0.262323073774029, 1e-12)
	near(t, "slope", l.Slope, 1.00211681802045, 1e-13)
	near(t, "residual sd", l.ResidualSD, 0.884796396144373, 1e-12)
	near(t, "r2", l.R2, 0.999993745883712, 1e-14)
	near(t, "height at 500", l.At(500), 500.79608593645315, 1e-12) // numpy
}

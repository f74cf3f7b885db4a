package claim

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// fitted is the trendline of waits by replication over four loads; a wait that is NaN failed.
func fitted(t *testing.T, fit string, waits [][4]float64) Fitted {
	t.Helper()
	var load, replication, wait []float64
	for r, ys := range waits {
		for i, x := range []float64{1, 2, 4, 7} {
			load, replication, wait = append(load, x), append(replication, float64(r)), append(wait, ys[i])
		}
	}
	f, err := frame.NewFrame(frame.NumberColumn("load", "", load), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("wait", "s", wait))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"load"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95}
	return NewFitter(f, d).Fit(frame.Every(f), f.Column("load"), f.Column("wait"), fit)
}

var sixReplications = [][4]float64{{3.1, 5.2, 11.9, 30.2}, {2.7, 5.9, 13.1, 33.8}, {3.9, 6.1, 10.2, 26.5}, {3.0, 4.8, 14.0, 38.9},
	{2.2, 5.5, 12.4, 29.1}, {3.5, 5.0, 11.1, 41.7}}

// The expected values are those of numpy 2.4 and scipy 1.17. Where every replication has all points, a coefficient of the fit
// through all points is the mean of the replications' coefficients, np.polyfit(x, y, 2). Its interval is the hull of Student's
// and Hall's, and its p-value inverts both (the larger of 2 t.sf(z, 5)). Other cases use np.polyfit through all points.
// theilslopes of each replication gives slopes. Their median lies between the smallest and the largest, and the sign test is
// binomtest(0, 6).
func TestTrendsOverReplications(t *testing.T) {
	for _, c := range []struct {
		fit  string
		rule stats.Rule
		want map[string]float64
	}{
		{study.FitLine, stats.MayBeNegative, map[string]float64{"slope": 5.097619047619048, "slope low": 4.018820904860795,
			"slope high": 6.268148574944874, "slope p": 6.683119134249016e-05}},
		{study.FitQuadratic, stats.MayBeNegative, map[string]float64{
			"slope": 4.340909090909089, "slope low": 3.332732158194158, "slope high": 5.139134569760399, "slope p": 0.003972814255086966,
			"bend": 0.6621212121212122, "bend low": 0.330188156534524, "bend high": 1.8308981118244256, "bend p": 0.003683348934263041,
			"intercept": 2.9333333333333376, "spread": 3.0064264981203666, "r2": 0.9474619013335556, "from": 1, "to": 7,
		}},
		{study.FitTheilSen, stats.Ordered, map[string]float64{"slope": 4.179166666666666, "slope low": 2.9833333333333334,
			"slope high": 5.291666666666666, "slope p": 0.03125, "from": 1, "to": 7}},
	} {
		got := fitted(t, c.fit, sixReplications)
		all := map[string]float64{"slope": got.Slope, "slope low": got.SlopeInterval.Low, "slope high": got.SlopeInterval.High,
			"slope p": got.SlopeP,
			"bend":    got.Bend.Estimate, "bend low": got.Bend.Low, "bend high": got.Bend.High, "bend p": got.BendP, "intercept": got.Intercept,
			"spread": got.ResidualSD, "r2": got.R2, "from": got.MinX, "to": got.MaxX}
		for what, want := range c.want {
			if !(math.Abs(all[what]-want) <= 1e-9*math.Abs(want)) {
				t.Errorf("%s: %s = %.15g, want %.15g", c.fit, what, all[what], want)
			}
		}
		if got.Rule != c.rule || got.Replications != 6 || got.N != 24 || len(got.Warnings) > 0 {
			t.Errorf("%s: %s, %d replications, %d points, %v", c.fit, got.Rule, got.Replications, got.N, got.Warnings)
		}
		if h := got.Height(4); !(h.Low < got.At(4) && got.At(4) < h.High) {
			t.Errorf("%s: height %v around %g", c.fit, h, got.At(4))
		}
	}
}

// A replication that lacks a point is left out and said; what cannot be fitted has no numbers.
func TestTrendsWithoutAReplication(t *testing.T) {
	broken := append([][4]float64{{math.NaN(), 100, 200, 300}}, sixReplications...)
	for _, fit := range []string{study.FitLine, study.FitQuadratic, study.FitTheilSen} {
		want, got := fitted(t, fit, sixReplications), fitted(t, fit, broken)
		if !(math.Abs(got.Slope-want.Slope) <= 1e-12) || !(math.Abs(got.SlopeP-want.SlopeP) <= 1e-12) || got.Replications != 6 ||
			len(got.Warnings) != 2 {
			t.Errorf("%s: %+v, want the slope %g", fit, got, want.Slope)
		}
		one := fitted(t, fit, sixReplications[:1])
		if one.SlopeInterval.Bounded() || !math.IsNaN(one.SlopeP) || len(one.Warnings) == 0 || math.IsNaN(one.Slope) {
			t.Errorf("%s of one replication: %+v", fit, one)
		}
	}
	if got := fitted(t, study.FitQuadratic, [][4]float64{{1, 2, math.NaN(), math.NaN()}, {1, 3, math.NaN(), math.NaN()}}); !math.IsNaN(
		got.Bend.Estimate) || !math.IsNaN(got.BendP) || len(got.Warnings) == 0 {
		t.Errorf("through two loads: %+v", got)
	}
}

// A value that each replication has at all loads but for rounding has neither slope nor bend: both were about 1e-17, in some sets of
// replications with a p-value below .05.
func TestTrendsOfRounding(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		waits := make([][4]float64, 6)
		for r := range waits {
			level := random.ExpFloat64() * 1000
			for i := range waits[r] {
				waits[r][i] = level * (1 + 1e-16*float64(random.IntN(3)))
			}
		}
		for _, fit := range []string{study.FitLine, study.FitQuadratic, study.FitTheilSen} {
			got := fitted(t, fit, waits)
			if got.Slope != 0 || got.SlopeInterval.Low != 0 || got.SlopeInterval.High != 0 || got.SlopeP != 1 {
				t.Fatalf("seed %d, %s: slope %v, p %g", seed, fit, got.SlopeInterval, got.SlopeP)
			}
			if fit == study.FitQuadratic && (got.Bend.Estimate != 0 || got.Bend.HalfWidth() != 0 || got.BendP != 1) {
				t.Fatalf("seed %d: bend %v, p %g", seed, got.Bend, got.BendP)
			}
		}
	}
}

// Straight lines have no bend.
func TestTrendsOfStraightLines(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 2))
		waits, slope := make([][4]float64, 6), 0.0
		for r := range waits {
			level, rise := random.ExpFloat64()*1000, random.ExpFloat64()
			slope += rise / 6
			for i, x := range []float64{1, 2, 4, 7} {
				waits[r][i] = level + rise*x
			}
		}
		got := fitted(t, study.FitQuadratic, waits)
		if !(math.Abs(got.Slope-slope) <= 1e-12*1000) || got.Bend.Estimate != 0 || got.Bend.HalfWidth() != 0 || got.BendP != 1 {
			t.Fatalf("seed %d: slope %v, want %g; bend %v, p %g", seed, got.Slope, slope, got.Bend, got.BendP)
		}
	}
}

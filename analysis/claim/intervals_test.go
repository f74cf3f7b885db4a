package claim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep/study"
)

// law draws what a replication brings: one number, positive but for the normal law.
type law struct {
	name         string
	draw         func(*rand.Rand) float64
	mean, median float64
	promised     bool // logarithms with a standard deviation up to 1: the coverage is promised
}

func logNormal(sigma float64) law {
	return law{fmt.Sprintf("log-normal %g", sigma), func(r *rand.Rand) float64 { return math.Exp(sigma * r.NormFloat64()) },
		math.Exp(sigma * sigma / 2), 1, sigma <= 1}
}

var laws = []law{
	{"normal, 10 and 2", func(r *rand.Rand) float64 { return 10 + 2*r.NormFloat64() }, 10, 10, true},
	logNormal(0.5), logNormal(1), logNormal(1.5),
	{"exponential", func(r *rand.Rand) float64 { return r.ExpFloat64() }, 1, math.Ln2, true},
	{"log-normal 1, a seventh 0", func(r *rand.Rand) float64 {
		if r.IntN(7) == 0 {
			return 0
		}
		return math.Exp(r.NormFloat64())
	}, math.Exp(0.5) * 6 / 7, math.NaN(), false},
}

// studied is one statistic: it draws n replications and says its interval and the truth.
type studied struct {
	name     string
	interval func(r *rand.Rand, l law, n int) (i stats.Interval, truth float64)
	slow     bool // needs a frame and a claim
}

// noisy is a factor of mean 1 with logarithms of standard deviation s.
func noisy(r *rand.Rand, s float64) float64 { return math.Exp(s*r.NormFloat64() - s*s/2) }

func drawn(r *rand.Rand, l law, n int) stats.Sample {
	values := make([]float64, n)
	for i := range values {
		values[i] = l.draw(r)
	}
	return stats.TakeSample(values)
}

// drawnPairs have a ratio of means of 1.3 and share what a replication brings.
func drawnPairs(r *rand.Rand, l law, n int) []stats.Pair {
	pairs := make([]stats.Pair, n)
	for i := range pairs {
		pairs[i].Base = l.draw(r)
		pairs[i].Other = 1.3 * pairs[i].Base * noisy(r, 0.3)
	}
	return pairs
}

// claimed evaluates a statistic of two policies over loads 1 to 4: fcfs is what the replication brings times the load, easy
// the same times 1.2, or 2.5 at all loads where flat; all with noise of its own.
func claimed(t *testing.T, flat bool, s study.Statistic, truth func(l law) float64) func(*rand.Rand, law, int) (stats.Interval, float64) {
	s.Metric, s.X, s.Of, s.To = "y", "load", policy("fcfs"), policy("easy")
	return func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
		shared := make([]float64, n)
		for i := range shared {
			shared[i] = l.draw(r)
		}
		run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3, 4}, n, func(p string, load float64, rep int) float64 {
			v := shared[rep] * noisy(r, 0.2)
			switch {
			case p == "fcfs":
				return v * load
			case flat:
				return v * 2.5
			}
			return 1.2 * v * load
		}, zero)
		return evaluate(t, run, study.Claim{Statistic: s}).Parts[0].Interval, truth(l)
	}
}

func intervalStudy(t *testing.T) []studied {
	constant := func(v float64) func(law) float64 { return func(law) float64 { return v } }
	return []studied{
		{name: "mean", interval: func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
			return drawn(r, l, n).MeanInterval(0.95), l.mean
		}},
		{name: "(mean, Student's, for comparison)", interval: func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
			return drawn(r, l, n).Estimate().Student(0.95), l.mean
		}},
		{name: "difference of means, paired", interval: func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
			return stats.ComparePaired(drawnPairs(r, l, n), 0.95).Difference, 0.3 * l.mean
		}},
		{name: "ratio of means, paired", interval: func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
			return stats.ComparePaired(drawnPairs(r, l, n), 0.95).Ratio, 1.3
		}},
		{name: "difference of slopes", interval: claimed(t, false, study.Statistic{Kind: "slope", As: "difference"}, func(l law) float64 {
			return -0.2 * l.mean
		}), slow: true},
		{name: "ratio of slopes", interval: claimed(t, false, study.Statistic{Kind: "slope", As: "ratio"}, constant(1/1.2)), slow: true},
		{name: "ratio of spreads", interval: claimed(t, false, study.Statistic{Kind: "spread", As: "ratio"}, constant(1/1.2)), slow: true},
		{name: "curvature of a parabola", interval: trended(t, study.FitQuadratic, func(f *Fitted) stats.Interval { return f.Bend },
			func(l law) float64 { return l.mean / 2 }), slow: true},
		{name: "slope by Theil and Sen", interval: trended(t, study.FitTheilSen, func(f *Fitted) stats.Interval { return f.SlopeInterval },
			medianSlope), slow: true},
		{name: "crossing", interval: claimed(t, true, study.Statistic{Kind: "crossing", By: "load"}, constant(2.5)), slow: true},
		{name: "share .7 of replications", interval: func(r *rand.Rand, _ law, n int) (stats.Interval, float64) {
			ones := law{draw: func(r *rand.Rand) float64 { return float64(b2i(r.Float64() < 0.7)) }}
			return shareInterval(drawn(r, ones, n).Estimate(), 1, 0.95), 0.7
		}},
		{name: "median", interval: func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
			return drawn(r, l, n).QuantileInterval(0.5, 0.95), l.median
		}},
	}
}

// trended fits a trendline over loads 1 to 4 to what the replication brings times the load and half its square, with noise.
func trended(t *testing.T, fit string, number func(*Fitted) stats.Interval, truth func(law) float64) func(*rand.Rand, law,
	int) (stats.Interval, float64) {
	loads := []float64{1, 2, 3, 4}
	return func(r *rand.Rand, l law, n int) (stats.Interval, float64) {
		shared := make([]float64, n)
		for i := range shared {
			shared[i] = l.draw(r)
		}
		run := grid(t, []string{"fcfs"}, loads, n, func(_ string, load float64, rep int) float64 { return shared[rep] * bentUp(r, load) }, zero)
		f := NewFitter(run.Frame, run.Design).Fit(frame.Every(run.Frame), run.Frame.Column("load"), run.Frame.Column("y"), fit)
		return number(&f), truth(l)
	}
}

func bentUp(r *rand.Rand, load float64) float64 { return (load + load*load/2) * noisy(r, 0.2) }

// medianSlopes are the medians of the slopes by Theil and Sen of one replication, of each law, from many of them.
var medianSlopes = map[string]float64{}

func medianSlope(l law) float64 {
	if _, known := medianSlopes[l.name]; !known {
		r := rand.New(rand.NewPCG(1968, 0))
		slopes := make([]float64, 40_000)
		for i := range slopes {
			points, shared := make([]stats.XY, 4), l.draw(r)
			for k := range points {
				points[k] = stats.XY{X: float64(k + 1), Y: shared * bentUp(r, float64(k+1))}
			}
			slopes[i] = stats.TheilSen(points).Slope
		}
		medianSlopes[l.name] = stats.TakeSample(slopes).Median()
	}
	return medianSlopes[l.name]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

var studySizes = []int{5, 10, 20, 40}

// promise is the coverage that the help promises of nominal 95 % intervals, for logarithms with a standard deviation up to 1.
var promise = map[int]float64{5: 0.88, 10: 0.88, 20: 0.90, 40: 0.92}

// TestIntervalsCover draws replications from known laws and counts how many intervals hold the truth. With -update it
// draws many times, for the table in results/intervals (make intervals). Else it draws fewer times, and compares with
// the promised coverage.
func TestIntervalsCover(t *testing.T) {
	fast, slow := 1000, 60
	if *golden.Update {
		fast, slow = 20000, 2000
	}
	if testing.Short() {
		fast, slow = 400, 30
	}
	var b strings.Builder
	b.WriteString(tableHead + "|:---|:---|---:|---:|---:|---:|---:|\n")
	for _, s := range intervalStudy(t) {
		for k, l := range laws {
			if s.name == "share .7 of replications" && k > 0 || s.name == "median" && math.IsNaN(l.median) {
				continue
			}
			name := l.name
			if s.name == "share .7 of replications" {
				name = "-"
			}
			fmt.Fprintf(&b, "| %s | %s |", s.name, name)
			free := 0.0
			for _, n := range studySizes {
				r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
				samples := fast
				if s.slow {
					samples = slow
				}
				held, unbounded := 0, 0
				for range samples {
					i, truth := s.interval(r, l, n)
					held += b2i(i.Contains(truth))
					unbounded += b2i(!i.Bounded())
				}
				share := float64(held) / float64(samples)
				if n == 5 {
					free = float64(unbounded) / float64(samples)
				}
				fmt.Fprintf(&b, " %s |", dotted(share))
				if need := promise[n] - 4*math.Sqrt(promise[n]*(1-promise[n])/float64(samples)); l.promised && s.name[0] != '(' && share < need {
					t.Errorf("%s, %s, n = %d: %.3f of %d intervals hold the truth, %.3f are promised", s.name, l.name, n, share, samples, promise[n])
				}
			}
			fmt.Fprintf(&b, " %s |\n", dotted(free))
		}
	}
	if !*golden.Update {
		return
	}
	path := filepath.Join("..", "..", "results", "intervals", "README.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	words, _, _ := strings.Cut(string(page), tableHead)
	if err := os.WriteFile(path, []byte(words+b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const tableHead = "| statistic | law of a replication | n = 5 | 10 | 20 | 40 | unbounded at 5 |\n"

// dotted prints a share as .953.
func dotted(share float64) string {
	return strings.TrimPrefix(fmt.Sprintf("%.3f", share), "0")
}

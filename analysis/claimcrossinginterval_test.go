package analysis

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// crossed evaluates the crossing of fcfs and easy over loads 0, 1, ... of the heights given by load and replication; easy is 0.
func crossed(t testing.TB, pick string, gaps [][]float64) ClaimPart {
	loads := make([]float64, len(gaps))
	for i := range loads {
		loads[i] = float64(i)
	}
	run := grid(t, []string{"fcfs", "easy"}, loads, len(gaps[0]), func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 0
		}
		return gaps[int(l)][r]
	}, zero)
	s := study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Pick: pick, Of: policy("fcfs"), To: policy("easy")}
	return evaluate(t, run, study.Claim{Statistic: s}).Parts[0]
}

// Between two loads the gap at x is (1-x) a + x b, and the paired t-test accepts 0 where the square of its mean is at most
// t^2/n times its variance: a parabola in x, whose roots are the ends. The jackknife of the crossing has others.
func TestCrossingsEndsAreTheParabolas(t *testing.T) {
	bounded, free := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(4, 12).Draw(rt, "n")
		noise := rapid.SampledFrom([]float64{0.1, 0.5, 1.5, 4, 4}).Draw(rt, "noise")
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			// Some spread there always is: the roots of a parabola without any cancel.
			a[i] = -1 + noise*(0.5*math.Sin(float64(i))+rapid.Float64Range(-1, 1).Draw(rt, "a"))
			b[i] = 2 + noise*(0.5*math.Cos(float64(2*i))+rapid.Float64Range(-1, 1).Draw(rt, "b"))
		}
		p := crossed(t, "only", [][]float64{a, b})
		if p.Reason != "" {
			return // single runs may not cross
		}
		ma, mb := stats.NewSample(a).Mean(), stats.NewSample(b).Mean()
		var vaa, vab, vbb float64
		for i := range n {
			vaa += (a[i] - ma) * (a[i] - ma)
			vab += (a[i] - ma) * (b[i] - mb)
			vbb += (b[i] - mb) * (b[i] - mb)
		}
		q := stats.TQuantile(0.95, n-1)
		k := q * q / float64(n*(n-1))
		f := func(x float64) float64 {
			m, v := (1-x)*ma+x*mb, (1-x)*(1-x)*vaa+2*x*(1-x)*vab+x*x*vbb
			return m*m - k*v
		}
		// f(x) = c0 + c1 x + c2 x^2 through three points.
		c0, c2 := f(0), 2*f(0)-4*f(0.5)+2*f(1)
		c1 := f(1) - c0 - c2
		low, high := math.Inf(-1), math.Inf(1)
		if root := c1*c1 - 4*c2*c0; root > 0 {
			for _, x := range []float64{(-c1 - math.Sqrt(root)) / (2 * c2), (-c1 + math.Sqrt(root)) / (2 * c2)} {
				if x > 0 && x < p.Estimate {
					low = x
				}
				if x < 1 && x > p.Estimate {
					high = x
				}
			}
		}
		// Equality that is accepted at an end of what is known may go on beyond it, also on the far side of a stretch that
		// is not accepted: the interval is the hull.
		if f(0) <= 0 {
			low = math.Inf(-1)
		}
		if f(1) <= 0 {
			high = math.Inf(1)
		}
		for _, ends := range [][2]float64{{p.Low, low}, {p.High, high}} {
			if ends[0] != ends[1] && !(math.Abs(ends[0]-ends[1]) < 1e-7) {
				rt.Fatalf("interval %v, the parabola's ends %g and %g", p.Interval, low, high)
			}
			if math.IsInf(ends[0], 0) {
				free++
			} else {
				bounded++
			}
		}
	})
	t.Logf("%d bounded ends, %d unbounded", bounded, free)
	if bounded == 0 {
		t.Error("no draw had a bounded end")
	}
}

// Curves that cross at 1/2, 3/2 and 5/2: the first and the last have an interval of their own that does not reach to others
// that are told apart; where the first two cannot be, the first's reaches over both.
func TestPickedCrossings(t *testing.T) {
	shake := []float64{-0.01, 0.01, -0.02, 0.02, 0}
	curve := func(heights ...float64) [][]float64 {
		var out [][]float64
		for k, h := range heights {
			at := slices.Clone(shake)
			for i := range at {
				at[i] = h + shake[(i+k)%len(at)]*float64(k+1)
			}
			out = append(out, at)
		}
		return out
	}
	three := curve(-1, 1, -1, 1)
	first, last := crossed(t, "first", three), crossed(t, "last", three)
	if math.Abs(first.Estimate-0.5) > 0.02 || !(first.Low > 0.4 && first.High < 0.6) {
		t.Errorf("first %v", first.Interval)
	}
	if math.Abs(last.Estimate-2.5) > 0.02 || !(last.Low > 2.3 && last.High < 2.7) {
		t.Errorf("last %v", last.Interval)
	}
	// At load 1 the curve is hardly above: it may not have crossed there at all.
	if p := crossed(t, "last", curve(-1, 0.005, -1, 1)); !(p.Low > 2.3 && p.High < 2.7) {
		t.Errorf("last, apart from a doubtful one: %v", p.Interval)
	}
	if p := crossed(t, "first", curve(-1, 0.005, -1, 1)); !(p.High > 1 && p.High < 1.2) {
		t.Errorf("first of two that cannot be told apart: %v", p.Interval)
	}
}

// A crossing at the end of what is known without some replication, over a metric that varies, has no upper end.
func TestCrossingAtTheEdge(t *testing.T) {
	x := []float64{2.9, 3.0, 3.1, 3.3, 2.7}
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1}, 5, func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 1
		}
		return 1.02*l + 0.03*float64(r-2)*l
	}, func(_ string, l float64, r int) float64 { return l * x[r] })
	s := study.Statistic{Kind: "crossing", Metric: "y", X: "z", By: "load", Pick: "only", Of: policy("fcfs"), To: policy("easy")}
	p := evaluate(t, run, study.Claim{Statistic: s}).Parts[0]
	if p.Reason != "" || !(p.Low <= p.Estimate) || !math.IsInf(p.High, 1) {
		t.Errorf("%v, %s", p.Interval, p.Reason)
	}
}

// A claim's ratio is the table's, also where some replications are 0.
func TestClaimedRatiosAreTheTables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(3, 15).Draw(rt, "n")
		values := rapid.SliceOfN(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0.1, 1e4)), 2*n, 2*n).Draw(rt, "values")
		run := grid(t, []string{"fcfs", "easy"}, []float64{1}, n, func(p string, _ float64, r int) float64 {
			if p == "easy" {
				return values[r]
			}
			return values[n+r]
		}, noise)
		run.Design.Metrics = []string{"y", "z"}
		got := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("easy"), To: policy("fcfs")}}).Parts[0]
		table, err := Compare(run.Frame, run.Design, Contrast{Axes: []string{"policy"}, Baseline: []Value{Text("fcfs")}, Metrics: []string{"y"}})
		if err != nil {
			rt.Fatal(err)
		}
		want := table[0].Ratio
		if got.Reason != "" || math.IsNaN(want.Estimate) {
			return // a mean of 0 has no ratio
		}
		same := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }
		if !same(got.Low, want.Low) || !same(got.High, want.High) {
			rt.Fatalf("claim %v, table %v", got.Interval, want)
		}
	})
}

// A point at which every instance failed is no part of a trend; the others keep their line.
func TestTrendWithoutALostPoint(t *testing.T) {
	run := grid(t, []string{"fcfs"}, []float64{1, 2, 3, 4}, 5, func(_ string, l float64, r int) float64 { return 2*l + 0.1*float64(r*r%7)*l }, zero)
	y := run.Frame.Column("y").Numbers
	for r := range 5 {
		y[15+r] = math.NaN()
	}
	got, err := Trends(run.Frame, run.Design, study.Trend{X: "load", Y: "y", By: []string{"policy"}})
	if err != nil || got[0].Replications != 5 || !got[0].SlopeInterval.Bounded() || got[0].N != 15 {
		t.Errorf("%+v (%v)", got, err)
	}
	if warned(got[0].Warnings, stats.NotFinite) != 5 {
		t.Errorf("warnings %v", got[0].Warnings)
	}
}

// A row that is there twice costs no other replication.
func TestRepeatedRowIsAveraged(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", make([]float64, 6)), NumberColumn("replication", "", []float64{0, 1, 2, 3, 4, 4}), NumberColumn("m", "s", []float64{1, 2, 3, 4, 5, 7}))
	if err != nil {
		t.Fatal(err)
	}
	all, err := Summarise(f, Design{Axes: []string{"load"}, Replication: "replication", Metrics: []string{"m"}})
	if err != nil || all[0].N != 5 || all[0].Mean.Estimate != 16.0/5 || warned(all[0].Warnings, stats.Duplicate) != 1 {
		t.Errorf("%+v (%v)", all, err)
	}
}

// Replications that play the same jobs are one: nothing has an interval, and the order of the rows says nothing.
func TestSameJobsHaveNoInterval(t *testing.T) {
	f := windows(t, brought)
	digest, of, first := make([]float64, f.Rows), make([]float64, f.Rows), make([]float64, f.Rows)
	for i := range digest {
		digest[i], of[i] = float64(1+i%40/4), 500 // of the window, the same in all replications
	}
	jobs := slices.Clone(of)
	names := []Column{NumberColumn(columnJobsDigest, "", digest), NumberColumn(columnSampleOf, "", of), NumberColumn(columnSampleFirst, "", first), NumberColumn(columnJobs, "", jobs)}
	for _, name := range f.Names() {
		names = append(names, *f.Column(name))
	}
	f, err := NewFrame(names...)
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{Design: windowsDesign, Contrasts: []Contrast{{Axes: []string{"policy"}, Baseline: []Value{Text("easy")}}}, Trends: []study.Trend{{X: "window", Y: "wait", By: []string{"policy"}}},
		Figures: []study.Figure{{ID: "f", X: "window", Y: "wait", Series: "policy", Band: true}}}
	reversed := make([]int32, f.Rows)
	for i := range reversed {
		reversed[i] = int32(f.Rows - 1 - i)
	}
	for _, frame := range []*Frame{f, f.take(reversed)} {
		r, err := Analyse(frame, spec)
		if err != nil {
			t.Fatal(err)
		}
		band := markOf[figure.Band](r.Figures[0].Figure.Panels[0], 0).Spans[0]
		claim := EvaluateClaims([]study.Claim{{Statistic: study.Statistic{Kind: "mean", Metric: "wait", Of: policy("easy")}}}, &Run{Frame: frame, Design: windowsDesign}, nil)[0].Parts[0]
		for what, i := range map[string]stats.Interval{"mean": r.Statistics[0].Mean, "difference": r.Comparisons[0][0].Difference, "slope": r.Trends[0][0].SlopeInterval,
			"band": {Low: band.Low, High: band.High}, "claim": claim.Interval} {
			if i.Bounded() {
				t.Errorf("%s: %v", what, i)
			}
		}
	}
}

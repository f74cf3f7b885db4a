package analysis

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

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
		got := evaluate(t, run, study.Claim{
			Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("easy"), To: policy("fcfs")}}).Parts[0]
		table, err := compare.Paired(run.Frame, run.Design,
			compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("fcfs")}, Metrics: []string{"y"}})
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
	run := grid(t, []string{"fcfs"}, []float64{1, 2, 3, 4}, 5, func(_ string, l float64, r int) float64 { return 2*l + 0.1*float64(r*r%7)*l },
		zero)
	y := run.Frame.Column("y").Numbers
	for r := range 5 {
		y[15+r] = math.NaN()
	}
	got, err := compare.Trends(run.Frame, run.Design, study.Trend{X: "load", Y: "y", By: []string{"policy"}})
	if err != nil || got[0].Replications != 5 || !got[0].SlopeInterval.Bounded() || got[0].N != 15 {
		t.Errorf("%+v (%v)", got, err)
	}
	if warned(got[0].Warnings, stats.NotFinite) != 5 {
		t.Errorf("warnings %v", got[0].Warnings)
	}
}

// A row that is there twice costs no other replication.
func TestRepeatedRowIsAveraged(t *testing.T) {
	f, err := frame.NewFrame(frame.NumberColumn("load", "", make([]float64, 6)),
		frame.NumberColumn("replication", "", []float64{0, 1, 2, 3, 4, 4}), frame.NumberColumn("m", "s", []float64{1, 2, 3, 4, 5, 7}))
	if err != nil {
		t.Fatal(err)
	}
	all, err := summarise(f, frame.Design{Axes: []string{"load"}, Replication: "replication", Metrics: []string{"m"}})
	if err != nil || all[0].N != 5 || all[0].Mean.Estimate != 16.0/5 || warned(all[0].Warnings, stats.Duplicate) != 1 {
		t.Errorf("%+v (%v)", all, err)
	}
}

// A policy that may draw, and drew the same schedule in all replications, has no interval, and no note on what one is about.
func TestIdenticalDrawsHaveOneNote(t *testing.T) {
	same := func(v float64) []float64 { return []float64{v, v, v, v, v, v} }
	f, err := frame.NewFrame(frame.TextColumn("policy", []string{"a", "a", "a", "b", "b", "b"}),
		frame.NumberColumn("replication", "", []float64{0, 1, 2, 0, 1, 2}), frame.NumberColumn("wait", "s", same(60)),
		frame.NumberColumn(frame.ColumnStreams, "", same(1)), frame.NumberColumn(frame.ColumnJobs, "", same(50)),
		frame.NumberColumn(frame.ColumnSampleOf, "", same(50)), frame.NumberColumn(frame.ColumnSampleFirst, "", same(0)),
		frame.NumberColumn(frame.ColumnJobsDigest, "", same(7)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(f, Spec{Design: frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"wait"}},
		Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}}}})
	if err != nil {
		t.Fatal(err)
	}
	if one, two := r.Statistics[0].Warnings, r.Comparisons[0][0].Warnings; warned(one, stats.Sharing) > 0 || warned(two, stats.Sharing) > 0 ||
		warned(one, stats.Degenerate) == 0 || warned(two, stats.Degenerate) == 0 {
		t.Errorf("%v and %v", one, two)
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
	names := []frame.Column{frame.NumberColumn(frame.ColumnJobsDigest, "", digest), frame.NumberColumn(frame.ColumnSampleOf, "", of),
		frame.NumberColumn(frame.ColumnSampleFirst, "", first), frame.NumberColumn(frame.ColumnJobs, "", jobs)}
	for _, name := range f.Names() {
		names = append(names, *f.Column(name))
	}
	f, err := frame.NewFrame(names...)
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{Design: windowsDesign, Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("easy")}}},
		Trends:  []study.Trend{{X: "window", Y: "wait", By: []string{"policy"}}},
		Figures: []study.Figure{{ID: "f", X: "window", Y: "wait", Series: "policy", Params: &plot.MeansParams{Band: true}}}}
	reversed := make([]int32, f.Rows)
	for i := range reversed {
		reversed[i] = int32(f.Rows - 1 - i)
	}
	for _, rows := range []*frame.Frame{f, f.Take(reversed)} {
		r, err := Analyse(rows, spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Overview([]string{"wait"})[0].Rows {
			for _, cell := range row.Cells {
				if cell.Aside != "" {
					t.Errorf("beside %s stands %q", cell.Read(), cell.Aside)
				}
			}
		}
		band := markOf[figure.Band](r.Figures[0].Figure.Panels[0], 0).Spans[0]
		claimed := claim.Evaluate([]study.Claim{{Statistic: study.Statistic{Kind: "mean", Metric: "wait", Of: policy("easy")}}},
			&frame.Run{Frame: rows, Design: windowsDesign}, nil)[0].Parts[0]
		for what, i := range map[string]stats.Interval{"mean": r.Statistics[0].Mean, "difference": r.Comparisons[0][0].Difference,
			"slope": r.Trends[0][0].SlopeInterval,
			"band":  {Low: band.Low, High: band.High}, "claim": claimed.Interval} {
			if i.Bounded() {
				t.Errorf("%s: %v", what, i)
			}
		}
	}
}

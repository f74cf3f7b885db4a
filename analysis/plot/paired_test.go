package plot

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// A paired figure shows the table of comparisons, number for number, and its CSV holds them. So does a figure of unrelated runs, whose
// caption speaks of no pairs.
func TestPairedFiguresAreTheComparisons(t *testing.T) {
	c := compare.Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}}
	figuresAreTheComparisons(t, c)
	c.Independent = true
	figuresAreTheComparisons(t, c)
}

func figuresAreTheComparisons(t *testing.T, c compare.Contrast) {
	t.Helper()
	f := sample(t)
	all, err := compare.Paired(f, design(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, paired := range []string{"difference", "ratio"} {
		drawing, err := Draw(f, design(), study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan", Series: "policy.placement",
			Params: &MeansParams{Paired: paired}}, c)
		if err != nil {
			t.Fatal(err)
		}
		if caption := drawing.Figure.Caption; strings.Contains(caption, "paired") == c.Independent {
			t.Errorf("unrelated %t: %s", c.Independent, caption)
		}
		panel, series := drawing.Figure.Panels[0], drawing.Figure.Series
		n := 0
		for _, r := range all {
			if r.Metric != "makespan" {
				continue
			}
			want := r.Difference
			if paired == "ratio" {
				want = r.Ratio
			}
			for s, name := range series {
				if name != r.Level[0].String() {
					continue
				}
				line, whiskers := markOf[figure.Line](panel, s), markOf[figure.Whiskers](panel, s)
				for i, q := range line.At {
					if q.X == r.Point[0].Number {
						n++
						if q.Y != want.Estimate || whiskers.Spans[i] != (figure.Span{X: q.X, Low: want.Low, High: want.High}) {
							t.Errorf("%s of %s at %g: %v %v, want %v", paired, name, q.X, q, whiskers.Spans[i], want)
						}
					}
				}
			}
		}
		if n != 16 {
			t.Errorf("%s: %d places, want 8 of each of two series", paired, n)
		}
		level := map[string]float64{"difference": 0, "ratio": 1}[paired]
		if diff := cmp.Diff([]figure.Reference{{Y: level, Label: "basic"}}, referencesOf(panel)); diff != "" {
			t.Error(diff)
		}
		var b bytes.Buffer
		if err := drawing.Figure.CSV(&b); err != nil || strings.Count(b.String(), ","+paired+",") != 16 ||
			strings.Count(b.String(), ",interval,") != 16 {
			t.Errorf("%v, CSV:\n%s", err, b.String())
		}
		unit, of := "s", "difference from basic"
		if paired == "ratio" {
			unit, of = "", "to basic"
		}
		if drawing.Figure.Y.Unit != unit || !strings.HasPrefix(drawing.Figure.Y.Label, "Makespan, "+paired) ||
			!strings.HasSuffix(drawing.Figure.Y.Label, of) {
			t.Errorf("axis %+v", drawing.Figure.Y)
		}
		if !strings.Contains(drawing.Figure.Caption, of) || !strings.Contains(drawing.Figure.Caption, "whiskers: 95") {
			t.Error(drawing.Figure.Caption)
		}
	}
}

// Over the baseline's own axis its place is left out. The caption names the axes that are averaged over.
func TestPairedOverTheAxisOfTheBaseline(t *testing.T) {
	c := compare.Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}}
	spec := study.Figure{ID: "f", X: "policy.placement", Y: "makespan", Params: &MeansParams{Paired: "ratio"}}
	drawing, err := Draw(sample(t), design(), spec, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"contiguous", "local"}, drawing.Figure.X.Categories); diff != "" {
		t.Error(diff)
	}
	if line := markOf[figure.Line](drawing.Figure.Panels[0], 0); len(line.At) != 2 || line.At[0].X != 0 || line.At[1].X != 1 ||
		warned(drawing.Warnings, stats.Pooled) == 0 ||
		!strings.Contains(drawing.Figure.Caption, "Averaged within each replication over communication factor") {
		t.Errorf("%+v, warnings %v, caption %s", line, drawing.Warnings, drawing.Figure.Caption)
	}
	one := spec
	one.Where = []study.Term{where("workload.communication_factor", 1e7)}
	if drawing, err := Draw(sample(t), design(), one, c); err != nil || len(markOf[figure.Line](drawing.Figure.Panels[0], 0).At) != 2 ||
		warned(drawing.Warnings, stats.Pooled) != 0 {
		t.Errorf("of one value that where chooses: error %v, warnings %v", err, drawing.Warnings)
	}
	want, err := compare.Paired(sample(t), design(),
		compare.Contrast{Axes: c.Axes, Baseline: c.Baseline, Metrics: []string{"makespan"}, Over: []string{"workload.communication_factor"}})
	if err != nil || want[0].Ratio.Estimate != markOf[figure.Line](drawing.Figure.Panels[0], 0).At[0].Y {
		t.Errorf("%v, want %v", err, want[0].Ratio)
	}
	if _, err := Draw(sample(t), design(), spec); err == nil || !strings.Contains(err.Error(), "analysis.baseline") {
		t.Errorf("error %v", err)
	}
}

// Panels by two axes make a grid, rows by rows; sizes, limits and scales reach the drawing.
func TestPanelsByTwoAxes(t *testing.T) {
	f, d := saturating(t)
	for row := range f.Rows {
		if f.Column("x").Numbers[row] == 0 {
			f.Column("y").Numbers[row] = 42 // of the panels' first points
		}
	}
	drawing, err := Draw(f, d, study.Figure{ID: "f", X: "x", Y: "y", Panels: "clusters", Rows: "model", Width: 85, Height: 25.4,
		XLimits: []float64{0, 2.5}, Scales: "free-y"})
	if err != nil {
		t.Fatal(err)
	}
	g := drawing.Figure
	var names []string
	for _, p := range g.Panels {
		names = append(names, p.Row+"/"+p.Title)
	}
	if diff := cmp.Diff([]string{"dynamic/clusters = 0", "dynamic/clusters = 1", "no sharing/clusters = 0", "no sharing/clusters = 1"},
		names); diff != "" {
		t.Error(diff)
	}
	if g.Columns != 2 || !(math.Abs(g.Height-72) <= 1e-9) || !(math.Abs(g.Width-85*72/25.4) <= 1e-9) ||
		*g.X.Limits != [2]float64{0, 2.5} || g.OwnX || !g.OwnY {
		t.Errorf("figure %+v", g)
	}
	if a, b := markOf[figure.Line](g.Panels[0], 0), markOf[figure.Line](g.Panels[1], 0); a.At[0].Y != 42 || len(a.At) != 4 || len(b.At) == 0 {
		t.Errorf("panels %+v, %+v", a, b)
	}
	told := slices.ContainsFunc(drawing.Warnings, func(w stats.Warning) bool { return strings.Contains(w.Text, "outside the limits") })
	if n := warned(drawing.Warnings, stats.NotDrawn); n != 1 || !told { // x = 3 of the first panel
		t.Errorf("%d points outside the limits: %v", n, drawing.Warnings)
	}
	var b bytes.Buffer
	if err := g.CSV(&b); err != nil || !strings.Contains(b.String(), `"dynamic, clusters = 0",y,mean,0,42,`) {
		t.Errorf("%v, CSV:\n%s", err, b.String())
	}
}

// A baseline with a mean of 0 has no ratio. A figure of differences does not lack one.
func TestDifferencesFromZero(t *testing.T) {
	f, d := spreadOf(t, 0, 0, 0)
	wait := f.Column("wait").Numbers
	wait[3], wait[4], wait[5] = 1, 2, 4
	c := compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("easy")}}
	for paired, says := range map[string]bool{"difference": false, "ratio": true} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", X: "policy", Y: "wait", Params: &MeansParams{Paired: paired}}, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(said(drawing), "there is no ratio"); got != says {
			t.Errorf("%s: %s", paired, said(drawing))
		}
	}
}

// The caption and a warning count the comparisons that leave instances out, and their most, not those of the first comparison alone.
func TestInstancesWithoutAPartnerAreSaid(t *testing.T) {
	f, d := levelled(t, 2, 3, 6, func(p, l, r int) (float64, float64) {
		if p == 0 && r >= 5-l { // not run: 1, 2 and 3 instances of p1 have no partner
			return math.Inf(1), 0
		}
		return float64(10*p + r*r), 1
	})
	d.PlannedOf = func(point []frame.Value) int {
		if point[0].Text == "p0" {
			return 5 - int(point[1].Number)
		}
		return 6
	}
	drawing, err := Draw(f, d, study.Figure{ID: "f", X: "load", Y: "wait", Series: "policy", Params: &MeansParams{Paired: "difference"}},
		compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p0")}})
	if err != nil {
		t.Fatal(err)
	}
	want := "3 of 3 comparisons leave out instances without a partner, up to 3 of them"
	if warned(drawing.Warnings, stats.Unpaired) != 3 || !strings.HasSuffix(drawing.Figure.Caption, want+".") {
		t.Errorf("%q, %v", drawing.Figure.Caption, drawing.Warnings)
	}
}

// TestMarksBesideDroppedBaseline: where the levels of the baseline's axis are places, those of the log itself and of published values are
// at their own level. The baseline has no place, so it has no mark.
func TestMarksBesideDroppedBaseline(t *testing.T) {
	factor := map[string]float64{"a": 1, "b": 2, "c": 4}
	run := grid(t, []string{"a", "b", "c"}, []float64{1, 2}, 5, func(policy string, l float64, r int) float64 {
		return factor[policy] * (l + float64(r))
	}, zero)
	d := run.Design
	again := run.Frame.Column(frame.ReplicationColumn)
	d.Log = run.Frame.Take(slices.DeleteFunc(frame.Every(run.Frame), func(row int32) bool { return again.Number(row) > 0 }))
	for _, s := range []study.Figure{{X: "policy", Y: "y", Panels: "load"}, {X: "load", Y: "y", Panels: "policy"},
		{X: "load", Y: "y", Rows: "policy"}} {
		s.ID, s.Params = "f", &MeansParams{Paired: pairedRatio}
		for _, policy := range []string{"a", "b", "c"} {
			s.Published = append(s.Published, study.PublishedValue{Value: factor[policy], Where: []study.Term{{Path: "policy",
				Values: []params.Value{{Kind: params.String, S: policy}}}}})
		}
		drawing, err := Draw(run.Frame, d, s, compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}})
		if err != nil {
			t.Fatal(err)
		}
		var csv bytes.Buffer
		if err := drawing.Figure.CSV(&csv); err != nil {
			t.Fatal(err)
		}
		marks := map[string]int{}
		for _, line := range strings.Split(csv.String(), "\n") {
			for policy, want := range factor {
				v := strconv.Itoa(int(want))
				here := slices.Contains(strings.Split(line, ","), policy)
				if here && (strings.Contains(line, ",log itself,") || strings.Contains(line, ",published,")) && strings.HasSuffix(line, ","+v+",,,,") {
					marks[policy]++
				}
			}
		}
		if diff := cmp.Diff(map[string]int{"b": 4, "c": 4}, marks); diff != "" {
			t.Errorf("x %s: %s\n%s", s.X, diff, csv.String())
		}
	}
}

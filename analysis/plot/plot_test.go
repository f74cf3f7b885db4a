package plot

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"reflect"
	"slices"
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

func drawn(t *testing.T, f *frame.Frame, s study.Figure) *Drawing {
	t.Helper()
	d, err := Draw(f, design(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Figure.SVG(io.Discard); err != nil {
		t.Fatal(err)
	}
	return d
}

// markOf is the mark of a kind that a series has in a panel, an empty one where it has none.
func markOf[M any](p figure.Panel, series int) M {
	for _, m := range p.Marks {
		if k, ok := m.(any).(*M); ok && reflect.ValueOf(k).Elem().FieldByName("Series").Int() == int64(series) {
			return *k
		}
	}
	var none M
	return none
}

func referencesOf(p figure.Panel) (out []figure.Reference) {
	for _, m := range p.Marks {
		if r, ok := m.(*figure.Reference); ok {
			out = append(out, *r)
		}
	}
	return out
}

func TestPlotShowsEveryInstanceThatEndedWell(t *testing.T) {
	d := drawn(t, sample(t), study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan", Panels: "policy.placement",
		Params: &MeansParams{Points: true, Line: "none", Trend: true, Band: true}})
	var titles []string
	for i, p := range d.Figure.Panels {
		titles = append(titles, p.Title)
		want := 48
		if i == 0 {
			want = 46
		}
		cloud, trend, band := markOf[figure.Cloud](p, 0), markOf[figure.Trend](p, 0), markOf[figure.Band](p, 0)
		if len(cloud.At) != want || len(p.Marks) != 3 || len(trend.At) < 2 || len(band.Spans) != len(trend.At) {
			t.Errorf("panel %s: %d points, %d trend, %d band", p.Title, len(cloud.At), len(trend.At), len(band.Spans))
		}
		if s := trend.Slope; !(s.Low < s.Value && s.Value < s.High && s.R2 > 0) {
			t.Errorf("panel %s: slope %v", p.Title, s)
		}
	}
	if d := cmp.Diff(placements, titles); d != "" {
		t.Error(d)
	}
	if warned(d.Warnings, stats.Failed) != 2 || warned(d.Warnings, stats.Pooled) != 0 {
		t.Errorf("warnings %v", d.Warnings)
	}
}

func TestPlotOverCategoriesPoolsAloud(t *testing.T) {
	d, err := Draw(sample(t), frame.Design{Axes: design().Axes, Replication: "replication", Outcome: "outcome", Metrics: []string{"mean_wait"},
		Order: map[string][]string{"policy.placement": {"local", "basic"}}},
		study.Figure{ID: "f", X: "policy.placement", Y: "mean_wait", Params: &MeansParams{Line: "median", Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"local", "basic", "contiguous"}, d.Figure.X.Categories); d != "" {
		t.Error(d)
	}
	if warned(d.Warnings, stats.Pooled) == 0 {
		t.Errorf("warnings %v do not say that factors are pooled", d.Warnings)
	}
}

// Marks of one panel that are of other values of the axes that each puts together differ in more than the figure shows.
func TestMarksOfUnlikePointsAreWarnedOf(t *testing.T) {
	const unlike = "Not all marks of a panel have the same values"
	all := sample(t)
	placement, factor := all.Column("policy.placement"), all.Column("workload.communication_factor")
	rest := all.Take(slices.DeleteFunc(frame.Every(all), func(row int32) bool {
		return placement.At(int(row)).Plain() == "local" && factor.At(int(row)).Number == 0
	}))
	for _, s := range []study.Figure{
		{Kind: "means", X: "policy.placement", Y: "mean_wait"}, {Kind: "box", X: "policy.placement", Y: "mean_wait"},
		{Kind: "bars", X: "policy.placement", Y: "mean_wait"}, {Kind: "ecdf", X: "mean_wait", Series: "policy.placement"},
		{Kind: "pareto", X: "mean_wait", Y: "makespan", Series: "policy.placement"},
	} {
		for f, want := range map[*frame.Frame]bool{all: false, rest: true} {
			d := design()
			d.Better = map[string]string{"mean_wait": "lower", "makespan": "lower"}
			s.ID = "f"
			got, err := Draw(f, d, s)
			if err != nil {
				t.Fatal(err)
			}
			pooled := slices.DeleteFunc(got.Warnings, func(w stats.Warning) bool { return w.Code != stats.Pooled })
			if len(pooled) != 1 || strings.Contains(pooled[0].Text, unlike) != want {
				t.Errorf("%s: %v", s.Kind, pooled)
			}
			if c := got.Figure.Caption; !strings.Contains(c, "Averaged within each replication over communication factor") ||
				strings.Contains(c, unlike) != want {
				t.Errorf("%s: caption %s", s.Kind, c)
			}
		}
	}
}

// An axis that differs between series only, such as the policy of each label, is not pooled.
func TestPlotOfSeriesThatDifferInMore(t *testing.T) {
	f := sample(t)
	twin := *f.Column("policy.placement")
	twin.Name = "policy.kind"
	var err error
	if f, err = frame.NewFrame(append(columnsOf(f), twin)...); err != nil {
		t.Fatal(err)
	}
	d := design()
	d.Axes = append(d.Axes, "policy.kind")
	got, err := Draw(f, d, study.Figure{ID: "f", X: "workload.communication_factor", Y: "mean_wait", Series: "policy.placement"})
	if err != nil {
		t.Fatal(err)
	}
	if warned(got.Warnings, stats.Pooled) != 0 {
		t.Errorf("warnings %v", got.Warnings)
	}
	// Nor is one that differs between places of a paired figure only, as in a sample of points.
	got, err = Draw(f, d, study.Figure{ID: "f", X: "policy.placement", Y: "mean_wait", Params: &MeansParams{Paired: "ratio"}},
		compare.Contrast{Axes: []string{"workload.communication_factor"}, Baseline: []frame.Value{frame.Number(0)}})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Figure.Caption; warned(got.Warnings, stats.Pooled) != 0 || strings.Contains(c, "Averaged") {
		t.Errorf("caption %s, warnings %v", c, got.Warnings)
	}
}

// Single instances and their trend are no means of replications.
func TestInstancesAreNotAveraged(t *testing.T) {
	got, err := Draw(sample(t), design(), study.Figure{ID: "f", X: "workload.communication_factor", Y: "mean_wait",
		Params: &MeansParams{Line: lineNone, Points: true, Trend: true}})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Figure.Caption; warned(got.Warnings, stats.Pooled) != 1 || strings.Contains(c, "Averaged") ||
		!strings.Contains(c, "Rows that differ in placement are put together") {
		t.Errorf("caption %s, warnings %v", c, got.Warnings)
	}
}

func TestNonPositiveValuesOnALogAxisAreWarnedOf(t *testing.T) {
	d := drawn(t, sample(t), study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan", Series: "policy.placement",
		XScale: "log", Params: &MeansParams{Trend: true}})
	if warned(d.Warnings, stats.NotDrawn) != 3 { // one mean at factor 0 for each placement
		t.Errorf("warnings %v", d.Warnings)
	}
}

func TestPlotWithoutRows(t *testing.T) {
	empty := frameOf(t, sample(t), nil)
	for _, s := range wholeFigures() {
		d, err := Draw(empty, design(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Figure.PDF(io.Discard); err != nil {
			t.Error(err)
		}
		if warned(d.Warnings, stats.Missing) != 144 {
			t.Errorf("warnings %v", d.Warnings)
		}
	}
}

func TestPlotRefuses(t *testing.T) {
	for want, s := range map[string]study.Figure{
		`x "nothing"`:        {X: "nothing", Y: "makespan"},
		`y "outcome"`:        {X: "policy.placement", Y: "outcome"},
		"series, panels and": {X: "mean_wait", Y: "makespan", Series: "outcome"},
		`"outcome": the col`: {X: "outcome", Y: "makespan"},
	} {
		s.ID = "f"
		if _, err := Draw(sample(t), design(), s); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), `figure "f"`) {
			t.Errorf("error %v, want one with %s", err, want)
		}
	}
}

// The mean of one instance is that instance: it is drawn once.
func TestPlotShowsSingleInstancesOnce(t *testing.T) {
	spec := study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan", Panels: "policy.placement",
		Params: &MeansParams{Points: true, Line: "mean"}}
	for replications, clouds := range map[int]bool{1: false, 2: true} {
		d := drawn(t, sampleOf(t, replications, 24), spec)
		for _, p := range d.Figure.Panels {
			if cloud, line := markOf[figure.Cloud](p, 0), markOf[figure.Line](p, 0); len(line.At) == 0 || (len(cloud.At) > 0) != clouds {
				t.Errorf("%d replications, panel %s: %d points, %d means", replications, p.Title, len(cloud.At), len(line.At))
			}
		}
	}
}

// TestCaptionCountsReplicationsWithoutAValue: of three replications, two have no jobs of a class at load 1. A mark without any value
// needs no remark, because readers see that it is not there.
func TestCaptionCountsReplicationsWithoutAValue(t *testing.T) {
	nan := math.NaN()
	f, err := frame.NewFrame(frame.NumberColumn("load", "", []float64{1, 1, 1, 2, 2, 2, 3, 3, 3}),
		frame.NumberColumn("replication", "", []float64{0, 1, 2, 0, 1, 2, 0, 1, 2}),
		frame.NumberColumn("wait", "s", []float64{4, nan, nan, 5, 6, nan, nan, nan, nan}))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Draw(f, frame.Design{Axes: []string{"load"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95},
		study.Figure{ID: "f", X: "load", Y: "wait", Params: &MeansParams{}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "p to 2 replications of a mark have no value and are left out"
	if !strings.Contains(d.Figure.Caption, "U"+want+".") {
		t.Errorf("caption %q", d.Figure.Caption)
	}
	if !slices.ContainsFunc(d.Warnings, func(w stats.Warning) bool { return w.Text == "u"+want }) {
		t.Errorf("warnings %v", d.Warnings)
	}
}

// TestLinesPartWhereASeriesHasNoValue: the class of b has no jobs at the second of three loads, and at the last. Its line and band have a
// gap at the second, in a paired figure too. Those of a, and of c that is not planned there, go on.
func TestLinesPartWhereASeriesHasNoValue(t *testing.T) {
	var load, replication, wait []float64
	var policy []string
	for i, of := range [][]float64{{1, 2, 3, 4}, {2, math.NaN(), 5, math.NaN()}, {3, 0, 6, 7}} {
		for l, v := range of {
			for r := 0.; r < 3 && v != 0; r++ {
				load, replication, wait = append(load, float64(l)), append(replication, r), append(wait, v+r*r)
				policy = append(policy, string("abc"[i]))
			}
		}
	}
	f, err := frame.NewFrame(frame.NumberColumn("load", "", load), frame.TextColumn("policy", policy),
		frame.NumberColumn("replication", "", replication), frame.NumberColumn("wait", "s", wait))
	if err != nil {
		t.Fatal(err)
	}
	design := frame.Design{Axes: []string{"load", "policy"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95}
	c := compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("a")}}
	for _, paired := range []string{"", pairedDifference} {
		d, err := Draw(f, design, study.Figure{ID: "f", X: "load", Y: "wait", Series: "policy",
			Params: &MeansParams{Band: true, Paired: paired}}, c)
		if err != nil {
			t.Fatal(err)
		}
		p, first := d.Figure.Panels[0], slices.Index(d.Figure.Series, "b")
		for series, want := range [][]float64{{0, 1, 2}, {0, 2, 3}} {
			var at, gaps []float64
			for _, q := range markOf[figure.Line](p, first+series).At {
				if at = append(at, q.X); math.IsNaN(q.Y) {
					gaps = append(gaps, q.X)
				}
			}
			if diff := cmp.Diff(want, at); diff != "" || series == 0 && !slices.Equal(gaps, []float64{1}) || series == 1 && gaps != nil {
				t.Errorf("paired %q, series %d: gaps at %v, %s", paired, series, gaps, diff)
			}
		}
		if b := markOf[figure.Band](p, first).Spans; paired == "" && (len(b) != 3 || !math.IsNaN(b[1].Low)) {
			t.Errorf("band %v", b)
		}
		if n := d.Figure.NotDrawn(); n != 0 {
			t.Errorf("%d points are not drawn", n)
		}
	}
	// Places of c that have not run part its line, too. Places that the selection leaves out do not, nor do complete runs.
	design.Points = func() (*frame.Frame, error) {
		return frame.NewFrame(frame.NumberColumn("load", "", []float64{0, .5, 1, 1.5, 2, 2.5, 3, 4}),
			frame.TextColumn("policy", strings.Split("cccaacbc", "")))
	}
	design.PlannedTotal = frame.Exactly(f.Rows + 1)
	within := []study.Term{{Path: "load", Range: true, From: 1, To: 9}}
	for i, want := range [][]float64{{0, .5, 1, 2, 2.5, 3}, {2, 2.5, 3}, {0, .5, 1, 2, 2.5, 3}, {0, 2, 3}} {
		series, s := 2, study.Figure{ID: "f", X: "load", Y: "wait", Series: "policy", Params: &MeansParams{Band: true}}
		switch i {
		case 1:
			s.Where = within
		case 2: // compared, so that rows of the baseline are no values
			series, s.Series, s.Params = 0, "", &MeansParams{Paired: pairedDifference}
			s.Where = []study.Term{{Path: "policy", Values: []params.Value{{Kind: params.String, S: "a"}, {Kind: params.String, S: "c"}}}}
		case 3:
			design.PlannedTotal = frame.Exactly(f.Rows)
		}
		d, err := Draw(f, design, s, c)
		if err != nil {
			t.Fatal(err)
		}
		var at []float64
		for _, q := range markOf[figure.Line](d.Figure.Panels[0], series).At {
			at = append(at, q.X)
		}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("%d: places of c: %s", i, diff)
		}
	}
}

// TestCSVSaysWhatNumbersRestOn: each mean and each interval has the number of its replications, and all rows have the warnings.
func TestCSVSaysWhatNumbersRestOn(t *testing.T) {
	f, err := frame.NewFrame(frame.NumberColumn("load", "", []float64{1, 1, 1, 2, 2, 2}),
		frame.NumberColumn("replication", "", []float64{0, 1, 2, 0, 1, 2}),
		frame.NumberColumn("wait", "s", []float64{4, 5, math.NaN(), 5, 6, 8}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"load"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95}
	for kind, params := range map[string]any{"": &MeansParams{Line: lineMean, Band: true}, "bars": &BarsParams{}, "box": &BoxParams{}} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: kind, X: "load", Y: "wait", Params: params})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := drawing.Figure.CSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 5 || rows[0][7] != "n" || rows[0][8] != "warnings" {
			t.Fatalf("%s: %v, %v", kind, rows, err)
		}
		for _, row := range rows[1:] {
			if n := map[string]string{"1": "2", "2": "3"}[row[3]]; row[7] != n || row[8] != "1 replication of a mark has no value and is left out" {
				t.Errorf("%s: %q", kind, row)
			}
		}
	}
}

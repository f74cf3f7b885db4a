package analysis

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

const partsManifest = `
name: parts
replications: 3
workload: {load: 0.5}
policy: {placement: basic}
axes:
  workload.load: [{label: W1, value: 0.9}, {label: W2, value: 0.7}]
  policy.placement: [{label: near, value: local}, basic, contiguous]
  policy.depth: [1, 2, 4, 8]
blocks:
  - name: all
  - name: near saturation
    replications: 7
    axes:
      workload.load: [{label: W1, value: 0.9}]
      policy.depth: [4, 8]
metrics: [makespan]
analysis:
  baseline: {workload.load: W2}
  figures:
    - {id: panels, x: policy.depth, y: makespan, series: policy.placement, panels: workload.load, band: true}
    - {id: w1, title: Load W1, x: policy.depth, y: makespan, series: policy.placement, panels: workload.load, band: true, where: {workload.load: W1}}
    - {id: part, x: policy.depth, y: makespan, series: policy.placement, where: {workload.load: 0.7, policy.placement: [local, basic], policy.depth: {from: 2, to: 8}}}
    - {id: one, x: policy.depth, y: makespan, series: policy.placement, where: {workload.load: W2, policy.placement: local}}
    - {id: categories, x: workload.load, y: makespan, series: policy.placement, where: {policy.depth: 4}}
    - {id: legend, x: policy.depth, y: makespan, series: workload.load, where: {policy.placement: basic}}
claims:
  - {id: label, mean: {metric: makespan, of: {workload.load: W1}}}
  - {id: value, mean: {metric: makespan, of: {workload.load: 0.9}}}
  - {id: range, mean: {metric: makespan, of: {workload.load: {from: 0.8, to: 1}}}}
  - {id: slope, slope: {metric: makespan, x: workload.load}}
  - {id: text, mean: {metric: makespan, of: {policy.placement: near}}}
  - {id: text-value, mean: {metric: makespan, of: {policy.placement: local}}}
  - {id: order, order: {metric: makespan, axis: workload.load, values: [W2, 0.9], is: ascending}}
  - {id: across, difference: {metric: makespan, of: {policy.placement: local}, to: {policy.placement: basic}}, across: [workload.load]}
`

type depthParams struct {
	Placement string `sweep:"placement" enum:"basic|contiguous|local"`
	Depth     int    `sweep:"depth"`
}

// parts is the manifest with the rows of all its instances.
func parts(t *testing.T) (*sweep.Manifest, *frame.Frame) {
	t.Helper()
	m, err := sweep.Load("parts.yaml", []byte(partsManifest), sweep.Options{Registry: &params.Registry{
		Sections: []params.Section{
			{Name: "workload", Doc: "jobs", Kinds: []params.Kind{{Doc: "jobs", Params: workloadParams{}}}},
			{Name: "policy", Doc: "who starts", Kinds: []params.Kind{{Doc: "who starts", Params: depthParams{Placement: "basic"}}}},
		},
		Metrics: []params.Metric{{Name: "makespan", Unit: "s", Doc: "last end"}}, Version: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var placement, outcome []string
	var load, depth, replication, makespan []float64
	for i, in := range plan.All() {
		l, p, d := in.Values[0].F, in.Values[1].S, in.Values[2].I
		load, placement, depth = append(load, l), append(placement, p), append(depth, float64(d))
		replication, outcome = append(replication, float64(in.Replication)), append(outcome, "ok")
		makespan = append(makespan, 1000*l+float64(10*len(p)*int(d))+40*math.Sin(float64(7*i+i*i)))
	}
	f, err := frame.NewFrame(frame.NumberColumn("workload.load", "", load), frame.TextColumn("policy.placement", placement),
		frame.NumberColumn("policy.depth", "", depth),
		frame.NumberColumn("replication", "", replication), frame.TextColumn("outcome", outcome), frame.NumberColumn("makespan", "s", makespan))
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// A figure shows the part of the points that where: chooses, as if there were no others, and labels stand for their values.
func TestFiguresOfParts(t *testing.T) {
	m, f := parts(t)
	spec, err := FromManifest(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 0 {
		t.Errorf("warnings %v", r.Warnings)
	}
	type shown struct {
		Panels, Series, Categories string
		Points                     int
	}
	want := map[string]shown{
		"panels":     {"W1;W2", "near;basic;contiguous", "1;2;4;8", 24},
		"w1":         {"", "near;basic;contiguous", "1;2;4;8", 12},
		"part":       {"", "near;basic", "2;4;8", 6},
		"one":        {"", "near", "1;2;4;8", 4},
		"categories": {"", "near;basic;contiguous", "W1;W2", 6},
		"legend":     {"", "W1;W2", "1;2;4;8", 8},
	}
	for _, d := range r.Figures {
		var titles []string
		got := shown{Series: strings.Join(d.Figure.Series, ";"), Categories: strings.Join(d.Figure.X.Categories, ";")}
		for _, p := range d.Figure.Panels {
			titles = append(titles, p.Title)
			for i := range d.Figure.Series {
				got.Points += len(markOf[figure.Line](p, i).At)
			}
		}
		got.Panels = strings.Join(titles, ";")
		if diff := cmp.Diff(want[d.Figure.ID], got); diff != "" {
			t.Errorf("figure %s:\n%s", d.Figure.ID, diff)
		}
		if len(d.Warnings) != 0 {
			t.Errorf("figure %s: warnings %v", d.Figure.ID, d.Warnings)
		}
		if d.Figure.ID == "w1" {
			var b bytes.Buffer
			if err := d.Figure.PNG(&b); err != nil {
				t.Fatal(err)
			}
			golden.CheckPNG(t, filepath.Join("testdata", "figure-w1.png"), b.Bytes())
		}
	}
	// The means are those of the same part alone.
	alone, err := plot.Draw(f.Take(rowsWhere(t, f, spec.Figures[1].Where)), spec.Design,
		study.Figure{ID: "w1", X: "policy.depth", Y: "makespan", Series: "policy.placement", XScale: study.ScaleAuto,
			Params: &plot.MeansParams{Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(alone.Figure.Panels[0].Marks, r.Figures[1].Figure.Panels[0].Marks); diff != "" {
		t.Error(diff)
	}
	spec.Figures = []study.Figure{
		{ID: "none", X: "policy.depth", Y: "makespan", Panels: "workload.load", Where: []study.Term{where("workload.load", 0.1)}}}
	if r, err = Analyse(f, spec); err != nil || len(r.Figures[0].Warnings) != 1 || r.Figures[0].Figure.SVG(&bytes.Buffer{}) != nil {
		t.Errorf("no rows: %v, %v", r.Figures[0].Warnings, err)
	}
	spec.Figures[0].Where = []study.Term{where("workload.laod", 0.1)}
	if _, err = Analyse(f, spec); err == nil || !strings.Contains(err.Error(), "there is no axis workload.laod") {
		t.Errorf("error %v", err)
	}
}

func rowsWhere(t *testing.T, f *frame.Frame, terms []study.Term) []int32 {
	t.Helper()
	rows, reason := frame.MatchingRows(f, frame.TermsOf(terms))
	if reason != "" {
		t.Fatal(reason)
	}
	return rows
}

// Tables and claims know points by the labels of their values, and how many replications each should have.
func TestTablesOfLabelsAndUnequalReplications(t *testing.T) {
	m, f := parts(t)
	spec, err := FromManifest(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	missing := f.Take(frame.Every(f)[1:])
	r, err := Analyse(missing, spec)
	if err != nil {
		t.Fatal(err)
	}
	planned := map[int]int{}
	for i, s := range r.Statistics {
		want := 3
		if s.Point[0].Label == "W1" && s.Point[2].Number >= 4 {
			want = 7
		}
		ok := want
		if i == 0 {
			ok--
		}
		if s.Counts != (frame.Counts{Planned: frame.Exactly(want), OK: ok}) {
			t.Errorf("point %v: %+v", s.Point, s.Counts)
		}
		planned[want]++
	}
	if planned[3] != 18 || planned[7] != 6 || warned(r.Warnings, stats.Missing) != 1 {
		t.Errorf("points by replications %v, warnings %v", planned, r.Warnings)
	}
	if first := fmt.Sprint(r.Statistics[0].Point, r.Statistics[12].Point); first != "[W1 near 1] [W2 near 1]" {
		t.Errorf("points %s", first)
	}
	var b bytes.Buffer
	if err := r.Tables()[1].WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "Comparisons with load = W2, paired") || !strings.Contains(text, " W1 ") ||
		strings.Contains(text, "0.9 ") {
		t.Errorf("comparisons:\n%s", text)
	}
	for _, c := range r.Comparisons[0] {
		// Pairs are of the replications that both have.
		if four := c.Point[1].Number >= 4; c.Level[0].String() != "W1" || four && (c.N != 3 || c.Unpaired != 4) {
			t.Errorf("comparison %+v", c)
		}
	}
	points, err := frame.PlannedPoints(m)
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]claim.Result{}
	for _, c := range claim.Evaluate(m.Claims, &frame.Run{Frame: f, Design: spec.Design, Planned: points, Remedy: "run it"}, nil) {
		claims[c.Claim.ID] = c
	}
	label := claims["label"].Parts[0]
	if label.Counts != (frame.Counts{Planned: frame.Exactly(6*3 + 6*7), OK: 60}) || label.Replications != 3 ||
		label.Interval != claims["value"].Parts[0].Interval || label.Interval != claims["range"].Parts[0].Interval || !label.Bounded() {
		t.Errorf("by label %+v, by value %+v, by range %+v", label, claims["value"].Parts[0], claims["range"].Parts[0])
	}
	if p := claims["slope"].Parts[0]; p.Reason != "" || !(math.Abs(p.Estimate-1000) <= 200) {
		t.Errorf("slope %+v", p)
	}
	if a, b := claims["text"].Parts[0], claims["text-value"].Parts[0]; a.Interval != b.Interval || a.Reason != "" {
		t.Errorf("text by label %+v, by value %+v", a, b)
	}
	if c := claims["order"]; c.Verdict != claim.Holds || c.Parts[0].Label != "W1 - W2" {
		t.Errorf("order %+v", c)
	}
	if c := claims["across"]; len(c.Parts) != 2 || c.Parts[0].Label != "load = W1" || c.Parts[1].Label != "load = W2" ||
		c.Parts[0].Reason != "" {
		t.Errorf("across %+v", c)
	}
}

// A claim of another manifest, which does not know this run's labels, chooses by value or by label.
func TestLabelsOfAnotherRun(t *testing.T) {
	m, f := parts(t)
	spec, err := FromManifest(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	points, err := frame.PlannedPoints(m)
	if err != nil {
		t.Fatal(err)
	}
	other := &frame.Run{Name: "parts", Frame: f, Design: spec.Design, Planned: points}
	own := grid(t, []string{"p"}, []float64{1}, 3, noise, zero)
	of := func(v any) study.Claim {
		sel := of(where("workload.load", v))
		sel.Run = "parts"
		return study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "makespan", Of: sel}}
	}
	a, b := evaluate(t, own, of("W1"), other).Parts[0], evaluate(t, own, of(0.9), other).Parts[0]
	if a.Interval != b.Interval || a.Reason != "" || a.OK != 60 {
		t.Errorf("by label %+v, by value %+v", a, b)
	}
}

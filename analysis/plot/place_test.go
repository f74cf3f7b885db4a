package plot

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// loaded is a grid of two policies at some loads.
func loaded(t *testing.T, loads ...float64) (*frame.Frame, frame.Design) {
	t.Helper()
	run := grid(t, []string{"easy", "fcfs"}, loads, 5, func(_ string, l float64, r int) float64 { return min(4*l*l, 1e6) + float64(r) }, zero)
	return run.Frame, run.Design
}

// TestFewWholeNumbersAreClasses: an axis of at most five whole numbers has a place for each, and so has one with an infinite value. The
// manifest can say otherwise, and a trend, limits and continuous quantities need a scale. The CSV has the numbers.
func TestFewWholeNumbersAreClasses(t *testing.T) {
	of := func(loads []float64, whole bool, change func(*study.Figure)) *figure.Figure {
		f, d := loaded(t, loads...)
		if whole {
			d.Whole = []string{"load"}
		}
		s := study.Figure{ID: "f", X: "load", Y: "y", Series: "policy", XScale: study.ScaleAuto, Params: &MeansParams{Band: true}}
		change(&s)
		drawing, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(drawing.Figure.SVG(io.Discard), drawing.Figure.Vega(io.Discard)); err != nil {
			t.Fatal(err)
		}
		return drawing.Figure
	}
	few, none := []float64{1, 2, 8, 64}, func(*study.Figure) {}
	for name, c := range map[string]struct {
		loads   []float64
		whole   bool
		change  func(*study.Figure)
		classes bool
	}{
		"few whole numbers":  {few, true, none, true},
		"a continuous axis":  {few, false, none, false},
		"more than five":     {[]float64{1, 2, 3, 4, 5, 6}, true, none, false},
		"linear":             {few, true, func(s *study.Figure) { s.XScale = "linear" }, false},
		"log":                {few, true, func(s *study.Figure) { s.XScale = "log" }, false},
		"limits":             {few, true, func(s *study.Figure) { s.XLimits = []float64{0, 80} }, false},
		"a trend":            {few, true, func(s *study.Figure) { s.Params = &MeansParams{Trend: true} }, false},
		"never, too":         {[]float64{0.5, 0.75, math.Inf(1)}, false, none, true},
		"never on a scale":   {[]float64{1, 2, math.Inf(1)}, true, func(s *study.Figure) { s.Params = &MeansParams{Trend: true} }, false},
		"classes asked for":  {[]float64{0.5, 0.75}, false, func(s *study.Figure) { s.XScale = study.ScaleClasses }, true},
		"bars by any number": {[]float64{0.5, 0.75}, false, func(s *study.Figure) { s.Kind, s.Params = "bars", nil }, true},
	} {
		if got := of(c.loads, c.whole, c.change); len(got.X.Categories) > 0 != c.classes {
			t.Errorf("%s: classes %v", name, got.X.Categories)
		}
	}
	classes := of(few, true, none)
	if d := cmp.Diff([]string{"1", "2", "8", "64"}, classes.X.Categories); d != "" {
		t.Error(d)
	}
	whiskers, band := markOf[figure.Whiskers](classes.Panels[0], 1), markOf[figure.Band](classes.Panels[0], 1)
	if len(whiskers.Spans) != 4 || len(band.Spans) > 0 {
		t.Errorf("classes have %d whiskers", len(whiskers.Spans))
	}
	var asClasses, onScale bytes.Buffer
	if err := classes.CSV(&asClasses); err != nil {
		t.Fatal(err)
	}
	scale := of(few, true, func(s *study.Figure) { s.XScale = "linear" })
	if err := scale.CSV(&onScale); err != nil || strings.Count(asClasses.String(), ",64,") != strings.Count(onScale.String(), ",64,") {
		t.Errorf("%v:\n%s\n%s", err, asClasses.String(), onScale.String())
	}
	if d := cmp.Diff(few, scale.X.Values); d != "" {
		t.Errorf("places of ticks: %s", d)
	}
}

// TestRatiosHaveALogAxis: unless the manifest says otherwise, the limits include 0, or a ratio is not positive.
func TestRatiosHaveALogAxis(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*study.Figure)
		drop   bool
		want   bool
	}{
		"ratios":       {func(*study.Figure) {}, false, true},
		"linear":       {func(s *study.Figure) { s.YScale = "linear" }, false, false},
		"from 0":       {func(s *study.Figure) { s.YLimits = []float64{0, 2} }, false, false},
		"a ratio of 0": {func(*study.Figure) {}, true, false},
		"differences":  {func(s *study.Figure) { s.Params = &MeansParams{Paired: "difference"} }, false, false},
	} {
		f, d := loaded(t, 0.5, 0.75)
		if c.drop {
			for row, code := range f.Column("policy").Codes {
				if f.Column("policy").Levels[code] == "fcfs" && f.Column("load").Numbers[row] == 0.5 {
					f.Column("y").Numbers[row] = 0
				}
			}
		}
		s := study.Figure{ID: "f", X: "load", Y: "y", Series: "policy", YScale: study.ScaleAuto, Params: &MeansParams{Paired: "ratio"}}
		c.change(&s)
		drawing, err := Draw(f, d, s, compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("easy")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := drawing.Figure.Y.Log; got != c.want {
			t.Errorf("%s: log %v", name, got)
		}
	}
}

// TestPoliciesAreWrittenAsPeopleDo: in the drawing, its caption and its labels, and not in the CSV.
func TestPoliciesAreWrittenAsPeopleDo(t *testing.T) {
	f, d := loaded(t, 0.5, 0.75)
	d.Written = map[string]map[string]string{"policy": {"easy": "EASY", "fcfs": "FCFS"}}
	for _, s := range []study.Figure{
		{ID: "series", X: "load", Y: "y", Series: "policy"}, {ID: "categories", X: "policy", Y: "y"},
		{ID: "panels", X: "load", Y: "y", Panels: "policy"}, {ID: "rows", X: "load", Y: "y", Rows: "policy"},
	} {
		drawing, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		var svg, csv bytes.Buffer
		if err := drawing.Figure.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		if err := drawing.Figure.CSV(&csv); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(svg.String(), ">EASY<") || strings.Contains(svg.String(), ">easy<") {
			t.Errorf("%s: the drawing does not say EASY", s.ID)
		}
		if strings.Contains(csv.String(), "EASY") || !strings.Contains(csv.String(), "easy") {
			t.Errorf("%s: the CSV does not say easy:\n%s", s.ID, csv.String())
		}
	}
	drawing, err := Draw(f, d, study.Figure{ID: "f", X: "load", Y: "y", Series: "policy", Params: &MeansParams{Paired: "ratio"}},
		compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("easy")}})
	if err != nil {
		t.Fatal(err)
	}
	if got := drawing.Figure; got.Y.Label != "Y, ratio to EASY" || !strings.Contains(got.Caption, "to EASY") ||
		referencesOf(got.Panels[0])[0].Label != "easy" {
		t.Errorf("%q, %q", got.Y.Label, got.Caption)
	}
	drawing, err = Draw(f, d, study.Figure{ID: "f", X: "load", Y: "y", Series: "policy", Params: &MeansParams{Paired: "difference"}},
		compare.Contrast{Axes: []string{"policy", "load"}, Baseline: []frame.Value{frame.Text("easy"), frame.Number(0.5)}})
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := drawing.Figure.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	if got := drawing.Figure; got.Y.Label != "Y, difference from EASY, load = 0.5" || !strings.Contains(svg.String(), ">EASY, load = 0.5<") {
		t.Errorf("a baseline of two axes: %q, %q", got.Y.Label, got.Caption)
	}
	drawing, err = Draw(f, d, study.Figure{ID: "f", X: "policy", Y: "y", Series: "load", Params: &MeansParams{Paired: "difference"}},
		compare.Contrast{Axes: []string{"load"}, Baseline: []frame.Value{frame.Number(0.5)}})
	if err != nil || drawing.Figure.Y.Label != "Y, difference from load = 0.5" {
		t.Errorf("a baseline of the series: %v, %q", err, drawing.Figure.Y.Label)
	}
	if written := drawing.Figure.Written; written["0.5"] != "" { // it may be a value of another axis, too
		t.Errorf("all that is 0.5 is called %q", written["0.5"])
	}
}

// TestKindAxesAreNamedBySection: the label of an axis of kinds is what they are kinds of.
func TestKindAxesAreNamedBySection(t *testing.T) {
	for path, want := range map[string]string{"policy.kind": "Policy", "policy.order": "Order", "mean_wait_time": "Mean wait time",
		"jobs.processors": "Processors"} {
		if got := label("", path, []string{"policy.kind", "policy.order", "platform.processors"}); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// A legend has the shortest names that differ.
func TestNamesAreShort(t *testing.T) {
	for names, want := range map[string]string{
		"logs/KTH-SP2.swf.gz logs/SDSC-SP2.swf.gz": "KTH-SP2 SDSC-SP2",
		"logs/a/x.swf logs/b/x.swf":                "a/x b/x",
		"easy conservative":                        "easy conservative",
		"a/one.swf":                                "a/one.swf",
		"a.swf b.swf.gz":                           "a.swf b.swf.gz",
		".swf b.swf":                               ".swf b.swf",
		"load=0.5 load=1.5":                        "load=0.5 load=1.5",
		"logs/x0.5.swf logs/x1.5.swf":              "x0.5 x1.5",
		"1/2 1/4":                                  "1/2 1/4",
		"logs/2024/01.swf logs/2024/02.swf":        "01 02",
	} {
		if got := strings.Join(withoutShared(strings.Fields(names)), " "); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}

// TestNumbersAreShort: numbers have units and the digits that tell them apart. A selection writes the exact values.
func TestNumbersAreShort(t *testing.T) {
	f, err := frame.NewFrame(frame.NumberColumn("load", "", []float64{0.1, 0.7 / 3, 0.1, 0.7 / 3}),
		frame.NumberColumn("period", "s", []float64{60, 60, 5400, 5400}), frame.NumberColumn("replication", "", []float64{0, 0, 0, 0}),
		frame.NumberColumn("wait", "s", []float64{1, 2, 3, 4}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"load", "period"}, Replication: "replication", Metrics: []string{"wait"}}
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "parallel", X: "wait", Series: "load"})
	if err != nil {
		t.Fatal(err)
	}
	over := drawing.Figure.Panels[0].Marks[0].(*figure.Tracks).Over
	got := slices.Concat(drawing.Figure.Series, over.Axes[0].Categories, over.Axes[1].Categories)
	if want := []string{"0.1", "0.2333", "0.1", "0.2333", "1 min", "1.5 h"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if level := over.Axes[0].Levels[1].Text; level != "0.23333333333333334" {
		t.Errorf("a selection writes %s", level)
	}
}

// TestDashesAreExplained: where an axis does not vary, its level is a dash, and the caption says so.
func TestDashesAreExplained(t *testing.T) {
	nan := math.NaN()
	f, err := frame.NewFrame(frame.TextColumn("policy", []string{"fcfs", "easy", "easy"}),
		frame.NumberColumn("queue_depth", "", []float64{nan, 1, 2}), frame.NumberColumn("replication", "", []float64{0, 0, 0}),
		frame.NumberColumn("wait", "s", []float64{1, 2, 3}))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy", "queue_depth"}, Replication: "replication", Metrics: []string{"wait"}}
	for _, c := range []struct {
		figure    study.Figure
		explained bool
	}{
		{study.Figure{X: "policy", Y: "wait", Series: "queue_depth"}, true},
		{study.Figure{X: "policy", Y: "wait", Panels: "queue_depth", Kind: "bars"}, true},
		{study.Figure{X: "queue_depth", Y: "wait", Series: "policy", Kind: "bars"}, true},
		{study.Figure{X: "queue_depth", Y: "wait", Series: "policy"}, false}, // it has no place on a scale
		{study.Figure{X: "wait", Series: "policy", Kind: "parallel"}, true},
		{study.Figure{X: "policy", Y: "wait"}, false},
	} {
		c.figure.ID = "f"
		drawing, err := Draw(f, d, c.figure)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(drawing.Figure.Caption, `"-": runs in which queue depth does not vary`); got != c.explained {
			t.Errorf("%+v: %q", c.figure, drawing.Figure.Caption)
		}
	}
}

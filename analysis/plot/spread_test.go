package plot

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// spreadOf returns a frame of two policies. The first has one replication for each value, the second has twice those values.
func spreadOf(t *testing.T, values ...float64) (*frame.Frame, frame.Design) {
	t.Helper()
	var policy []string
	var replication, wait []float64
	for k, name := range []string{"easy", "fcfs"} {
		for i, v := range values {
			policy, replication, wait = append(policy, name), append(replication, float64(i)), append(wait, v*float64(k+1))
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("wait", "s", wait))
	if err != nil {
		t.Fatal(err)
	}
	return f, frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: 0.95}
}

func spread(t *testing.T, s study.Figure, values ...float64) *Drawing {
	t.Helper()
	f, d := spreadOf(t, values...)
	drawing, err := Draw(f, d, s)
	if err != nil {
		t.Fatal(err)
	}
	return drawing
}

// TestBoxByHand: the quartiles are 3 and 7, so that the whiskers reach from -3 to 13, ends included.
func TestBoxByHand(t *testing.T) {
	want := figure.Box{X: 1, Low: 2, Lower: 3, Median: 5, Upper: 7, High: 13, Beyond: []float64{-4, 30}}
	if diff := cmp.Diff(want, boxOf(1, stats.NewSample([]float64{30, -4, 2, 3, 4, 5, 6, 7, 13}))); diff != "" {
		t.Error(diff)
	}
}

func fcfs() []study.Term {
	return []study.Term{{Path: "policy", Values: []params.Value{{Kind: params.String, S: "fcfs"}}}}
}

// Quartiles (type 7) of 1 to 9 and 30 are 3.25 and 7.75: whiskers reach 6.75 beyond at most, to 1 and 9, and 30 is outside.
func TestBoxes(t *testing.T) {
	d := spread(t, study.Figure{ID: "f", Kind: "box", X: "policy", Y: "wait", Published: []study.PublishedValue{{Value: 11, Where: fcfs()}}},
		4, 2, 9, 1, 3, 30, 5, 6, 8, 7)
	want := []figure.Box{{X: 0, Low: 1, Lower: 3.25, Median: 5.5, Upper: 7.75, High: 9, Beyond: []float64{30}},
		{X: 1, Low: 2, Lower: 6.5, Median: 11, Upper: 15.5, High: 18, Beyond: []float64{60}}}
	if diff := cmp.Diff(want, markOf[figure.Boxes](d.Figure.Panels[0], 0).Boxes); diff != "" {
		t.Error(diff)
	}
	if got := markOf[figure.Published](d.Figure.Panels[0], 0).At; !slices.Equal(got, []figure.Point{{X: 1, Y: 11}}) {
		t.Errorf("published at %v", got)
	}
	var b bytes.Buffer
	if err := d.Figure.CSV(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{",wait,\"median, quartiles\",easy,5.5,3.25,7.75,10,\n",
		",wait,whiskers,easy,,1,9,10,\n", ",wait,beyond,fcfs,60,,,,\n",
		",wait,published,fcfs,11,,,,\n"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
	if !strings.Contains(d.Figure.Caption, "n\u00a0=\u00a010") || !strings.Contains(d.Figure.Caption, "Diamonds: published") {
		t.Error(d.Figure.Caption)
	}
}

// Shares of replications up to each value, or above it, and published values as upright lines.
func TestShares(t *testing.T) {
	for kind, want := range map[string][]figure.Point{"ecdf": {{X: 1, Y: 0.25}, {X: 3, Y: 0.75}, {X: 8, Y: 1}},
		"ccdf": {{X: 1, Y: 0.75}, {X: 3, Y: 0.25}, {X: 8, Y: 0}}} {
		d := spread(t, study.Figure{ID: "f", Kind: kind, X: "wait", Series: "policy",
			Published: []study.PublishedValue{{Value: 5, Where: fcfs()}}}, 3, 1, 8, 3)
		if diff := cmp.Diff(want, markOf[figure.Steps](d.Figure.Panels[0], 0).At); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
		if at := markOf[figure.Published](d.Figure.Panels[0], 1).At; len(at) != 1 || at[0].X != 5 || !math.IsNaN(at[0].Y) {
			t.Errorf("published at %v", at)
		}
		if d.Figure.X.Unit != "s" || d.Figure.Y.Unit != "" || d.Figure.Y.Label != "Share of replications" {
			t.Errorf("axes %+v and %+v", d.Figure.X, d.Figure.Y)
		}
	}
	d := spread(t, study.Figure{ID: "f", Kind: "ccdf", X: "wait", Series: "policy", YScale: "log"}, 3, 1, 8, 3)
	if n := d.Figure.NotDrawn(); n != 0 {
		t.Errorf("%d places have no logarithm", n)
	}
}

// TestSharesLeftOfTheFrame: values left of the axis are in the height at which a curve begins, so that no point is missing.
func TestSharesLeftOfTheFrame(t *testing.T) {
	for _, s := range []study.Figure{{XScale: "log"}, {XLimits: []float64{1, 20}}} {
		s.ID, s.Kind, s.X, s.Series = "f", "ecdf", "wait", "policy"
		if d := spread(t, s, 0, 8, 0, 3); len(d.Warnings) > 0 {
			t.Errorf("%v", d.Warnings)
		}
	}
}

func TestPublishedElsewhere(t *testing.T) {
	where := []study.Term{{Path: "policy", Values: []params.Value{{Kind: params.String, S: "lost"}}}}
	d := spread(t, study.Figure{ID: "f", Kind: "box", X: "policy", Y: "wait", Published: []study.PublishedValue{{Value: 1, Where: where}}}, 1,
		2)
	if len(d.Warnings) != 1 || d.Warnings[0].Code != stats.NotDrawn {
		t.Errorf("warnings %v", d.Warnings)
	}
}

// One replication has no interval, and no caption tells of one.
func TestCaptionsOfOneReplication(t *testing.T) {
	for _, s := range []study.Figure{
		{X: "policy", Y: "wait", Params: &MeansParams{Band: true}},
		{Kind: "bars", X: "policy", Y: "wait"},
	} {
		s.ID = "f"
		if c := spread(t, s, 7).Figure.Caption; strings.Contains(c, "confidence interval") {
			t.Errorf("%s: one replication: %s", s.Kind, c)
		}
		if c := spread(t, s, 7, 8).Figure.Caption; !strings.Contains(c, "whiskers: 95\u00a0% confidence interval") {
			t.Errorf("%s: two replications: %s", s.Kind, c)
		}
	}
}

// The axis of shares begins at 0 and ends at 1, also where few replications make high steps.
func TestAxisOfShares(t *testing.T) {
	for _, kind := range []string{"ecdf", "ccdf"} {
		if d := spread(t, study.Figure{ID: "f", Kind: kind, X: "wait", Series: "policy"}, 7, 8); !d.Figure.Y.Zero {
			t.Errorf("%s: the axis need not begin at 0", kind)
		}
	}
}

package analysis

import (
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// windows is 4 replications of 10 windows under two policies: replications differ by what they bring, windows in level.
func windows(t *testing.T, shared func(rep int) float64) *frame.Frame {
	t.Helper()
	var policy []string
	var window, rep, y []float64
	for _, p := range []string{"easy", "fcfs"} {
		for w := range 10 {
			for r := range 4 {
				policy, window, rep = append(policy, p), append(window, float64(w)), append(rep, float64(r))
				y = append(y, float64(len(p))*50+10*float64(w)+shared(r)+float64(p[0])/100*shared(r))
			}
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("window", "", window),
		frame.NumberColumn("replication", "", rep), frame.NumberColumn("wait", "s", y))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var windowsDesign = frame.Design{Axes: []string{"policy", "window"}, Replication: "replication", Metrics: []string{"wait"}}

func brought(rep int) float64 { return []float64{0, 3, 10, 40}[rep] }

// A figure that pools windows has the interval of the 4 replications' means, not of 40 rows; so has a claim.
func TestPooledAxisHasTheIntervalOfReplications(t *testing.T) {
	f := windows(t, brought)
	d, err := plot.Draw(f, windowsDesign, study.Figure{ID: "f", X: "policy", Y: "wait", Params: &plot.MeansParams{Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	var means []float64
	for r := range 4 {
		means = append(means, 200+45+brought(r)+1.01*brought(r))
	}
	want := stats.NewSample(means).MeanInterval(0.95)
	got := markOf[figure.Whiskers](d.Figure.Panels[0], 0).Spans[0]
	if !(math.Abs(got.Low-want.Low) <= 1e-9) || !(math.Abs(got.High-want.High) <= 1e-9) {
		t.Errorf("band %v, want %v", got, want)
	}
	if warned(d.Warnings, stats.Pooled) == 0 {
		t.Errorf("warnings %v", d.Warnings)
	}
	run := &frame.Run{Frame: f, Design: windowsDesign}
	mean := study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "wait", Of: policy("easy")}}
	if p := claim.Evaluate([]study.Claim{mean}, run, nil)[0].Parts[0]; p.Replications != 4 || !(math.Abs(p.Low-want.Low) <= 1e-9) ||
		!(math.Abs(p.High-want.High) <= 1e-9) {
		t.Errorf("claim %+v, want %v", p, want)
	}
}

// A replication that lacks one of the windows is left out and warned of: its mean would be of other windows.
func TestPartialReplicationsAreLeftOut(t *testing.T) {
	f := windows(t, brought)
	f.Column("wait").Numbers[3] = math.NaN() // easy, window 0, replication 3
	d, err := plot.Draw(f, windowsDesign, study.Figure{ID: "f", X: "policy", Y: "wait", Params: &plot.MeansParams{Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	if y := markOf[figure.Line](d.Figure.Panels[0], 0).At[0].Y; !(math.Abs(y-(245+2.01*13.0/3)) <= 1e-9) ||
		warned(d.Warnings, stats.Unpaired) != 1 {
		t.Errorf("mean %g, warnings %v", y, d.Warnings)
	}
}

// Replications of a log without sampling are the same: no table, figure, trend or claim has an interval, and each says so.
func TestIdenticalReplicationsHaveNoInterval(t *testing.T) {
	f := windows(t, func(int) float64 { return 7 })
	spec := Spec{
		Design: windowsDesign, Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("easy")}}},
		Trends:  []study.Trend{{X: "window", Y: "wait", By: []string{"policy"}}},
		Figures: []study.Figure{{ID: "f", X: "window", Y: "wait", Series: "policy", Params: &plot.MeansParams{Band: true}}},
	}
	r, err := Analyse(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	says := func(what string, i stats.Interval, ws []stats.Warning) {
		text := ""
		for _, w := range ws {
			text += w.Text + "; "
		}
		if i.Bounded() || !strings.Contains(text, "replications are identical") {
			t.Errorf("%s: %v, %s", what, i, text)
		}
	}
	for _, s := range r.Statistics {
		says("mean", s.Mean, s.Warnings)
	}
	for _, c := range r.Comparisons[0] {
		says("difference", c.Difference, c.Warnings)
		says("ratio", c.Ratio, c.Warnings)
	}
	for _, tr := range r.Trends[0] {
		says("trend", tr.SlopeInterval, tr.Warnings)
	}
	band := markOf[figure.Band](r.Figures[0].Figure.Panels[0], 0).Spans[0]
	says("figure", stats.Interval{Low: band.Low, High: band.High}, r.Figures[0].Warnings)
}

package plot

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// TestFiguresOfSeveralLooks: intervals are of the last look whose replications are there, with the confidence of one look, as in the
// table of comparisons. Captions say so.
func TestFiguresOfSeveralLooks(t *testing.T) {
	figuresOfLooks(t, "98.333\u00a0% is the confidence of one of 3 looks.", 2, 4, 6)
	figuresOfLooks(t, "98.333\u00a0% is the confidence of one of 3 looks. The 2 replications after the look at 4 are in none yet.", 2, 4, 8)
}

func figuresOfLooks(t *testing.T, said string, looks ...int) {
	t.Helper()
	f, d := sample(t), design()
	d.Looks = looks
	c := compare.Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")}}
	table := map[figure.Span]bool{}
	if _, err := compare.EachJudged(f, d, c, func(r compare.Comparison) {
		table[figure.Span{X: r.Point[0].Number, Low: r.Ratio.Low, High: r.Ratio.High}] = r.Metric == "makespan"
	}); err != nil {
		t.Fatal(err)
	}
	d.Better = map[string]string{"makespan": "lower", "mean_wait": "lower"}
	for kind, s := range map[string]study.Figure{
		"means":  {X: "workload.communication_factor", Y: "makespan", Params: &MeansParams{Paired: pairedRatio}},
		"pareto": {X: "makespan", Y: "mean_wait"}, "critical-difference": {X: "makespan"},
	} {
		s.ID, s.Kind, s.Series = "f", kind, "policy.placement"
		drawing, err := Draw(f, d, s, c)
		if err != nil {
			t.Fatal(err)
		}
		if caption := drawing.Figure.Caption; !strings.Contains(caption, said) {
			t.Errorf("%s: %s", kind, caption)
		}
		if kind != "means" {
			continue
		}
		n := 0
		for series := range drawing.Figure.Series {
			spans := markOf[figure.Whiskers](drawing.Figure.Panels[0], series).Spans
			n += len(spans)
			if i := slices.IndexFunc(spans, func(span figure.Span) bool { return !table[span] }); i >= 0 {
				t.Errorf("%v is not in the table", spans[i])
			}
		}
		if n == 0 {
			t.Error("no whiskers")
		}
	}
}

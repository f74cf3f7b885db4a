package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func TestTrendsFindTheSlopes(t *testing.T) {
	got, err := compare.Trends(sampleOf(t, 20, 40), design(), study.Trend{X: "workload.communication_factor", Y: "makespan"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d trends, want 3", len(got))
	}
	for k, r := range got {
		truth := 6e-5 / float64(k+1)
		if !(math.Abs(r.Slope-truth) <= 2*r.SlopeInterval.HalfWidth()) {
			t.Errorf("%v: slope %v is far from %g", r.Point, r.SlopeInterval, truth)
		}
		// The noise within a replication is 400 s, between replications 4000 s: over instances the slope would be known to
		// 2e-6 only.
		if r.SlopeInterval.HalfWidth() > 1e-6 || r.Replications < 18 {
			t.Errorf("%v: slope %v over %d replications", r.Point, r.SlopeInterval, r.Replications)
		}
	}
	if got[0].Failed != 2 || got[0].N != 720 || warned(got[0].Warnings, stats.Failed) != 2 || got[0].YUnit != "s" {
		t.Errorf("counts: %+v", got[0])
	}
}

func TestPooledTrendSaysSo(t *testing.T) {
	got, err := compare.Trends(sample(t), design(), study.Trend{X: "workload.communication_factor", Y: "makespan", By: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || warned(got[0].Warnings, stats.Pooled) == 0 {
		t.Errorf("%+v", got)
	}
}

// TestTrendOfAPart: a trend of a run that is not over says how many instances of the run lack rows.
func TestTrendOfAPart(t *testing.T) {
	d, f := design(), sample(t)
	d.PlannedTotal = frame.Exactly(f.Rows + 5)
	got, err := compare.Trends(f, d, study.Trend{X: "workload.communication_factor", Y: "makespan"})
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, r := range got {
		if !strings.Contains(fmt.Sprint(r.Warnings), "of the whole run, 5 of 149 planned instances have no row yet") {
			t.Errorf("%v: %v", r.Point, r.Warnings)
		}
	}
}

func TestTrendOverTextIsRefused(t *testing.T) {
	if _, err := compare.Trends(sample(t), design(), study.Trend{X: "policy.placement", Y: "makespan"}); err == nil {
		t.Error("no error")
	}
}

// y is x squared plus an offset of the replication. With x = 1, 2, 3 its slope is 4; the replications that only x = 2 and 3
// have would find 5. Each point weighs the same, however many replications it has.
func TestSlopeByReplicationIsOfTheSamePoints(t *testing.T) {
	var x, y, replication []float64
	for r := range 6 {
		for _, v := range []float64{1, 2, 3} {
			if v > 1 || r < 3 {
				x, y, replication = append(x, v), append(y, v*v+100*math.Sin(float64(r))), append(replication, float64(r))
			}
		}
	}
	f, err := frame.NewFrame(frame.NumberColumn("load", "", x), frame.NumberColumn("wait", "s", y),
		frame.NumberColumn("replication", "", replication))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"load"}, Replication: "replication", PlannedTotal: frame.Exactly(15),
		PlannedOf: func(p []frame.Value) int {
			if p[0].Number == 1 {
				return 3
			}
			return 6
		}}
	got, err := compare.Trends(f, d, study.Trend{X: "load", Y: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := compare.Trends(f.Take([]int32{0, 1, 2}), d, study.Trend{X: "load", Y: "wait"}); err != nil ||
		warned(got[0].Warnings, stats.Unpaired) != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
	if r := got[0]; !(math.Abs(r.Slope-4) <= 60) || r.Replications != 3 || warned(r.Warnings, stats.Unpaired) != 0 {
		t.Errorf("%+v", r)
	}
}

// Each kind of trend has its table and its words in figures.
func TestKindsOfTrends(t *testing.T) {
	f := sampleOf(t, 20, 40)
	spec := Spec{Design: design()}
	for _, fit := range []string{"", study.FitQuadratic, study.FitTheilSen, study.FitQuadratic} {
		spec.Trends = append(spec.Trends, study.Trend{X: "workload.communication_factor", Y: "makespan", Fit: fit})
	}
	r, err := Analyse(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, table := range r.Tables() {
		ids = append(ids, table.ID)
	}
	if got := strings.Join(ids, " "); got != "statistics trends trends-quadratic-1 trends-theil-sen trends-quadratic-2" {
		t.Error(got)
	}
	for fit, want := range map[string][2]string{
		study.FitLine:      {"slope ", "Trend: least squares over all instances; [ ]: 95"},
		study.FitQuadratic: {"bend inconclusive, p = ", "Trend: parabola of least squares"},
		study.FitTheilSen:  {"slope ", "Trend: by Theil and Sen in each replication, the median over replications; [ ]: 95"},
	} {
		d, err := plot.Draw(f, design(), study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan", Panels: "policy.placement",
			Params: &plot.MeansParams{Line: "none", Trend: true, Fit: fit}})
		if err != nil {
			t.Fatal(err)
		}
		var svg strings.Builder
		if err := d.Figure.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		trend := d.Figure.Panels[0].Marks[0].(*figure.Trend)
		if !strings.Contains(d.Figure.Caption, want[1]) || !strings.Contains(trend.Slope.Name+"slope "+trend.Slope.More, want[0]) ||
			(len(trend.At) > 2) != (fit == study.FitQuadratic) {
			t.Errorf("%s: %q, %+v, %d places", fit, d.Figure.Caption, trend.Slope, len(trend.At))
		}
	}
}

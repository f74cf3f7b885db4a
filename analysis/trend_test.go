package analysis

import (
	"math"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func TestTrendsFindTheSlopes(t *testing.T) {
	got, err := Trends(sampleOf(t, 20, 40), design(), study.Trend{X: "workload.communication_factor", Y: "makespan"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d trends, want 3", len(got))
	}
	for k, r := range got {
		truth := 6e-5 / float64(k+1)
		if math.Abs(r.Slope-truth) > 2*r.SlopeInterval.HalfWidth() {
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
	got, err := Trends(sample(t), design(), study.Trend{X: "workload.communication_factor", Y: "makespan", By: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || warned(got[0].Warnings, stats.Pooled) == 0 {
		t.Errorf("%+v", got)
	}
}

func TestTrendOverTextIsRefused(t *testing.T) {
	if _, err := Trends(sample(t), design(), study.Trend{X: "policy.placement", Y: "makespan"}); err == nil {
		t.Error("no error")
	}
}

// y is x squared plus what is the replication's own. With x = 1, 2, 3 its slope is 4; the replications that only x = 2 and 3
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
	f, err := frame.NewFrame(frame.NumberColumn("load", "", x), frame.NumberColumn("wait", "s", y), frame.NumberColumn("replication", "", replication))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"load"}, Replication: "replication", PlannedTotal: 15, PlannedOf: func(p []frame.Value) int {
		if p[0].Number == 1 {
			return 3
		}
		return 6
	}}
	got, err := Trends(f, d, study.Trend{X: "load", Y: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Trends(f.Take([]int32{0, 1, 2}), d, study.Trend{X: "load", Y: "wait"}); err != nil || warned(got[0].Warnings, stats.Unpaired) != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
	if r := got[0]; math.Abs(r.Slope-4) > 60 || r.Replications != 3 || warned(r.Warnings, stats.Unpaired) != 0 {
		t.Errorf("%+v", r)
	}
}

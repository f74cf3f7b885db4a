package analysis

import (
	"math"
	"testing"

	"schedsweep/analysis/stats"
)

func TestTrendsFindTheSlopes(t *testing.T) {
	got, err := Trends(sampleOf(t, 20, 40), design(), TrendSpec{X: "workload.communication_factor", Y: "makespan"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d trends, want 3", len(got))
	}
	for k, r := range got {
		truth := 6e-5 / float64(k+1)
		if !r.SlopeInterval.Contains(truth) {
			t.Errorf("%v: slope %v does not hold %g", r.Point, r.SlopeInterval, truth)
		}
		// The noise within a replication is 400 s, between replications 4000 s.
		if r.ReplicationSlope.HalfWidth() > r.SlopeInterval.HalfWidth()/3 || math.Abs(r.ReplicationSlope.Estimate-truth) > 2e-6 {
			t.Errorf("%v: slope by replication %v, pooled %v", r.Point, r.ReplicationSlope, r.SlopeInterval)
		}
	}
	if got[0].Failed != 2 || got[0].N != 798 || warned(got[0].Warnings, stats.Failed) != 2 || got[0].YUnit != "s" {
		t.Errorf("counts: %+v", got[0])
	}
}

func TestPooledTrendSaysSo(t *testing.T) {
	got, err := Trends(sample(t), design(), TrendSpec{X: "workload.communication_factor", Y: "makespan", By: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || warned(got[0].Warnings, stats.Pooled) != 3*8*6 {
		t.Errorf("%+v", got)
	}
}

func TestTrendOverTextIsRefused(t *testing.T) {
	if _, err := Trends(sample(t), design(), TrendSpec{X: "policy.placement", Y: "makespan"}); err == nil {
		t.Error("no error")
	}
}

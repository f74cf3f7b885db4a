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

// y is x squared, the same in each replication. With x = 1, 2, 3 its slope is 4; the replications that only x = 2 and 3 have
// would find 5.
func TestSlopeByReplicationIsOfTheSamePoints(t *testing.T) {
	var x, y, replication []float64
	for r := range 6 {
		for _, v := range []float64{1, 2, 3} {
			if v > 1 || r < 3 {
				x, y, replication = append(x, v), append(y, v*v), append(replication, float64(r))
			}
		}
	}
	f, err := NewFrame(NumberColumn("load", "", x), NumberColumn("wait", "s", y), NumberColumn("replication", "", replication))
	if err != nil {
		t.Fatal(err)
	}
	d := Design{Axes: []string{"load"}, Replication: "replication", PlannedOf: func([]Value) int { return 6 }}
	got, err := Trends(f, d, TrendSpec{X: "load", Y: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Trends(f.take([]int32{0, 1, 2}), d, TrendSpec{X: "load", Y: "wait"}); err != nil || warned(got[0].Warnings, stats.Unpaired) != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
	if r := got[0]; math.Abs(r.ReplicationSlope.Estimate-4) > 1e-12 || warned(r.Warnings, stats.Unpaired) != 3 {
		t.Errorf("%+v", r)
	}
}

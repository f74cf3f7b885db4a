package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
)

// The folder holds runs of 200 jobs, and the plan adds runs of 20,000 jobs. The forecast tries a long one and does not infer it
// from the short ones. One replication of the short ones is missing.
func TestForecastGoesByInstancesAlike(t *testing.T) {
	text := "name: f\nreplications: 2\nworkload: {kind: lublin, jobs: 200}\npolicy: {kind: fcfs}\naxes: {workload.jobs: [200]}\n"
	m, in := harnesstest.Loaded(t, text)
	dir := t.TempDir()
	if sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil || sum.OK != 2 {
		t.Fatalf("%+v, %v", sum, err)
	}
	grown, in := harnesstest.Loaded(t, strings.NewReplacer("[200]", "[200, 20000]", "replications: 2", "replications: 3").Replace(text))
	plan := harnesstest.PlanOf(t, grown)
	f, err := Predict(context.Background(), plan, in, dir, time.Minute)
	if err != nil || f.Existing != 2 || f.Rows != 2 || f.Trials != 1 || f.AtLeast || f.CoreTime != 4*f.PerInstance {
		t.Errorf("%+v, %v", f, err)
	}
	if f.Disk != 4*bytesPerRow {
		t.Errorf("%d bytes of 4 rows: a file of 2 rows, most of which is its footer, says nothing of them", f.Disk)
	}
	if f.Longest < f.PerInstance {
		t.Errorf("the longest takes %v, the mean is %v", f.Longest, f.PerInstance)
	}
	held, err := rows.Holds(plan, dir)
	if err != nil || len(held.Points) != 1 || held.Points[0].Rows != 2 {
		t.Fatalf("%+v, %v", held, err)
	}
	// Without trials the points that have no rows are not in the prediction.
	if f, err = Predict(context.Background(), plan, in, dir, 0); err != nil || f.Trials != 0 || !f.AtLeast {
		t.Errorf("without trials: %+v, %v", f, err)
	}
	// Rows of a point that has all its rows say nothing of other points, as if there were none.
	whole, in := harnesstest.Loaded(t, strings.Replace(text, "[200]", "[200, 20000]", 1))
	for _, limit := range []time.Duration{0, time.Minute} {
		f, err := Predict(context.Background(), harnesstest.PlanOf(t, whole), in, dir, limit)
		if err != nil || f.Existing != 2 || f.Rows != 0 || (f.Trials == 0) != (limit == 0) || f.Longest < f.PerInstance {
			t.Errorf("limit %v: %+v, %v", limit, f, err)
		}
	}
	// other values of the axis alone: nothing in the folder is like them.
	other, in := harnesstest.Loaded(t, strings.Replace(text, "[200]", "[20000]", 1))
	if f, err = Predict(context.Background(), harnesstest.PlanOf(t, other), in, dir, time.Minute); err != nil || f.Rows != 0 || f.Trials == 0 {
		t.Errorf("other values: %+v, %v", f, err)
	}
}

// TestForecastIsLong: 1,000 replications of instances that take 30 years each are beyond the longest duration, and beyond any budget.
func TestForecastIsLong(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, Config{Dir: dir})
	forged(t, dir, func(rows *store.Table) {
		for i := range rows.Rows {
			rows.Column("wall_time").Floats[i] = 1e9
		}
	})
	m, in := harnesstest.Loaded(t, strings.Replace(harnesstest.Small, "replications: 5", "replications: 1000", 1))
	plan := harnesstest.PlanOf(t, m)
	f, err := Predict(context.Background(), plan, in, dir, 0)
	if err != nil || f.PerInstance.Round(time.Second) != 1e9*time.Second || f.CoreTime < 100*365*24*time.Hour {
		t.Errorf("%+v, %v", f, err)
	}
	err = Budget{CoreTime: 50 * 365 * 24 * time.Hour}.covers(context.Background(), plan, Config{Dir: dir, Inputs: in})
	if !errors.Is(err, ErrBudget) {
		t.Errorf("budget: %v", err)
	}
}

// Trials do not go in step with the fastest axis.
func TestTrialsAreSpread(t *testing.T) {
	m, in := harnesstest.Loaded(t, "name: f\nworkload: {kind: lublin, jobs: 10}\naxes: {workload.load_factor: {from: 1, step: 1, count: "+
		"16}, policy.kind: [fcfs, easy, conservative, first-fit]}\n")
	plan := harnesstest.PlanOf(t, m)
	policies := map[string]bool{}
	var f Forecast
	f.trial(context.Background(), plan, in, time.Minute, plan.Len(), func(k int) int {
		policies[[]string{"fcfs", "easy", "conservative", "first-fit"}[k%4]] = true
		return k
	})
	if f.Trials != 8 || len(policies) < 3 {
		t.Errorf("%d trials, of the policies %v", f.Trials, policies)
	}
}

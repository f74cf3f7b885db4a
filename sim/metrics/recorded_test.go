package metrics

import (
	"context"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestRecordedWaits computes the means and the moving error of 16 days by hand. On each day one job of 1 s starts at once. Its
// recorded wait is 10 s on even days and 20 s on odd ones. So each of the three windows of 14 days has a recorded mean of
// 15 s. On day 14 the first job runs for 60 s. A second job waits for it, and its recorded wait is 0 s.
func TestRecordedWaits(t *testing.T) {
	const day = 24 * 3600
	var jobs simtest.List
	for d := range 16 {
		j := sim.JobSpec{ID: int64(d), Submit: float64(d * day), RunTime: 1, Walltime: 100, Procs: 2, User: -1, Record: int32(1 + 10 + d%2*10)}
		if d == 14 {
			j.RunTime = 60
		}
		jobs = append(jobs, j)
		if d == 14 {
			jobs = append(jobs, sim.JobSpec{ID: 99, Submit: 14 * day, RunTime: 1, Walltime: 100, Procs: 2, User: -1, Record: 1})
		}
	}
	jobs = append(jobs, sim.JobSpec{ID: 100, Submit: 15*day + 100, RunTime: 1, Walltime: 1, Procs: 1, User: -1}) // no log's
	machine, err := sim.NewPlatform("two", []sim.Cluster{{Name: "c", Nodes: 2, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	values := func(jobs simtest.List, records sim.Records) []float64 {
		var c Collector
		c.Reset(Setting{Platform: machine, Threshold: DefaultThreshold, Bounds: sim.DefaultBounds})
		var e sim.Engine
		if _, err := e.Run(context.Background(),
			sim.Config{Platform: machine, Source: &jobs, Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Records: records,
				Observers: []sim.Observer{&c}}); err != nil {
			t.Fatal(err)
		}
		var out []float64
		for i, v := range c.Values(nil) {
			switch Catalog()[i].Name {
			case "mean_recorded_wait", "mean_wait_error", "mean_absolute_wait_error", "moving_wait_error":
				out = append(out, v)
			}
		}
		return out
	}
	// Recorded: 8 x 10 + 8 x 20 + 0 = 240 s over 17 jobs; waits: 60 s. Windows that end on days 13, 14 and 15: 14, 15 and 15
	// jobs with recorded sums of 210 s and waits of 0, 60 and 60 s.
	moving := (15.0 + 150.0/15 + 150.0/15) / (15.0 + 14 + 14)
	got := values(jobs, simtest.Records{})
	for i, want := range []float64{240.0 / 17, (60 - 240.0) / 17, (240 + 60.0) / 17, moving} {
		if !(math.Abs(got[i]-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("value %d is %v, by hand %v", i, got[i], want)
		}
	}
	for name, got := range map[string][]float64{"13 days": values(jobs[:13], simtest.Records{})[3:], "no log": values(jobs, nil)} {
		for _, v := range got {
			if !math.IsNaN(v) {
				t.Errorf("%s: %v, want none", name, got)
			}
		}
	}
}

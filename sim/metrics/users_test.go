package metrics

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestFairnessOfUsers checks properties of Gini's and Jain's numbers for any jobs. Other numbers for the users change neither.
func TestFairnessOfUsers(t *testing.T) {
	machine, err := sim.NewPlatform("two", []sim.Cluster{{Name: "c", Nodes: 2, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	values := func(t *rapid.T, jobs simtest.List) map[string]float64 {
		var c Collector
		c.Reset(Setting{Platform: machine, Threshold: DefaultThreshold, Bounds: sim.DefaultBounds})
		var e sim.Engine
		if _, err := e.Run(context.Background(),
			sim.Config{Platform: machine, Source: &jobs, Policy: &queue.FCFS{}, Progress: progress.Isolated{},
				Observers: []sim.Observer{&c}}); err != nil {
			t.Fatal(err)
		}
		all := map[string]float64{}
		for i, v := range c.Values(nil) {
			all[Catalog()[i].Name] = v
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		var jobs, renamed simtest.List
		known := 0
		for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
			j := sim.JobSpec{ID: int64(i), Submit: float64(10 * i), RunTime: float64(rapid.IntRange(1, 100).Draw(t, "run time")), Walltime: 100,
				Procs: 1, User: int32(rapid.IntRange(-1, 4).Draw(t, "user"))}
			jobs = append(jobs, j)
			if j.User >= 0 {
				known++
				j.User = (4 - j.User) * 40_000
			}
			renamed = append(renamed, j)
		}
		a, b := values(t, jobs), values(t, renamed)
		n, gini, jain := a["users"], a["gini_user_bounded_slowdown"], a["jain_user_bounded_slowdown"]
		if known == 0 {
			if !math.IsNaN(n) || !math.IsNaN(gini) {
				t.Fatalf("without users: %v", a)
			}
			return
		}
		if !(gini >= 0 && gini <= 1-1/n+1e-12) || !(jain >= 1/n-1e-12 && jain <= 1+1e-12) {
			t.Fatalf("of %g users: Gini %g, Jain %g", n, gini, jain)
		}
		if n == 1 && (gini > 1e-12 || jain < 1-1e-12) {
			t.Fatalf("of one user: Gini %g, Jain %g", gini, jain)
		}
		for _, name := range []string{"users", "mean_user_wait_time", "worst_user_wait_time", "mean_user_bounded_slowdown",
			"worst_user_bounded_slowdown", "gini_user_bounded_slowdown", "jain_user_bounded_slowdown"} {
			if !(math.Abs(a[name]-b[name]) <= 1e-9*math.Abs(a[name])) {
				t.Fatalf("%s is %g, and %g where users have other numbers", name, a[name], b[name])
			}
		}
		if worst, mean := a["worst_user_wait_time"], a["mean_user_wait_time"]; worst < mean-1e-9 || worst > a["max_wait_time"]+1e-9 {
			t.Fatalf("the worst user waits %g, the mean %g, the longest wait is %g", worst, mean, a["max_wait_time"])
		}
	})
}

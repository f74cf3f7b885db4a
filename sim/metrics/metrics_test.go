package metrics

import (
	"context"
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// Three jobs on two processors, first come first served:
//
//	job 1: submit 10, 2 procs, runs 10..30 (20 s): wait 0,  response 20
//	job 2: submit 15, 1 proc,  runs 30..34 ( 4 s): wait 15, response 19
//	job 3: submit 20, 1 proc,  runs 30..60 (30 s): wait 10, response 40
func TestMetricsByHand(t *testing.T) {
	p, err := sim.NewPlatform("two", []sim.Cluster{{Name: "c", Nodes: 2, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := simtest.List{
		{ID: 1, Submit: 10, RunTime: 20, Walltime: 20, Procs: 2, User: 4},
		{ID: 2, Submit: 15, RunTime: 4, Walltime: 4, Procs: 1, User: 70_000},
		{ID: 3, Submit: 20, RunTime: 30, Walltime: 30, Procs: 1, User: 4},
	}
	want := map[string]float64{
		"measured_time":           50,
		"makespan":                50, // 60 - 10
		"utilisation":             (40. + 4 + 30) / (2 * 50),
		"offered_load":            (40. + 4 + 30) / (2 * 10), // submissions span 10..20
		"throughput":              3 / (50. / 3600),
		"mean_wait_time":          25. / 3,
		"median_wait_time":        10,
		"p95_wait_time":           14.5, // 10 + .9 * (15-10)
		"max_wait_time":           15,
		"mean_response_time":      79. / 3,
		"median_response_time":    20,
		"p95_response_time":       38, // 20 + .9 * (40-20)
		"mean_slowdown":           (1 + 19./4 + 40./30) / 3,
		"mean_bounded_slowdown":   (1 + 19./10 + 40./30) / 3,
		"median_bounded_slowdown": 40. / 30,
		"p95_bounded_slowdown":    40./30 + .9*(1.9-40./30),
		"max_bounded_slowdown":    1.9,
		"mean_queue_length":       25. / 50,
		"waited_share":            2. / 3,
		"mean_run_time":           54. / 3,
		// Three jobs are too few for a steady state.
		"steady_response_time":       math.NaN(),
		"steady_response_half_width": math.NaN(),
		"steady_warmup_jobs":         math.NaN(),
		"unstable":                   math.NaN(),
		"wait_growth":                math.NaN(),
		"response_growth":            math.NaN(),
		"slowdown_growth":            math.NaN(),
		"queue_growth":               math.NaN(),
		// All jobs are short, and responses are below 600 s.
		"relative_response":        1,
		"relative_response_short":  1,
		"relative_response_medium": math.NaN(),
		"relative_response_long":   math.NaN(),
		"core_utilisation":         (40. + 4 + 30) / (2 * 50),
		"node_utilisation":         math.NaN(), // nodes have one core each
		// Of the users' means 7/6 and 1.9.
		"users":                       2,
		"mean_user_wait_time":         (5. + 15) / 2,
		"worst_user_wait_time":        15,
		"mean_user_response_time":     (30. + 19) / 2, // of 20 and 40, and of 19
		"worst_user_response_time":    30,
		"mean_user_bounded_slowdown":  (7./6 + 1.9) / 2,
		"worst_user_bounded_slowdown": 1.9,
		"gini_user_bounded_slowdown":  (7./6+2*1.9)/(7./6+1.9) - 1.5,
		"jain_user_bounded_slowdown":  (7./6 + 1.9) * (7./6 + 1.9) / (2 * (7./6*7./6 + 1.9*1.9)),
		"core_utilisation_high":       math.NaN(), // never 12 jobs wait
		"node_utilisation_high":       math.NaN(),
		"high_load_share":             0,
		"busy_time":                   50,
		// Nothing was requeued.
		"lost_work":       0,
		"lost_work_share": 0,
		"requeues":        0,
		// Of no log.
		"mean_recorded_wait":       math.NaN(),
		"mean_wait_error":          math.NaN(),
		"mean_absolute_wait_error": math.NaN(),
		"moving_wait_error":        math.NaN(),
		// Of no Poisson stream.
		"backlog_excess":      math.NaN(),
		"home_backlog_excess": math.NaN(),
	}
	for _, name := range []string{"energy", "busy_energy", "idle_energy", "down_energy", "off_energy", "boot_energy", "shutdown_energy",
		"mean_power", "peak_power", "energy_per_core_hour",
		"energy_delay_product", "job_energy",
		"time_at_cap", "cost", "busy_cost", "unused_cost", "job_cost", "carbon", "busy_carbon", "unused_carbon", "job_carbon"} {
		want[name] = math.NaN() // no power is known
	}
	if len(want) != len(Catalog()) {
		t.Errorf("the test knows %d metrics, the catalog has %d", len(want), len(Catalog()))
	}
	var e sim.Engine
	var c Collector
	for range 2 { // a second run must not remember the first
		c.Reset(published(p))
		src := jobs
		if _, err := e.Run(context.Background(),
			sim.Config{Platform: p, Source: &src, Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Observers: []sim.Observer{&c}}); err != nil {
			t.Fatal(err)
		}
		for i, v := range c.Values(nil) {
			m := Catalog()[i]
			if w, ok := want[m.Name]; !ok || math.IsNaN(w) != math.IsNaN(v) || math.Abs(v-w) > 1e-12*math.Abs(w) {
				t.Errorf("%s = %v, want %v", m.Name, v, w)
			}
		}
	}
}

// published is the setting with published bounds.
func published(p *sim.Platform) Setting {
	return Setting{Platform: p, Threshold: DefaultThreshold, Bounds: sim.DefaultBounds}
}

func TestEmptyRunDefinesNothing(t *testing.T) {
	p, err := sim.NewPlatform("one", []sim.Cluster{{Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	var c Collector
	c.Reset(published(p))
	for i, v := range c.Values(nil) {
		if !math.IsNaN(v) {
			t.Errorf("%s of a run without jobs is %v, want NaN", Catalog()[i].Name, v)
		}
	}
}

func TestQuantilesGivenUpBeyondTheLimit(t *testing.T) {
	var s quantity
	s.reset()
	for range MaxQuantileJobs + 1 {
		s.add(2)
	}
	if !math.IsNaN(s.quantile(.5)) || s.mean() != 2 || s.max() != 2 {
		t.Errorf("beyond the limit: median %v (want NaN), mean %v, max %v (want 2)", s.quantile(.5), s.mean(), s.max())
	}
}

// 1 + 1e100 + 1 - 1e100 = 2 is the example of Kahan and Babuska's sum.
func TestCompensatedSum(t *testing.T) {
	var s total
	for _, x := range []float64{1, 1e100, 1, -1e100} {
		s.Add(x)
	}
	if s.Value() != 2 {
		t.Errorf("sum %v, want 2", s.Value())
	}
}

// A job of 100 s that is killed at its walltime of 20 s, after waiting for 20 s
// behind another: response 40 s, slowdown 40/20 (and not 40/100, as if to be
// killed were to be fast).
func TestKilledJobsAreNotFast(t *testing.T) {
	p, err := sim.NewPlatform("one", []sim.Cluster{{Name: "c", Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := simtest.List{{ID: 1, RunTime: 20, Walltime: 20, Procs: 1}, {ID: 2, RunTime: 100, Walltime: 20, Procs: 1}}
	var e sim.Engine
	var c Collector
	c.Reset(published(p))
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: &jobs, Policy: &queue.FCFS{}, Progress: progress.Isolated{}, KillAtWalltime: true,
			Observers: []sim.Observer{&c}}); err != nil {
		t.Fatal(err)
	}
	for i, v := range c.Values(nil) {
		want := map[string]float64{"mean_slowdown": (1 + 2) / 2., "mean_bounded_slowdown": 1.5, "max_bounded_slowdown": 2}
		if w, ok := want[Catalog()[i].Name]; ok && v != w {
			t.Errorf("%s = %v, want %v", Catalog()[i].Name, v, w)
		}
	}
}

// few gives one value too few.
type few struct{ delays }

func (*few) Values(dst []float64) []float64 { return append(dst, 1, 2, 3) }

func TestValuesUnderTheNamesOfOthers(t *testing.T) {
	one, err := sim.NewPlatform("one", []sim.Cluster{{Name: "c", Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	c := Collector{all: []Observer{&work{}, &few{}}}
	c.Reset(Setting{Platform: one})
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "*metrics.few gives 3 values for 4 metrics") {
			t.Errorf("panic %v", p)
		}
	}()
	c.Values(nil)
}

func TestOneNameOnce(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), `named "makespan"`) {
			t.Errorf("panic %v", p)
		}
		if names := Catalog(); names[0].Name != "makespan" {
			t.Errorf("the first metric is %s", names[0].Name)
		}
	}()
	Add(Kind{Metrics: []sim.Metric{{Name: "makespan"}}})
}

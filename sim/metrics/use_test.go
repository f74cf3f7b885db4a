package metrics

import (
	"context"
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// valuesOf plays the jobs and returns what all metrics are.
func valuesOf(t rapid.TB, s Setting, cfg sim.Config, jobs []sim.JobSpec) map[string]float64 {
	t.Helper()
	var c Collector
	c.Reset(s)
	src := simtest.List(jobs)
	cfg.Platform, cfg.Source, cfg.Observers = s.Platform, &src, append(cfg.Observers, &c)
	var e sim.Engine
	if _, err := e.Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for i, v := range c.Values(nil) {
		out[Catalog()[i].Name] = v
	}
	return out
}

func nodes(t rapid.TB, clusters ...sim.Cluster) *sim.Platform {
	t.Helper()
	for i := range clusters {
		clusters[i].Speed = 1
	}
	p, err := sim.NewPlatform("nodes", clusters, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func easy(t rapid.TB) sim.Policy {
	t.Helper()
	k, _ := sim.Policies.Get("easy")
	params := k.Params.(backfill.EasyParams)
	p, err := k.New(&params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// EASY on two nodes of two cores, with short jobs up to 10 s, long ones above
// 100 s, and a high load from one waiting job on:
//
//	job 1: submit 0, 3 procs, runs 0..20 on nodes 0 and 1:  response 20 of 20 s
//	job 2: submit 5, 2 procs, runs 20..220 on node 0:       response 215 of 200 s
//	job 3: submit 6, 1 proc, overtakes: 6..14 on node 1:    response 8 of 8 s
//	job 4: submit 7, 1 proc, overtakes: 14..64 on node 1:   response 57 of 50 s
//
// Jobs wait from 5 to 20 s; 3 cores are in use for the first second of these,
// then 4, and both nodes.
func TestEASYOnNodesByHand(t *testing.T) {
	s := Setting{Platform: nodes(t, sim.Cluster{Nodes: 2, Cores: 2}), Threshold: 10,
		Bounds: sim.Bounds{Short: 10, Long: 100, Least: 10, HighLoad: 1}}
	got := valuesOf(t, s, sim.Config{Policy: easy(t), Progress: coscheduling.New(coscheduling.Params{})}, []sim.JobSpec{
		{ID: 1, RunTime: 20, Walltime: 20, Procs: 3},
		{ID: 2, Submit: 5, RunTime: 200, Walltime: 200, Procs: 2},
		{ID: 3, Submit: 6, RunTime: 8, Walltime: 8, Procs: 1},
		{ID: 4, Submit: 7, RunTime: 50, Walltime: 50, Procs: 1},
	})
	for name, want := range map[string]float64{
		"makespan":                 220,
		"busy_time":                220,
		"relative_response":        (1 + 215./200 + 1 + 57./50) / 4, // job 3: 8 s are below the 10 s that count at least
		"relative_response_short":  1,
		"relative_response_medium": (1 + 57./50) / 2,
		"relative_response_long":   215. / 200,
		"core_utilisation":         (3*20. + 2*200 + 8 + 50) / (4 * 220),
		"node_utilisation":         (220. + 64) / (2 * 220), // node 1: 0..64
		"core_utilisation_high":    (3*1. + 4*14) / (4 * 15),
		"node_utilisation_high":    1,
		"high_load_share":          15. / 220,
	} {
		if v := got[name]; !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
}

// TestHighLoadCountsTheRunUp: jobs 1 and 2 of the run-up take the machine from 0 to 10 s and from 10 to 20 s. Job 3 is measured from 5 to
// 30 s. Two jobs wait from 5 to 10 s.
func TestHighLoadCountsTheRunUp(t *testing.T) {
	s := Setting{Platform: nodes(t, sim.Cluster{Nodes: 4, Cores: 1}), Threshold: 10,
		Bounds: sim.Bounds{Short: 10, Long: 100, Least: 10, HighLoad: 2}}
	got := valuesOf(t, s, sim.Config{Policy: easy(t), Progress: progress.Isolated{}}, []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 4, Part: sim.RunUp},
		{ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 4, Part: sim.RunUp},
		{ID: 3, Submit: 5, RunTime: 10, Walltime: 10, Procs: 4},
	})
	if share := got["high_load_share"]; share != 5./25 {
		t.Errorf("high_load_share = %v, want %v", share, 5./25)
	}
}

// Nodes of one core are known only where somebody asks for processors: that they
// are written down for other reasons changes no number.
func TestNodesThatNobodyAsksFor(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 20, Procs: 1}, {ID: 2, Submit: 10, RunTime: 30, Walltime: 30, Procs: 2}}
	one, two := sim.Cluster{Nodes: 2, Cores: 1}, sim.Cluster{Nodes: 1, Cores: 2}
	shared := coscheduling.New(coscheduling.Params{})
	for _, c := range []struct {
		name    string
		cluster sim.Cluster
		cfg     sim.Config
		want    float64
	}{
		{"one core", one, sim.Config{Policy: easy(t), Progress: progress.Isolated{}}, math.NaN()},
		{"one core, written down", one, sim.Config{Policy: easy(t), Progress: progress.Isolated{}, TrackProcs: true}, math.NaN()},
		{"one core, under a model of nodes", one, sim.Config{Policy: easy(t), Progress: shared}, (1*20. + 2*30) / (2 * 50)},
		{"two cores", two, sim.Config{Policy: easy(t), Progress: progress.Isolated{}, TrackProcs: true}, 1},
		{"two cores, not written down", two, sim.Config{Policy: easy(t), Progress: progress.Isolated{}}, math.NaN()},
	} {
		p := nodes(t, c.cluster)
		got := valuesOf(t, Setting{Platform: p, Threshold: 10, Bounds: sim.Bounds{HighLoad: 1}}, c.cfg, jobs)
		for _, name := range []string{"node_utilisation", "node_utilisation_high"} {
			want := c.want
			if name == "node_utilisation_high" && !math.IsNaN(want) {
				want = (20. - 10) / 10 // job 2 waits from 10 to 20 s beside one core of two
				if p.Clusters[0].Cores == 1 {
					want = .5
				}
			}
			if v := got[name]; math.IsNaN(v) != math.IsNaN(want) || math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: %s = %v, want %v", c.name, name, v, want)
			}
		}
		if v := got["core_utilisation"]; v != .8 {
			t.Errorf("%s: core_utilisation = %v, want 0.8", c.name, v)
		}
		if NeedProcs(p) != (p.Clusters[0].Cores > 1) {
			t.Errorf("%s: NeedProcs is %v", c.name, NeedProcs(p))
		}
	}
}

// sittings notes when a job holds which processors.
type sittings struct {
	since map[int64]float64
	all   []sitting
	waits []sitting // without processors
}

type sitting struct {
	from, to float64
	procs    []sim.Span
}

func (o *sittings) Submitted(*sim.View, *sim.Job) {}
func (o *sittings) Started(s *sim.View, j *sim.Job) {
	o.waits = append(o.waits, sitting{from: j.Submit(), to: s.Now()})
	o.Resumed(s, j)
}
func (o *sittings) Resumed(s *sim.View, j *sim.Job) { o.since[j.ID()] = s.Now() }
func (o *sittings) Preempted(s *sim.View, j *sim.Job) {
	o.all = append(o.all, sitting{o.since[j.ID()], s.Now(), append([]sim.Span(nil), j.Alloc().Procs...)})
	delete(o.since, j.ID())
}
func (o *sittings) Ended(s *sim.View, j *sim.Job) {
	if _, runs := o.since[j.ID()]; runs {
		o.Preempted(s, j)
	}
}

// Law: a node is in use for the length of the union of its jobs' times. This holds for every policy and for shared nodes.
func TestUseIsTheUnionOfSittings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := nodes(t, sim.Cluster{Nodes: rapid.IntRange(1, 4).Draw(t, "nodes"), Cores: rapid.IntRange(1, 4).Draw(t, "cores")})
		slices := rapid.Bool().Draw(t, "slices")
		if !slices { // several clusters
			p = nodes(t, p.Clusters[0], sim.Cluster{Nodes: rapid.IntRange(1, 3).Draw(t, "more nodes"),
				Cores: rapid.IntRange(1, 3).Draw(t, "more cores")})
		}
		var jobs []sim.JobSpec
		now := 0.0
		for i := range rapid.IntRange(1, 25).Draw(t, "jobs") {
			now += float64(rapid.IntRange(0, 900).Draw(t, "gap"))
			run := float64(rapid.IntRange(0, 20000).Draw(t, "run time"))
			jobs = append(jobs, sim.JobSpec{ID: int64(i), Submit: now, RunTime: run, Walltime: run + 1,
				Procs: int32(rapid.IntRange(1, p.Procs()).Draw(t, "procs"))})
		}
		cfg := sim.Config{Policy: easy(t), Progress: progress.Isolated{}, TrackProcs: true}
		if slices {
			cfg.Policy, cfg.Progress = timeslice.New(timeslice.DefaultSlicing), coscheduling.New(coscheduling.Params{})
		}
		o := &sittings{since: map[int64]float64{}}
		cfg.Observers = []sim.Observer{simtest.Watch(o)}
		bounds := sim.DefaultBounds
		bounds.HighLoad = rapid.IntRange(1, 3).Draw(t, "high load")
		got := valuesOf(t, Setting{Platform: p, Threshold: 10, Bounds: bounds}, cfg, jobs)

		// Between two moments at which something changes nothing does.
		moments := []float64{jobs[0].Submit}
		for _, x := range append(o.waits, o.all...) {
			moments = append(moments, x.from, x.to)
		}
		sort.Float64s(moments)
		var cores, hosts, high, highCores, highHosts float64
		for i := 1; i < len(moments); i++ {
			d, mid := moments[i]-moments[i-1], (moments[i]+moments[i-1])/2
			inUse, on, waiting := 0, map[int]bool{}, 0
			for _, x := range o.waits {
				if x.from <= mid && mid < x.to {
					waiting++
				}
			}
			for _, x := range o.all {
				if x.from <= mid && mid < x.to {
					for _, sp := range x.procs {
						for q := int(sp.Lo); q <= int(sp.Hi); q++ {
							inUse++
							c := p.ClusterOf(q)
							on[1000*c+(q-p.First(c))/p.Clusters[c].Cores] = true
						}
					}
				}
			}
			cores += d * float64(inUse)
			hosts += d * float64(len(on))
			if waiting >= bounds.HighLoad {
				high += d
				highCores += d * float64(inUse)
				highHosts += d * float64(len(on))
			}
		}
		n := 0
		for _, c := range p.Clusters {
			n += c.Nodes
		}
		span := got["makespan"]
		want := map[string]float64{
			"core_utilisation": cores / (float64(p.Procs()) * span), "node_utilisation": hosts / (float64(n) * span),
			"core_utilisation_high": highCores / (float64(p.Procs()) * high), "node_utilisation_high": highHosts / (float64(n) * high),
			"high_load_share": high / span,
		}
		for name, w := range want {
			if name[:4] == "node" && !slices && !NeedProcs(p) {
				w = math.NaN()
			}
			if v := got[name]; math.IsNaN(v) != math.IsNaN(w) || math.Abs(v-w) > 1e-9 {
				t.Errorf("%s = %v, want %v", name, v, w)
			}
		}
		if !slices && !(math.Abs(got["core_utilisation"]-got["utilisation"]) <= 1e-9) && span > 0 {
			t.Errorf("nobody is suspended, and core_utilisation is %v, utilisation %v", got["core_utilisation"], got["utilisation"])
		}
	})
}

// refusing refuses job 1 after 6 s, and then starts job 2.
type refusing struct{ jobs []*sim.Job }

func (r *refusing) Reset(*sim.State) error { r.jobs = nil; return nil }
func (r *refusing) Submitted(s *sim.State, j *sim.Job) {
	r.jobs = append(r.jobs, j)
	s.WakeAt(6)
}
func (r *refusing) Ended(*sim.State, *sim.Job) {}
func (r *refusing) Pass(s *sim.State) {
	if s.Now() == 6 && len(r.jobs) == 2 {
		s.Reject(r.jobs[0])
		s.Start(r.jobs[1])
		r.jobs = nil
	}
}

// A refused job waits until it is refused: job 1 from 0 to 6 s, when job 2 starts,
// which came at 4 s. From one waiting job on the load is high.
func TestRefusedJobsWaitNoLonger(t *testing.T) {
	s := Setting{Platform: nodes(t, sim.Cluster{Nodes: 1, Cores: 1}), Threshold: 10,
		Bounds: sim.Bounds{Short: 10, Long: 20, Least: 1, HighLoad: 1}}
	got := valuesOf(t, s, sim.Config{Policy: &refusing{}, Progress: progress.Isolated{}}, []sim.JobSpec{
		{ID: 1, RunTime: 9, Walltime: 9, Procs: 1},
		{ID: 2, Submit: 4, RunTime: 20, Walltime: 20, Procs: 1},
	})
	for name, want := range map[string]float64{
		"makespan":                 26,
		"high_load_share":          6. / 26,
		"core_utilisation_high":    0,
		"relative_response_short":  math.NaN(), // job 1 did not run
		"relative_response_medium": 22. / 20,   // a walltime at the bound is no long job's
		"relative_response_long":   math.NaN(),
	} {
		if v := got[name]; math.IsNaN(v) != math.IsNaN(want) || math.Abs(v-want) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
}

// TestWholeNodesAreInUse: a job on whole nodes uses all of their cores, requested or not.
func TestWholeNodesAreInUse(t *testing.T) {
	machine := nodes(t, sim.Cluster{Nodes: 3, Cores: 4})
	if err := machine.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Whole: true}}); err != nil {
		t.Fatal(err)
	}
	s := published(machine)
	s.HighLoad = 0
	got := valuesOf(t, s, sim.Config{Policy: easy(t), Progress: progress.Isolated{}},
		[]sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 5, Partition: 1}})
	for _, name := range []string{"utilisation", "core_utilisation", "core_utilisation_high"} {
		if v := got[name]; v != 2./3 {
			t.Errorf("%s is %v, want 2/3", name, v)
		}
	}
}

package metrics

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// picky is first come first served that refuses every fifth job.
type picky struct{ queue.FCFS }

func (p *picky) Submitted(s *sim.State, j *sim.Job) {
	if j.ID()%5 == 0 {
		s.Reject(j)
		return
	}
	p.FCFS.Submitted(s, j)
}

// ended is the end of a job.
type ended struct {
	sim.JobSpec
	state         sim.JobState
	start, finish float64
}

// keeper keeps all jobs.
type keeper []ended

func (*keeper) Submitted(*sim.View, *sim.Job) {}
func (*keeper) Started(*sim.View, *sim.Job)   {}
func (k *keeper) Ended(_ *sim.View, j *sim.Job) {
	*k = append(*k, ended{j.Spec(), j.State(), j.Start(), j.Finish()})
}

// byHand are some of the metrics of jobs, computed in the plainest way.
func byHand(jobs []ended) map[string]float64 {
	var waits, responses, slowdowns []float64
	users := map[int32][]float64{}
	waited, killed, rejected := 0, 0, 0
	for _, j := range jobs {
		if j.state == sim.Rejected {
			rejected++
			continue
		}
		alone := j.RunTime
		if j.state == sim.Killed {
			killed++
			alone = j.finish - j.start
		}
		if j.start > j.Submit {
			waited++
		}
		waits, responses = append(waits, j.start-j.Submit), append(responses, j.finish-j.Submit)
		slowdowns = append(slowdowns, max(1, (j.finish-j.Submit)/max(10, alone)))
		if j.User >= 0 {
			users[j.User] = append(users[j.User], slowdowns[len(slowdowns)-1])
		}
	}
	mean := func(v []float64) float64 {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum / float64(len(v))
	}
	quantile := func(v []float64, p float64) float64 { return sim.Quantile(slices.Sorted(slices.Values(v)), p) }
	greatest := func(v []float64) float64 { return quantile(v, 1) }
	var means []float64
	differences, squares := 0.0, 0.0
	for _, v := range users {
		means = append(means, mean(v))
	}
	for _, a := range means {
		squares += a * a
		for _, b := range means {
			differences += math.Abs(a - b)
		}
	}
	n := float64(len(means))
	m := map[string]float64{
		"jobs": float64(len(jobs)), "finished": float64(len(jobs) - killed - rejected), "killed": float64(killed), "rejected": float64(rejected),
		"mean_wait_time": mean(waits), "median_wait_time": quantile(waits, .5), "p95_wait_time": quantile(waits, .95),
		"max_wait_time":      greatest(waits),
		"mean_response_time": mean(responses), "p95_response_time": quantile(responses, .95),
		"waited_share":          float64(waited) / float64(len(waits)),
		"mean_bounded_slowdown": mean(slowdowns), "median_bounded_slowdown": quantile(slowdowns, .5), "max_bounded_slowdown": greatest(slowdowns),
		"users": n, "mean_user_bounded_slowdown": mean(means), "worst_user_bounded_slowdown": greatest(means),
		"gini_user_bounded_slowdown": differences / (2 * n * n * mean(means)),
		"jain_user_bounded_slowdown": n * mean(means) * mean(means) * n / (n * squares),
	}
	if n == 0 {
		m["users"] = math.NaN()
	}
	return m
}

// TestClassesAreFilteredJobs: the metrics of a class equal those computed by hand from its jobs alone. Two classes that divide all
// jobs have counts that add up, and their means weighted by counts give the mean of all jobs.
func TestClassesAreFilteredJobs(t *testing.T) {
	field := func(name string) *JobField {
		return &JobFields[slices.IndexFunc(JobFields, func(f JobField) bool { return f.Name == name })]
	}
	machine := simtest.Machine(t, 7)
	rapid.Check(t, func(t *rapid.T) {
		jobs := simtest.DrawJobs(t, machine)
		for i := range jobs {
			jobs[i].User = simtest.Records{}.Record(jobs[i].Record).User
		}
		size, long, user := float64(rapid.IntRange(0, 8).Draw(t, "size")), float64(rapid.IntRange(0, 13).Draw(t, "long")),
			rapid.SampledFrom([]string{"0", "2", "9"}).Draw(t, "name")
		number := map[string]int32{"0": 0, "2": 2, "9": 9}[user]
		classes := []struct {
			any [][]Test
			has func(sim.JobSpec) bool
		}{
			{[][]Test{{{Field: field("processors"), Op: "<=", Number: size}}}, func(j sim.JobSpec) bool { return float64(j.Procs) <= size }},
			{[][]Test{{{Field: field("processors"), Op: ">", Number: size}}}, func(j sim.JobSpec) bool { return float64(j.Procs) > size }},
			{[][]Test{{{Field: field("run_time"), Op: ">=", Number: long}, {Field: field("walltime"), Op: "!=", Number: 5}},
				{{Field: field("processors"), Op: "==", Number: 1}}},
				func(j sim.JobSpec) bool { return j.RunTime >= long && j.Walltime != 5 || j.Procs == 1 }},
			{[][]Test{{{Field: field("user"), Op: "==", Text: user}}}, func(j sim.JobSpec) bool { return j.User == number }},
			{[][]Test{{{Field: field("user"), Op: "!=", Text: user}}}, func(j sim.JobSpec) bool { return j.User >= 0 && j.User != number }},
			// all are in queue 0, which has no name
			{[][]Test{{{Field: field("queue"), Op: "!=", Text: "debug"}}}, func(sim.JobSpec) bool { return true }},
			{[][]Test{{{Field: field("application"), Op: "!=", Text: "lu"}}}, func(sim.JobSpec) bool { return false }},
		}
		var all []Class
		for _, c := range classes {
			all = append(all, Class{Any: c.any})
		}
		var collector Collector
		setting := Setting{Platform: machine, Threshold: DefaultThreshold, Bounds: sim.DefaultBounds}
		observer := NewClasses(all, nil)
		var kept keeper
		var e sim.Engine
		for range 2 { // a second run must not remember the first
			collector.Reset(setting)
			observer.Reset(setting, sim.Names{})
			kept = nil
			_, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: &picky{},
				Progress: progress.Isolated{},
				Records:  simtest.Records{}, KillAtWalltime: true, Observers: []sim.Observer{observer, &collector, simtest.Watch(&kept)}})
			if err != nil {
				t.Fatal(err)
			}
		}
		catalog := ClassCatalog(nil)[1:]
		values := observer.Values(nil)
		if len(values) != len(classes)*len(catalog) {
			t.Fatalf("%d values of %d classes with %d metrics", len(values), len(classes), len(catalog))
		}
		of := func(class int, name string) float64 {
			return values[class*len(catalog)+slices.IndexFunc(catalog, func(m sim.Metric) bool { return m.Name == name })]
		}
		for k, c := range classes {
			want := byHand(slices.DeleteFunc(slices.Clone(kept), func(j ended) bool { return !c.has(j.JobSpec) }))
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if got, w := of(k, name), want[name]; math.IsNaN(got) != math.IsNaN(w) || math.Abs(got-w) > 1e-9*max(1, math.Abs(w)) {
					t.Fatalf("class %d: %s is %v; its jobs alone give %v", k, name, got, w)
				}
			}
		}
		whole := collector.Values(nil)
		ran := [2]float64{}
		for k := range ran {
			ran[k] = of(k, "finished") + of(k, "killed")
		}
		if of(0, "jobs")+of(1, "jobs") != float64(len(jobs)) {
			t.Fatalf("%v and %v jobs of %d", of(0, "jobs"), of(1, "jobs"), len(jobs))
		}
		for i, m := range Catalog() {
			if slices.Contains([]string{"mean_wait_time", "mean_response_time", "mean_bounded_slowdown", "waited_share", "mean_run_time",
				"relative_response"}, m.Name) && ran[0]+ran[1] > 0 {
				sum := 0.0
				for k := range ran {
					if ran[k] > 0 {
						sum += ran[k] * of(k, m.Name)
					}
				}
				if mean := sum / (ran[0] + ran[1]); !(math.Abs(mean-whole[i]) <= 1e-9*max(1, whole[i])) {
					t.Fatalf("%s is %v; of the classes, weighted by their jobs, %v", m.Name, whole[i], mean)
				}
			}
		}
	})
}

// TestNamesOfClasses: of users and queues with names, these are meant, and numbers where there are none.
func TestNamesOfClasses(t *testing.T) {
	queue := &JobFields[slices.IndexFunc(JobFields, func(f JobField) bool { return f.Name == "queue" })]
	names := sim.Names{Queues: []string{"", "debug", "7"}}
	for text, want := range map[string][]float64{"debug": {1}, "0": {0}, "7": {2, 7}, "1": nil, "9": {9}, "none": nil, "-1": nil} {
		test := Test{Field: queue, Op: "==", Text: text}
		test.find(names)
		if !slices.Equal(test.codes, want) {
			t.Errorf("queue %s is %v, want %v", text, test.codes, want)
		}
	}
}

// TestMetricsOfJobsSeeNoMore: the observer of a metric of sets of jobs sees these by submissions, starts and ends alone.
func TestMetricsOfJobsSeeNoMore(t *testing.T) {
	for _, k := range kinds {
		if i := slices.IndexFunc(k.Metrics, func(m sim.Metric) bool { return m.OfJobs }); i >= 0 {
			o := k.New()
			_, holds := o.(HoldObserver)
			_, moments := o.(WakeUpObserver)
			if holds || moments {
				t.Errorf("%s is OfJobs, and classes tell its observer less than it wants to see", k.Metrics[i].Name)
			}
		}
	}
	if len(ClassCatalog(nil)) < 20 {
		t.Errorf("%d metrics by class", len(ClassCatalog(nil)))
	}
}

// A run after the first needs no memory of its own for classes.
func TestClassesAllocateNothing(t *testing.T) {
	machine := simtest.Machine(t, 8)
	var jobs []sim.JobSpec
	for i := range 500 {
		jobs = append(jobs, sim.JobSpec{ID: int64(i + 1), Submit: float64(i), RunTime: float64(1 + i%90), Walltime: 90, Procs: int32(1 + i%8),
			User: int32(i % 7), Record: 1})
	}
	size := &JobFields[0]
	observer := NewClasses([]Class{{Any: [][]Test{{{Field: size, Op: "<=", Number: 4}}}},
		{Any: [][]Test{{{Field: size, Op: ">", Number: 4}}, {{Field: &JobFields[5], Op: "==", Text: "3"}}}}}, nil)
	setting := Setting{Platform: machine, Threshold: DefaultThreshold, Bounds: sim.DefaultBounds}
	var e sim.Engine
	var values []float64
	run := func(observers ...sim.Observer) func() {
		return func() {
			observer.Reset(setting, sim.Names{})
			if _, err := e.Run(context.Background(),
				sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: &queue.FCFS{}, Progress: progress.Isolated{},
					Records: simtest.Records{}, Observers: observers}); err != nil {
				t.Fatal(err)
			}
			values = observer.Values(values[:0])
		}
	}
	without := testing.AllocsPerRun(5, run())
	if with := testing.AllocsPerRun(5, run(observer)); with > without {
		t.Errorf("%g allocations a run, and %g without classes", with, without)
	}
}

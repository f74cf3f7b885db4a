package workload_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

// TestGenerators gives every kind that generates jobs the same treatment: passes
// repeat, seeds differ, jobs are valid, and a selection from the stream equals
// one from the jobs at hand.
func TestGenerators(t *testing.T) {
	const n = 3000
	for _, c := range []struct {
		name string
		make func(in workload.Input, change func(*workload.Transforms)) workload.Workload
	}{
		{"lublin both", lublinOf(t, "both", n)}, {"lublin typeless", lublinOf(t, "typeless", n)},
		{"lublin batch", lublinOf(t, "batch", n)}, {"lublin interactive", lublinOf(t, "interactive", n)},
		{"poisson", func(in workload.Input, change func(*workload.Transforms)) workload.Workload {
			return make1(t, "poisson", in, func(p *workload.PoissonParams) { p.Jobs, p.Clusters = n/4, 4; change(&p.Transforms) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.make(seed(1), func(*workload.Transforms) {})
			jobs := drain(t, w.Source())
			if d := cmp.Diff(jobs, drain(t, w.Source())); d != "" {
				t.Errorf("a second pass differs:\n%s", d)
			}
			if cmp.Equal(jobs, drain(t, c.make(seed(2), func(*workload.Transforms) {}).Source())) {
				t.Error("two seeds give the same jobs")
			}
			if len(jobs) != n || w.Info().Jobs != n {
				t.Errorf("%d jobs, info says %d, want %d", len(jobs), w.Info().Jobs, n)
			}
			last := 0.0
			for i, j := range jobs {
				if j.ID != int64(i+1) || j.Submit < last || !(j.RunTime > 0) || j.Walltime != j.RunTime || j.Procs < 1 || j.Procs > 128 {
					t.Fatalf("job %d is %+v after a submission at %g", i, j, last)
				}
				last = j.Submit
			}
			for _, change := range []func(*workload.Transforms){
				func(t *workload.Transforms) { t.Select.Jobs, t.Select.Skip, t.Select.Sample = 100, 7, "first" },
				func(t *workload.Transforms) { t.Select.Skip = 2500 },
				func(t *workload.Transforms) { t.Select.MaxProcessors, t.Select.RunTime[0] = 32, 100 },
				func(t *workload.Transforms) {
					t.Select.MaxProcessors, t.Select.Jobs, t.Select.Sample, t.Select.Skip = 32, 50, "random", 3
				},
				func(t *workload.Transforms) { t.Select.Jobs, t.Select.Sample = 50, "random" },
				func(t *workload.Transforms) { t.Select.RunTime[0], t.Select.Jobs, t.Select.Sample = 60, 50, "window" },
				func(t *workload.Transforms) {
					t.Estimates.Model, t.OfferedLoad, t.OfferedLoadOf = "tsafrir", .8, "selection" // a list has no laws
				},
				func(t *workload.Transforms) { t.Jitter, t.Estimates.Model = 1000, "uniform" },
			} {
				in := seed(1)
				in.Procs = 128
				tr := workload.DefaultTransforms()
				change(&tr)
				listed, err := workload.FromJobs("jobs", jobs, tr, in)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(drain(t, listed.Source()), drain(t, c.make(in, change).Source())); d != "" {
					t.Errorf("stream and list differ (-list +stream):\n%.2000s", d)
				}
			}
			w = c.make(seed(1), func(t *workload.Transforms) { t.Select.MaxProcessors, t.Select.Jobs, t.Select.Sample = 16, n, "first" })
			_, err := readAll(w.Source())
			if err == nil || !strings.Contains(err.Error(), "workload.select: the number of jobs is to be 3000, and within") {
				t.Errorf("asking for more jobs than there are gives %v", err)
			}
		})
	}
}

func lublinOf(t *testing.T, mode string, n int) func(workload.Input, func(*workload.Transforms)) workload.Workload {
	return func(in workload.Input, change func(*workload.Transforms)) workload.Workload {
		return make1(t, "lublin", in, func(p *workload.LublinParams) { p.Jobs, p.Mode = n, mode; change(&p.Transforms) })
	}
}

// TestFlat generates a million jobs, or three with all cases, and looks at the memory.
func TestFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of jobs of each kind")
	}
	jobs := simtest.Cases(1_000_000, 3_000_000)
	for _, w := range []workload.Workload{
		make1(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Jobs = jobs; p.Jitter = 3600 }),
		make1(t, "poisson", seed(1), func(p *workload.PoissonParams) { p.Jobs, p.Clusters = jobs/8, 8 }),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		src := w.Source()
		var j sim.JobSpec
		n := 0
		for {
			ok, err := src.Next(&j)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			n++
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; n != jobs || grown > uint64(jobs)/3 {
			t.Errorf("%s: %d jobs took %d B", w.Info().Name, n, grown)
		}
	}
}

// TestPoisson checks means, ranges and homes; 4 standard errors are allowed.
func TestPoisson(t *testing.T) {
	const n = 100_000
	w := make1(t, "poisson", seed(5), func(p *workload.PoissonParams) {
		p.Jobs, p.Clusters = n, 3
		p.PerCluster = []workload.PoissonCluster{{}, {MeanInterarrival: 50, MeanRunTime: 10}, {Processors: [2]float64{1, 4}}}
	})
	var count, last, run, size [3]float64
	seen := map[int32]int{}
	for _, j := range drain(t, w.Source()) {
		count[j.Home]++
		last[j.Home] = j.Submit
		run[j.Home] += j.RunTime
		size[j.Home] += float64(j.Procs)
		if j.Home == 2 {
			seen[j.Procs]++
		}
	}
	near := func(what string, got, want, sd float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 4*sd/math.Sqrt(n)) {
			t.Errorf("%s is %g, not %g", what, got, want)
		}
	}
	for i, want := range []struct{ gap, run, size, sizeSD float64 }{
		{150, 225, 50, math.Sqrt((81*81 - 1) / 12.)}, {50, 10, 50, math.Sqrt((81*81 - 1) / 12.)}, {150, 225, 2.5, math.Sqrt(15. / 12)},
	} {
		if count[i] != n {
			t.Errorf("cluster %d has %g jobs", i, count[i])
		}
		near("mean inter-arrival", last[i]/n, want.gap, want.gap)
		near("mean run time", run[i]/n, want.run, want.run)
		near("mean size", size[i]/n, want.size, want.sizeSD)
	}
	for p := int32(1); p <= 4; p++ {
		near("share of a size", float64(seen[p])/n, .25, math.Sqrt(.25*.75))
	}
	if len(seen) != 4 {
		t.Errorf("sizes %v, not 1 to 4", seen)
	}
}

// TestPoissonClusters makes sure that a cluster's jobs do not depend on how many
// clusters there are.
func TestPoissonClusters(t *testing.T) {
	of := func(clusters int) (first []sim.JobSpec) {
		w := make1(t, "poisson", seed(5), func(p *workload.PoissonParams) { p.Jobs, p.Clusters = 200, clusters })
		for _, j := range drain(t, w.Source()) {
			if j.Home == 0 {
				j.ID = 0
				first = append(first, j)
			}
		}
		return first
	}
	if d := cmp.Diff(of(1), of(8)); d != "" {
		t.Errorf("the first cluster's jobs differ:\n%s", d)
	}
}

func TestGeneratorErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(tryMake(t, "poisson", seed(1), func(p *workload.PoissonParams) { p.Processors = [2]float64{.5, 2} })),
			"poisson: workload.processors is [0.5, 2]; it must be two whole numbers, the first at least 1"},
		{second(tryMake(t, "poisson", seed(1), func(p *workload.PoissonParams) { p.PerCluster = make([]workload.PoissonCluster, 2) })),
			"poisson: workload.per_cluster has 2 numbers, and the number of clusters is 1"},
		{second(tryMake(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Alpha = 9 })),
			"lublin: workload.alpha sets aarr of one type, and mode both has two; set batch.aarr and interactive.aarr, or choose another mode"},
		{second(tryMake(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Batch.PowerOfTwo = .9 })),
			"lublin: workload.batch.power_of_two is 0.9; together with serial, 0.2927, it must not be above 1, for it is an absolute probability"},
		{second(tryMake(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Batch.A1 = 99 })),
			"lublin: workload.batch: a1, b1: only 9.6e-48 of the draws are below the limit 12; lower shape or scale (their product is the mean " +
				"of the logarithm)"},
		{second(tryMake(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Mode, p.Typeless.BNum = "typeless", .01 })),
			"lublin: workload.typeless: anum, bnum: the daily cycle gives half hour 1 no weight; choose a wider distribution"},
		{second(tryMake(t, "list", seed(1), func(p *workload.ListParams) {})), "list: workload.jobs is empty; list at least one job"},
		{second(tryMake(t, "list", seed(1), func(p *workload.ListParams) {
			p.Jobs = []workload.ListedJob{{RunTime: 1, Submit: 5, ReservedStart: 4}}
		})), "list: workload.jobs[0].reserved_start is 4, before the job is submitted at 5"},
		{second(tryMake(t, "swf", seed(1), func(p *workload.LogParams) { p.Path = "x.swf" })),
			`swf: there is no access to logs, so "x.swf" cannot be read`},
		{second(tryMake(t, "swf", seed(1), func(p *workload.LogParams) {})), "swf: workload.path is empty; name an .swf or .swf.gz file"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("message\n%v\nwant\n%s", c.err, c.want)
		}
	}
}

func second(_ workload.Workload, err error) error { return err }

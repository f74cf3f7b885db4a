package workload_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// anyJobs draws jobs in order of submission, with whole-number times.
func anyJobs(t *rapid.T) []sim.JobSpec {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	jobs := make([]sim.JobSpec, n)
	at := 0
	for i := range jobs {
		at += rapid.IntRange(0, 50).Draw(t, "gap")
		run := rapid.IntRange(0, 5000).Draw(t, "run")
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: float64(at), RunTime: float64(run),
			Walltime: float64(run + rapid.IntRange(1, 500).Draw(t, "slack")), Procs: int32(rapid.IntRange(1, 64).Draw(t, "procs")), User: -1}
	}
	return jobs
}

func transformed(t *rapid.T, jobs []sim.JobSpec, in workload.Input, change func(*workload.Transforms)) []sim.JobSpec {
	tr := workload.DefaultTransforms()
	change(&tr)
	w, err := workload.FromJobs("test", jobs, tr, in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(w.Source())
	if err != nil {
		t.Fatal(err)
	}
	again, err := readAll(w.Source())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, again); d != "" {
		t.Fatalf("a second pass differs:\n%s", d)
	}
	if n := w.Info().Jobs; n != len(got) {
		t.Fatalf("info says %d jobs, there are %d", n, len(got))
	}
	return got
}

func TestIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		if d := cmp.Diff(jobs, transformed(t, jobs, seed(1), func(*workload.Transforms) {})); d != "" {
			t.Fatalf("the default changes jobs:\n%s", d)
		}
	})
}

func TestFactors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		load := rapid.SampledFrom([]float64{.25, .7, 1, 2, 3}).Draw(t, "load")
		run := rapid.SampledFrom([]float64{.5, 1, 1.1, 2}).Draw(t, "run")
		size := rapid.SampledFrom([]float64{.1, .5, 1, 1.5, 2}).Draw(t, "size")
		wall := rapid.SampledFrom([]float64{.5, 1, 3}).Draw(t, "wall")
		got := transformed(t, jobs, seed(1), func(tr *workload.Transforms) {
			tr.LoadFactor, tr.RunTimeFactor, tr.SizeFactor, tr.WalltimeFactor = load, run, size, wall
			tr.WalltimeMinimumFactor, tr.ComputationFactor, tr.CommunicationFactor = 2, 1e6, 3e6
			tr.RoundRobinHomes = 3
		})
		want := slices.Clone(jobs)
		for i := range want {
			j := &want[i]
			j.Submit /= load
			j.RunTime *= run
			j.Walltime = max(j.Walltime*run*wall, 2*j.RunTime)
			if j.RunTime == 0 {
				j.Walltime = max(j.Walltime, 1e-3)
			}
			j.Procs = int32(max(1, math.Floor(float64(j.Procs)*size+.5)))
			j.Flops, j.Bytes = j.RunTime*1e6, j.RunTime*3e6
			j.Home = int32(i % 3)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("jobs (-want +got):\n%s", d)
		}
	})
}

func TestOfferedLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		work := 0.0
		for _, j := range jobs {
			work += 2 * j.RunTime * float64(j.Procs)
		}
		if work == 0 || jobs[0].Submit == jobs[len(jobs)-1].Submit {
			t.Skip("no load")
		}
		want := rapid.Float64Range(.1, 3).Draw(t, "load")
		in := seed(1)
		in.Procs = 64
		got := transformed(t, jobs, in, func(tr *workload.Transforms) { tr.OfferedLoad, tr.RunTimeFactor = want, 2 })
		load := work / 64 / (got[len(got)-1].Submit - got[0].Submit)
		if !(math.Abs(load/want-1) <= 1e-9) {
			t.Fatalf("the load is %g, not %g", load, want)
		}
	})
}

func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		b := workload.DefaultTransforms().Select
		b.Window = [2]float64{rapid.Float64Range(0, 200).Draw(t, "from"), rapid.Float64Range(200, 2000).Draw(t, "to")}
		b.RunTime = [2]float64{rapid.Float64Range(0, 500).Draw(t, "shortest"), 4000}
		b.MaxProcessors = rapid.IntRange(20, 64).Draw(t, "largest")
		var want []sim.JobSpec
		for _, j := range jobs {
			if j.Submit >= b.Window[0] && j.Submit <= b.Window[1] && j.RunTime >= b.RunTime[0] && j.RunTime <= 4000 &&
				int(j.Procs) <= b.MaxProcessors {
				want = append(want, j)
			}
		}
		if len(want) == 0 {
			t.Skip("no candidates")
		}
		got := transformed(t, jobs, seed(1), func(tr *workload.Transforms) { tr.Select, tr.Shift = b, "never" })
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("candidates (-want +got):\n%s", d)
		}
		b.Skip = rapid.IntRange(0, len(want)-1).Draw(t, "skip")
		b.Jobs, b.Sample = rapid.IntRange(1, len(want)-b.Skip).Draw(t, "jobs"), "first"
		got = transformed(t, jobs, seed(1), func(tr *workload.Transforms) { tr.Select, tr.Shift = b, "never" })
		if d := cmp.Diff(want[b.Skip:b.Skip+b.Jobs], got); d != "" {
			t.Fatalf("the first (-want +got):\n%s", d)
		}
		for _, sample := range []string{"random", "window", "disjoint-windows"} {
			b.Sample = sample
			in := seed(rapid.Uint64().Draw(t, "seed"))
			in.Streams.Replication = 0 // for which there always is a window
			got := transformed(t, jobs, in, func(tr *workload.Transforms) { tr.Select, tr.Shift = b, "never" })
			k := b.Skip
			for i, j := range got {
				for k < len(want) && want[k].ID != j.ID {
					k++
					if sample != "random" && i > 0 {
						t.Fatalf("a window has a gap before job %d", j.ID)
					}
				}
				if k == len(want) {
					t.Fatalf("job %d is no candidate or out of order", j.ID)
				}
				k++
			}
			if len(got) != b.Jobs {
				t.Fatalf("%s takes %d jobs, not %d", sample, len(got), b.Jobs)
			}
			// Factors do not change which jobs are taken.
			other := transformed(t, jobs, in, func(tr *workload.Transforms) {
				tr.Select, tr.RunTimeFactor, tr.LoadFactor, tr.SizeFactor = b, 7, 3, 5
				tr.Estimates.Model = "uniform"
			})
			for i := range got {
				if got[i].ID != other[i].ID {
					t.Fatalf("factors change the jobs taken: %d became %d", got[i].ID, other[i].ID)
				}
			}
		}
	})
}

// TestSampleUniform draws two of five jobs: all ten pairs equally often.
func TestSampleUniform(t *testing.T) {
	jobs := make([]sim.JobSpec, 5)
	for i := range jobs {
		jobs[i] = sim.JobSpec{ID: int64(i), Walltime: 1, Procs: 1}
	}
	tr := workload.DefaultTransforms()
	tr.Select.Sample, tr.Select.Jobs = "random", 2
	count := map[[2]int64]int{}
	const n = 20_000
	for s := range uint64(n) {
		w, err := workload.FromJobs("test", jobs, tr, seed(s))
		if err != nil {
			t.Fatal(err)
		}
		got := drain(t, w.Source())
		count[[2]int64{got[0].ID, got[1].ID}]++
	}
	chi := 0.0
	for _, c := range count {
		chi += (float64(c) - n/10) * (float64(c) - n/10) / (n / 10)
	}
	// 99.9 % of chi squared with 9 degrees of freedom is 27.9.
	if len(count) != 10 || chi > 27.9 {
		t.Errorf("pairs %v: chi squared is %g", count, chi)
	}
}

func TestShift(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 1, Submit: 100, Walltime: 1, Procs: 1}, {ID: 2, Submit: 130, Walltime: 1, Procs: 2},
		{ID: 3, Submit: 190, Walltime: 1, Procs: 1}}
	for _, c := range []struct {
		name   string
		change func(*workload.Transforms)
		want   []float64
	}{
		{"auto", func(*workload.Transforms) {}, []float64{100, 130, 190}},
		{"always", func(t *workload.Transforms) { t.Shift = "always" }, []float64{0, 30, 90}},
		{"bounds of size are no cut", func(t *workload.Transforms) { t.Select.Processors[1] = 1 }, []float64{100, 190}},
		{"skip is", func(t *workload.Transforms) { t.Select.Skip = 1 }, []float64{0, 60}},
		{"so is a window", func(t *workload.Transforms) { t.Select.Window[0] = 130; t.LoadFactor = 2 }, []float64{0, 30}},
		{"never", func(t *workload.Transforms) { t.Select.Skip = 1; t.Shift = "never" }, []float64{130, 190}},
		{"zero", func(t *workload.Transforms) { t.Submit = "zero" }, []float64{0, 0, 0}},
	} {
		tr := workload.DefaultTransforms()
		c.change(&tr)
		w, err := workload.FromJobs("test", jobs, tr, seed(1))
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, j := range drain(t, w.Source()) {
			got = append(got, j.Submit)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: submit times (-want +got):\n%s", c.name, d)
		}
	}
}

func TestJitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		most := rapid.Float64Range(.1, 500).Draw(t, "jitter")
		got := transformed(t, jobs, seed(1), func(tr *workload.Transforms) { tr.Jitter = most })
		if len(got) != len(jobs) {
			t.Fatalf("%d jobs became %d", len(jobs), len(got))
		}
		for i, j := range got {
			if i > 0 && got[i-1].Submit > j.Submit {
				t.Fatalf("job %d is out of order", j.ID)
			}
			was := jobs[j.ID-1].Submit
			if j.Submit < max(0, was-most) || j.Submit > was+most {
				t.Fatalf("job %d moved from %g to %g, by more than %g", j.ID, was, j.Submit, most)
			}
		}
		ids := make([]int64, len(got))
		for i := range got {
			ids[i] = got[i].ID
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(jobs) {
			t.Fatal("a job is missing")
		}
	})
}

// TestTransformErrors holds the messages about transforms that make no sense.
func TestTransformErrors(t *testing.T) {
	on := &sim.Request{Nodes: 1}
	jobs := []sim.JobSpec{{ID: 1, Walltime: 1, Procs: 1, Request: on}, {ID: 2, Submit: 5, Walltime: 1, Procs: 1 << 30}}
	for _, c := range []struct {
		change func(*workload.Transforms)
		want   string
	}{
		{func(t *workload.Transforms) { t.Submit, t.Jitter = "zero", 1 }, "test: workload.submit is zero, which leaves no submit times for " +
			"offered_load, load_factor or jitter to change; drop one of them"},
		{func(t *workload.Transforms) { t.Submit, t.LoadFactor = "zero", 2 }, "test: workload.submit is zero, which leaves no submit times " +
			"for offered_load, load_factor or jitter to change; drop one of them"},
		{func(t *workload.Transforms) { t.Select.Sample = "disjoint-windows" }, "test: workload.select.sample is disjoint-windows, which needs " +
			"select.jobs, the length of a window"},
		{func(t *workload.Transforms) { t.Select.Jobs = 3 }, "test: workload.select: the number of jobs is to be 3, and within its bounds " +
			"it is 2; ask for fewer or widen the bounds"},
		{func(t *workload.Transforms) { t.Select.Jobs, t.Select.Skip = 2, 1 }, "test: workload.select: the number of jobs is to be 2 after " +
			"skipping 1, and within its bounds it is 2; ask for fewer or widen the bounds"},
		{func(t *workload.Transforms) { t.Select.Window[0] = 99 }, "test: workload.select: the number of jobs is to be 1, and within its " +
			"bounds it is 0; ask for fewer or widen the bounds"},
		{func(t *workload.Transforms) { t.OfferedLoad = 1 }, "test: workload.offered_load needs the number of processors, and neither the " +
			"platform nor the workload states it; add platform: {processors: N}, or use load_factor"},
		{func(t *workload.Transforms) { t.OfferedLoad = 90 }, "test: workload.offered_load is 90, which is 9000 % of what the machine can do; " +
			"write 90 % (load_factor scales without a limit)"},
		{func(t *workload.Transforms) { t.OfferedLoad = math.Inf(1) },
			"test: workload.offered_load has no end; write a load of at most 10, such as .9"},
		{func(t *workload.Transforms) { t.SizeFactor, t.Select.Processors[0] = 3, 2 }, "test: job 2: size_factor 3 makes its size " +
			"3.221225472e+09; it must be at most 2147483647"},
		{func(t *workload.Transforms) { t.SizeFactor, t.Select.Processors[1] = .5, 1 }, "test: job 1: size_factor 0.5 changes processors, and " +
			"the job requests a number of nodes, which would stay; drop one of the two"},
		{func(t *workload.Transforms) { t.Estimates.Model, t.Estimates.Factor = "uniform", .5 },
			"test: workload.estimates.factor is 0.5; the model uniform draws from [1, factor], so it must be at least 1"},
	} {
		tr := workload.DefaultTransforms()
		c.change(&tr)
		w, err := workload.FromJobs("test", jobs, tr, seed(1))
		if err == nil {
			_, err = readAll(w.Source())
		}
		if err == nil {
			t.Errorf("no error; want %q", c.want)
			continue
		}
		if got := strings.TrimSpace(err.Error()); got != c.want {
			t.Errorf("message %q, want %q", got, c.want)
		}
	}
}

// A replication has the same disjoint window for any number of replications. No job is in two windows, and the log is cut into as
// many as it has room for.
func TestDisjointWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		skip := rapid.IntRange(0, len(jobs)-1).Draw(t, "skip")
		n := rapid.IntRange(1, len(jobs)-skip).Draw(t, "jobs")
		room := (len(jobs) - skip) / n
		in := seed(rapid.Uint64().Draw(t, "seed"))
		select1 := func(tr *workload.Transforms) {
			tr.Select.Skip, tr.Select.Jobs, tr.Select.Sample, tr.Shift = skip, n, "disjoint-windows", "never"
		}
		taken := map[int64]bool{}
		for r := range room {
			in.Streams.Replication = uint64(r)
			got := transformed(t, jobs, in, select1)
			for i, j := range got {
				if taken[j.ID] || j.ID != got[0].ID+int64(i) || j.ID <= int64(skip) {
					t.Fatalf("replication %d: job %d is taken twice, skipped or out of a run", r, j.ID)
				}
				taken[j.ID] = true
			}
			if len(got) != n {
				t.Fatalf("%d jobs, not %d", len(got), n)
			}
		}
		in.Streams.Replication = uint64(room)
		tr := workload.DefaultTransforms()
		select1(&tr)
		if _, err := workload.FromJobs("test", jobs, tr, in); err == nil || !strings.Contains(err.Error(), "use at most") {
			t.Fatalf("replication %d of %d windows: error %v", room, room, err)
		}
	})
}

// Windows and single jobs are where the sample says, for every replication, and a
// model has none.
func TestSampleTellsWhatIsTaken(t *testing.T) {
	jobs := make([]sim.JobSpec, 50)
	for i := range jobs {
		jobs[i] = sim.JobSpec{ID: int64(i), Submit: float64(i), RunTime: 1, Walltime: 1, Procs: 1}
	}
	for _, sample := range []string{"window", "disjoint-windows", "first"} {
		for r := range uint64(4) {
			in := seed(3)
			in.Streams.Replication = r
			tr := workload.DefaultTransforms()
			tr.Select.Jobs, tr.Select.Sample, tr.Select.RunTime[0], tr.Select.Window[0], tr.Select.Skip = 10, sample, 1, 5, 2
			w, err := workload.FromJobs("test", jobs, tr, in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readAll(w.Source())
			if err != nil {
				t.Fatal(err)
			}
			s, ok, err := w.(workload.Sampled).Sample(in.Streams)
			if want := (workload.Sample{Of: 43, Jobs: 10, First: int(got[0].ID) - 5}); !ok || err != nil || s != want {
				t.Errorf("%s, replication %d: %+v, %v, %v; want %+v", sample, r, s, ok, err, want)
			}
		}
	}
	tr := workload.DefaultTransforms()
	tr.Select.Jobs, tr.Select.Skip, tr.Jitter = 10, 8, 3
	w, err := workload.FromJobs("test", jobs, tr, seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if s, _, _ := w.(workload.Sampled).Sample(sim.Streams{}); s != (workload.Sample{Of: 42, Jobs: 10, First: -1, Redrawn: true}) {
		t.Errorf("of single jobs: %+v", s)
	}
}

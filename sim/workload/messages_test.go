package workload

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
)

// On 4 + 4 + 4: 2 tasks are 1 + 1, each sends all, 1*1/1; 4 are 3 + 1: 3*1/3; 9 are
// 3 + 3 + 3: 3*6/8; 11 are 4 + 4 + 3: 4*7/10; 13 do not fit.
func TestSpreadByHand(t *testing.T) {
	for tasks, want := range map[int]float64{2: 1, 4: 1, 9: 2.25, 11: 2.8, 13: math.Inf(1)} {
		if got := spread(tasks, defaultMessages().Clusters); got != want {
			t.Errorf("%d tasks: %g, want %g", tasks, got, want)
		}
	}
}

// All ways to stand on clusters, tried out.
func TestSpreadIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) MessageCluster { return MessageCluster{Processors: rapid.IntRange(1, 6).Draw(t, "n")} }), 2, 4).Draw(t, "clusters")
		tasks := rapid.IntRange(2, 14).Draw(t, "tasks")
		want := math.Inf(1)
		var try func(k, left int, worst float64)
		try = func(k, left int, worst float64) {
			if k == len(clusters) {
				if left == 0 && worst > 0 {
					want = min(want, worst)
				}
				return
			}
			for n := 0; n <= min(left, clusters[k].Processors); n++ {
				try(k+1, left-n, max(worst, float64(n)*float64(tasks-n)/float64(tasks-1)))
			}
		}
		try(0, tasks, 0)
		if got := spread(tasks, clusters); got != want {
			t.Fatalf("%d tasks on %v: %g, want %g", tasks, clusters, got, want)
		}
	})
}

func drawBSP(t *testing.T, change func(*BSPParams), play Play, replication uint64) ([]sim.JobSpec, error) {
	t.Helper()
	kind, _ := Kinds.Get("bsp")
	p := kind.Params.(BSPParams)
	change(&p)
	w, err := kind.New(&p, Input{Streams: sim.Streams{Root: 5, Replication: replication}, Play: play})
	if err != nil {
		return nil, err
	}
	var jobs []sim.JobSpec
	src := w.Source()
	for {
		var j sim.JobSpec
		ok, err := src.Next(&j)
		if err != nil || !ok {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
}

// Sizes, mean and shares of each workload are as the parameters say, and seen over
// many workloads they fill their ranges.
func TestBSP(t *testing.T) {
	var shares, sizes, times []float64
	for r := range uint64(200) {
		jobs, err := drawBSP(t, func(*BSPParams) {}, nil, r)
		if err != nil || len(jobs) != 8 {
			t.Fatal(len(jobs), err)
		}
		sum := 0.0
		for _, j := range jobs {
			sum += j.RunTime
			sizes, times = append(sizes, float64(j.Procs)), append(times, j.RunTime/67e4)
			if j.Submit != 0 || j.Walltime != j.RunTime || 1-j.Communication != .7 {
				t.Fatalf("job %+v", j)
			}
			if j.Procs == 1 {
				if j.Bandwidth != 0 {
					t.Fatalf("a job of one task asks for %g B/s", j.Bandwidth)
				}
				continue
			}
			shares = append(shares, j.Bandwidth*spread(int(j.Procs), defaultMessages().Clusters)/125e6)
		}
		if math.Abs(sum/8-67e4) > 1e-6 {
			t.Fatalf("the mean base time is %g s", sum/8)
		}
	}
	for _, c := range []struct {
		what           string
		got            []float64
		lo, hi, within float64
	}{{"share", shares, .1, 1, .01}, {"tasks", sizes, 1, 12, 0}, {"base time", times, .12, 3, 2}} {
		if lo, hi := slices.Min(c.got), slices.Max(c.got); lo < c.lo-1e-9 || lo > c.lo+c.within || hi > c.hi+1e-9 || hi < c.hi-c.within {
			t.Errorf("%s from %g to %g, want from %g to %g", c.what, lo, hi, c.lo, c.hi)
		}
	}
}

// The first draw that favours the heuristic is taken; bandwidths stay.
func TestBSPFavours(t *testing.T) {
	plain, _ := drawBSP(t, func(*BSPParams) {}, nil, 1)
	tried := 0
	play := func(machine *sim.Platform, jobs sim.Source, order string) (float64, error) {
		if machine.Clusters[2].Speed != .5 || machine.Clusters[0].Uplink.Bandwidth != 125e6 {
			t.Errorf("played on %+v", machine.Clusters)
		}
		if order == "sjf" {
			tried++
		}
		return map[bool]float64{true: 1, false: 2}[order == "sjf" && tried == 3 || order != "sjf" && tried < 3], nil
	}
	jobs, err := drawBSP(t, func(p *BSPParams) { p.Favours = "sjf" }, play, 1)
	if err != nil || tried != 3 {
		t.Fatalf("%d draws, %v", tried, err)
	}
	if slices.EqualFunc(jobs, plain, func(a, b sim.JobSpec) bool { return a.Procs == b.Procs }) {
		t.Error("the third draw is the first")
	}
	if _, err := drawBSP(t, func(p *BSPParams) { p.Favours = "sjf" }, nil, 1); err == nil || !strings.Contains(err.Error(), "nobody to play") {
		t.Errorf("error %v", err)
	}
}

func TestMessagesAndBSPValidate(t *testing.T) {
	kind, _ := Kinds.Get("bsp")
	p := kind.Params.(BSPParams)
	p.Tasks = [2]float64{0, 3}
	p.Messages = Messages{Law: "link-share", Clusters: []MessageCluster{{1, 1}}}
	var got []string
	p.Validate(func(field, _ string) { got = append(got, field) })
	if want := "tasks messages.clusters"; strings.Join(got, " ") != want {
		t.Errorf("reported %v", got)
	}
	if _, err := drawBSP(t, func(p *BSPParams) { p.Tasks = [2]float64{13, 13} }, nil, 0); err == nil || !strings.Contains(err.Error(), "more than messages.clusters have together") {
		t.Errorf("error %v", err)
	}
}

package bsp

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/messages"
	"schedsweep/sim/workload"
)

func drawBSP(t *testing.T, change func(*Params), play player, replication uint64) ([]sim.JobSpec, error) {
	t.Helper()
	kind, _ := workload.Kinds.Get("bsp")
	p := kind.Params.(Params)
	change(&p)
	w, err := p.draw(workload.Input{Streams: sim.Streams{Root: 5, Replication: replication}}, play)
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

// least is the least that tasks on 4 + 4 + 4 take of their fullest link, as the test
// of messages has it by all ways to stand there.
func least(tasks int) float64 {
	best := math.Inf(1)
	for a := range 5 {
		for b := range 5 {
			worst, c := 0.0, tasks-a-b
			for _, n := range []int{a, b, c} {
				worst = max(worst, float64(n)*float64(tasks-n)/float64(tasks-1))
			}
			if c >= 0 && c <= 4 && max(a, b, c) < tasks {
				best = min(best, worst)
			}
		}
	}
	return best
}

// Sizes, mean and shares of each workload are as the parameters say, and seen over
// many workloads they fill their ranges.
func TestBSP(t *testing.T) {
	var shares, sizes, times []float64
	for r := range uint64(200) {
		jobs, err := drawBSP(t, func(*Params) {}, nil, r)
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
			shares = append(shares, j.Bandwidth*least(int(j.Procs))/125e6)
		}
		if !(math.Abs(sum/8-67e4) <= 1e-6) {
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
	plain, _ := drawBSP(t, func(*Params) {}, nil, 1)
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
	jobs, err := drawBSP(t, func(p *Params) { p.Favours = "sjf" }, play, 1)
	if err != nil || tried != 3 {
		t.Fatalf("%d draws, %v", tried, err)
	}
	if slices.EqualFunc(jobs, plain, func(a, b sim.JobSpec) bool { return a.Procs == b.Procs }) {
		t.Error("the third draw is the first")
	}
}

func TestMessagesAndBSPValidate(t *testing.T) {
	kind, _ := workload.Kinds.Get("bsp")
	p := kind.Params.(Params)
	p.Tasks = [2]float64{0, 3}
	p.Messages = messages.Params{Law: "link-share", Clusters: []messages.Cluster{{Processors: 1, Speed: 1}}}
	var got []string
	p.Validate(func(field, _ string) { got = append(got, field) })
	if want := "tasks messages.clusters"; strings.Join(got, " ") != want {
		t.Errorf("reported %v", got)
	}
	if _, err := drawBSP(t, func(p *Params) { p.Tasks = [2]float64{13, 13} }, nil, 0); err == nil ||
		!strings.Contains(err.Error(), "more than messages.clusters have together") {
		t.Errorf("error %v", err)
	}
}

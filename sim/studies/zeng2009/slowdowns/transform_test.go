package slowdowns

import (
	"math"
	"math/bits"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// zeng draws the study's jobs. change may turn them into the jobs that they are made of.
func zeng(t testing.TB, alpha float64, replication uint64, change func(*Params)) []sim.JobSpec {
	t.Helper()
	kind, _ := workload.Kinds.Get("lublin")
	p := kind.Params.(workload.LublinParams)
	p.Jobs, p.Mode, p.Alpha = 10000, "typeless", alpha
	bear := Defaults()
	bear.Law = "zeng2009"
	change(&bear)
	w, err := kind.New(&p, workload.Input{Streams: sim.Streams{Root: 9, Replication: replication}, Studies: []workload.Transform{&bear}})
	if err != nil {
		t.Fatal(err)
	}
	var out []sim.JobSpec
	src := w.Source()
	var j sim.JobSpec
	for {
		ok, err := src.Next(&j)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return out
		}
		out = append(out, j)
	}
}

func share(jobs []sim.JobSpec, is func(*sim.JobSpec) bool) float64 {
	n := 0.0
	for i := range jobs {
		if is(&jobs[i]) {
			n++
		}
	}
	return 100 * n / float64(len(jobs))
}

// TestWorkloadOfZeng compares 10 workloads of the study with table 5. The table has the shares of short (up to 10 min), medium
// (up to 3 h) and long jobs, and their shares of the work. Inter-arrival times and sizes are compared with the study's page.
func TestWorkloadOfZeng(t *testing.T) {
	const n = 10
	classes, work, gaps := [3]float64{}, [3]float64{}, [2]float64{}
	var serial, powers [3]float64 // before, after, after with integers
	same := func(*Params) {}
	for r := range uint64(n) {
		for i, alpha := range []float64{10.33, 9.83} {
			jobs := zeng(t, alpha, r, same)
			gaps[i] += (jobs[len(jobs)-1].Submit - jobs[0].Submit) / float64(len(jobs)-1) / n
		}
		for k, change := range []func(*Params){
			func(p *Params) { p.Law = "none" }, same,
			func(p *Params) { p.Rounding = "integer" },
		} {
			jobs := zeng(t, 10.33, r, change)
			serial[k] += share(jobs, func(j *sim.JobSpec) bool { return j.Procs == 1 }) / n
			powers[k] += share(jobs, func(j *sim.JobSpec) bool { return bits.OnesCount32(uint32(j.Procs)) == 1 }) / n
			if k > 0 {
				continue
			}
			total := 0.0
			var of [3]float64
			for i := range jobs {
				c := 0
				if jobs[i].RunTime > 600 {
					c = 1
				}
				if jobs[i].RunTime > 10800 {
					c = 2
				}
				classes[c] += 100 / float64(len(jobs)) / n
				of[c] += float64(jobs[i].Procs) * jobs[i].RunTime
				total += float64(jobs[i].Procs) * jobs[i].RunTime
			}
			for c := range of {
				work[c] += 100 * of[c] / total / n
			}
		}
	}
	t.Logf("classes %.1f, work %.1f, inter-arrivals %.1f s", classes, work, gaps)
	t.Logf("serial %.1f, powers of two %.1f: before, after, after with integers", serial, powers)
	for _, c := range []struct {
		name              string
		got, want, within float64
	}{
		{"short jobs", classes[0], 64, 2}, {"medium jobs", classes[1], 19.5, 2}, {"long jobs", classes[2], 16.5, 2},
		{"work of short jobs", work[0], .5, 2}, {"work of medium jobs", work[1], 26, 2}, {"work of long jobs", work[2], 73.5, 2},
		{"inter-arrival time of W1", gaps[0], 966.9, 40}, {"inter-arrival time of W2", gaps[1], 716.1, 30},
		{"serial jobs before", serial[0], 24, 1}, {"serial jobs after", serial[1], serial[0], 1e-9},
		{"powers of two after", powers[1], 87, 3}, {"powers of two before", powers[0], powers[1], 3},
		{"powers of two with integers", powers[2], 53, 3},
	} {
		if !(math.Abs(c.got-c.want) <= c.within) {
			t.Errorf("%s: %.2f, want %.2f within %g", c.name, c.got, c.want, c.within)
		}
	}
}

// TestSlowdownsDisturbNothing: the draws have a stream of their own, and sizes
// follow section 4.8.
func TestSlowdownsDisturbNothing(t *testing.T) {
	plain := zeng(t, 10.33, 1, func(p *Params) { p.Law = "none" })
	slow := zeng(t, 10.33, 1, func(p *Params) { p.Rounding = "integer" })
	kept := zeng(t, 10.33, 1, func(p *Params) { p.Sizes = false })
	for i := range plain {
		a, b, c := plain[i], slow[i], kept[i]
		if a.Traits != [3]uint64{} || b.Traits != c.Traits || b.Traits[2] == 0 {
			t.Fatalf("job %d: slowdowns %v, %v and %v", a.ID, a.Traits, b.Traits, c.Traits)
		}
		s := FromTraits(b.Traits)
		want := float64(a.Procs)
		switch {
		case a.Procs == 1 || s.Node > 1.12 && s.Core*s.Node > 1.25:
		case s.Core*s.Node <= 1.25:
			want = min(512, math.Round(want*4/s.Core/s.Node))
		default:
			want = min(256, math.Round(want*2/s.Node))
		}
		if float64(b.Procs) != want {
			t.Fatalf("job %d of %d processes with slowdowns %v gets %d, want %v", a.ID, a.Procs, s, b.Procs, want)
		}
		a.Traits, b.Traits, c.Traits = [3]uint64{}, [3]uint64{}, [3]uint64{}
		b.Procs = a.Procs
		if a != b || a != c {
			t.Fatalf("job %d is %+v without slowdowns, %+v with them and %+v with them at its size", i, a, b, c)
		}
	}
}

package workload_test

import (
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// offered returns the load of a pass over a workload: work / (last submission * procs).
func offered(t *testing.T, w workload.Workload, procs int) float64 {
	t.Helper()
	work, last := 0., 0.
	if _, err := workload.Each(w.Source(), func(_ int, j *sim.JobSpec) error {
		work, last = work+float64(j.Procs)*j.RunTime, j.Submit
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return work / last / float64(procs)
}

// TestExpectedLoad: the load that laws tell is that of long runs.
func TestExpectedLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("draws millions of jobs")
	}
	lublin := func(change func(p *workload.LublinParams)) func(t *testing.T) (workload.Workload, float64) {
		return func(t *testing.T) (workload.Workload, float64) {
			w := make1(t, "lublin", workload.Input{Streams: sim.Streams{Root: 1}, Procs: 100}, func(p *workload.LublinParams) {
				p.Jobs, p.OfferedLoad = 2_000_000, .7
				change(p)
			})
			return w, .7
		}
	}
	for name, make := range map[string]func(t *testing.T) (workload.Workload, float64){
		"typeless":     lublin(func(p *workload.LublinParams) { p.Mode = "typeless" }),
		"both":         lublin(func(*workload.LublinParams) {}),
		"other size":   lublin(func(p *workload.LublinParams) { p.MachineProcs = 100 }),
		"factors":      lublin(func(p *workload.LublinParams) { p.SizeFactor, p.RunTimeFactor, p.LoadFactor = .3, 2, 1 }),
		"short limits": lublin(func(p *workload.LublinParams) { p.LongestLog, p.LongestGapLog, p.Mode = 9, 7, "typeless" }),
		"integer time": lublin(func(p *workload.LublinParams) { p.IntegerTime = true }),
		"poisson": func(t *testing.T) (workload.Workload, float64) {
			return make1(t, "poisson", workload.Input{Streams: sim.Streams{Root: 1}, Procs: 100}, func(p *workload.PoissonParams) {
				p.Jobs, p.OfferedLoad, p.Clusters, p.SizeFactor = 500_000, .4, 2, .33
				p.PerCluster = []workload.PoissonCluster{{}, {MeanRunTime: 100, Processors: [2]float64{1, 7}}}
			}), .4
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, want := make(t)
			got := offered(t, w, 100)
			t.Logf("load %.4f", got)
			if !(math.Abs(got-want) <= .02*want) {
				t.Errorf("%.4f in a long run, want %.4f", got, want)
			}
		})
	}
}

// TestExpectedLoadScalesAllAlike: replications and runs of other lengths have one factor, so that their jobs come at the same
// times. If select or a study changes the jobs, the factor depends on the jobs taken.
func TestExpectedLoadScalesAllAlike(t *testing.T) {
	gaps := func(seed uint64, jobs int, change func(p *workload.LublinParams)) (scaled, drawn float64) {
		for i, load := range []float64{.7, 0} {
			w := make1(t, "lublin", workload.Input{Streams: sim.Streams{Root: seed}, Procs: 128}, func(p *workload.LublinParams) {
				p.Jobs, p.OfferedLoad = jobs, load
				change(p)
			})
			last := 0.
			if _, err := workload.Each(w.Source(), func(_ int, j *sim.JobSpec) error { last = j.Submit; return nil }); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				scaled = last
			} else {
				drawn = last
			}
		}
		return scaled, drawn
	}
	factor := func(seed uint64, jobs int, change func(p *workload.LublinParams)) float64 {
		scaled, drawn := gaps(seed, jobs, change)
		return scaled / drawn
	}
	same := func(*workload.LublinParams) {}
	want := factor(1, 1000, same)
	for _, got := range []float64{factor(2, 1000, same), factor(1, 100, same)} {
		if !(math.Abs(got/want-1) <= 1e-12) {
			t.Errorf("factors %g and %g", got, want)
		}
	}
	change := func(p *workload.LublinParams) { p.OfferedLoadOf = "selection" }
	if a, b := factor(1, 1000, change), factor(2, 1000, change); math.Abs(a/b-1) < 1e-3 {
		t.Errorf("both replications have the factor %g; each must have its own", a)
	}
}

// TestExpectedLoadOfAll: the laws do not tell the load of a part of the jobs.
func TestExpectedLoadOfAll(t *testing.T) {
	for name, change := range map[string]func(p *workload.LublinParams){
		"small jobs":  func(p *workload.LublinParams) { p.Select.MaxProcessors = 64 },
		"random jobs": func(p *workload.LublinParams) { p.Select.Jobs = 50 },
	} {
		for _, of := range []string{"model", "selection"} {
			_, err := tryMake(t, "lublin", workload.Input{Procs: 128}, func(p *workload.LublinParams) {
				p.Jobs, p.MachineProcs, p.OfferedLoad, p.OfferedLoadOf = 1000, 128, .5, of
				change(p)
			})
			if refused := err != nil && strings.Contains(err.Error(), "state offered_load_of: selection"); refused != (of == "model") {
				t.Errorf("%s, %s: error %v", name, of, err)
			}
		}
	}
}

// TestExpectedLoadNeedsLaws: a log has no laws.
func TestExpectedLoadNeedsLaws(t *testing.T) {
	_, err := tryMake(t, "list", workload.Input{Procs: 4}, func(p *workload.ListParams) {
		p.Jobs = []workload.ListedJob{{Submit: 0, RunTime: 1, Processors: 1}, {Submit: 9, RunTime: 1, Processors: 1}}
		p.OfferedLoad, p.OfferedLoadOf = .5, "model"
	})
	if err == nil || !strings.Contains(err.Error(), "use selection") {
		t.Errorf("error %v", err)
	}
}

package crosssite

import (
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// TestCrossSite: the portion of jobs crosses sites, on as many sites as the bounds say. Nothing else about jobs changes but that
// each has a processor a site. 4 standard errors are allowed.
func TestCrossSite(t *testing.T) {
	of := func(jobs int, sizes [2]float64, c Params) (all []sim.JobSpec) {
		kind, _ := workload.Kinds.Get("poisson")
		p := kind.Params.(workload.PoissonParams)
		p.Jobs, p.Processors = jobs, sizes
		w, err := kind.New(&p, workload.Input{Streams: sim.Streams{Root: 3}, Studies: []workload.Transform{&c}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := workload.Each(w.Source(), func(_ int, j *sim.JobSpec) error { all = append(all, *j); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	sizes := [2]float64{10, 90}
	plain, some := of(10000, sizes, Params{Sites: [2]float64{2, 4}}), of(10000, sizes, Params{Portion: .2, Sites: [2]float64{2, 4}})
	count := map[int32]float64{}
	for i, j := range some {
		count[j.Sites]++
		if j.Sites = 0; j != plain[i] {
			t.Fatalf("job %d is %+v, without crossing %+v", i, j, plain[i])
		}
	}
	for sites, want := range map[int32]float64{0: .8, 2: .2 / 3, 3: .2 / 3, 4: .2 / 3} {
		if got := count[sites] / 10000; !(math.Abs(got-want) <= 4*math.Sqrt(want*(1-want)/10000)) {
			t.Errorf("%g of the jobs have sites %d, not %g", got, sites, want)
		}
	}
	for _, j := range of(100, [2]float64{1, 1}, Params{Portion: .5, Sites: [2]float64{3, 3}}) {
		if j.Procs != max(1, j.Sites) {
			t.Fatalf("%d processors on %d sites", j.Procs, j.Sites)
		}
	}
	said := ""
	(&Params{Sites: [2]float64{1, 4}}).Validate(func(field, message string) { said += field + ": " + message })
	if want := "sites: is [1, 4]"; !strings.Contains(said, want) {
		t.Errorf("%q does not say %s", said, want)
	}
}

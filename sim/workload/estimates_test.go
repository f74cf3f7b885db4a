package workload_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

func TestEstimates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		f := rapid.Float64Range(1, 10).Draw(t, "factor")
		for _, model := range []string{"as-is", "exact", "factor", "uniform", "tsafrir"} {
			got := transformed(t, jobs, seed(3), func(tr *workload.Transforms) {
				tr.Estimates.Model, tr.Estimates.Factor = model, f
			})
			for i, j := range got {
				was := jobs[i]
				ok := false
				switch model {
				case "as-is":
					ok = j.Walltime == was.Walltime
				case "exact":
					ok = j.Walltime == j.RunTime
				case "factor":
					ok = j.Walltime == j.RunTime*f
				case "uniform", "tsafrir":
					ok = j.Walltime >= j.RunTime && (model == "tsafrir" || j.Walltime <= j.RunTime*f)
				}
				if was.RunTime == 0 && model != "as-is" && model != "tsafrir" {
					ok = j.Walltime == 1e-3
				}
				was.Walltime = j.Walltime
				if !ok || was != j {
					t.Fatalf("%s: %+v became %+v", model, jobs[i], j)
				}
			}
		}
	})
}

// TestUniformEstimates checks that the accuracy's inverse is uniform in [1, f].
func TestUniformEstimates(t *testing.T) {
	w := make1(t, "lublin", seed(1), func(p *workload.LublinParams) {
		p.Jobs, p.Estimates.Model, p.Estimates.Factor = 20_000, "uniform", 5
	})
	var got, want []float64
	for i, j := range drain(t, w.Source()) {
		got = append(got, j.Walltime/j.RunTime)
		want = append(want, 1+4*(float64(i)+.5)/20_000)
	}
	if d, p := kolmogorovSmirnov(got, want); p < .01 {
		t.Errorf("not uniform: D = %g, p = %g", d, p)
	}
}

// TestTsafrir checks the shape that the paper states: modes, their share, the
// longest estimate's, and the number of values.
func TestTsafrir(t *testing.T) {
	const n = 50_000
	w := make1(t, "lublin", seed(1), func(p *workload.LublinParams) {
		p.Jobs, p.Estimates.Model, p.Estimates.Tsafrir.Longest = n, "tsafrir", 259200
	})
	count := map[float64]int{}
	accurate := 0.0
	for _, j := range drain(t, w.Source()) {
		count[j.Walltime]++
		accurate += j.RunTime / j.Walltime / n
		if math.Mod(j.Walltime, 60) != 0 {
			t.Fatalf("walltime %g is no whole minute", j.Walltime)
		}
	}
	var shares []float64
	for _, c := range count {
		shares = append(shares, float64(c)/n)
	}
	slices.SortFunc(shares, func(a, b float64) int { return cmp.Compare(b, a) })
	head := 0.0
	for _, s := range shares[:20] {
		head += s
	}
	t.Logf("%d values, the 20 most popular serve %.1f %%, the longest %.1f %%, mean accuracy %.2f", len(count), 100*head,
		100*float64(count[259200])/n, accurate)
	if !(math.Abs(head-.89) <= .005) {
		t.Errorf("20 values serve %.3f of the jobs, not .89", head)
	}
	if got := float64(count[259200]) / n; !(math.Abs(got-.1) <= .001) {
		t.Errorf("the longest estimate serves %.4f of the jobs, not .1", got)
	}
	// 1.1 * sqrt(50,000) is 246; some of the rarest values may have no job.
	if len(count) < 150 || len(count) > 246 {
		t.Errorf("there are %d values, not about 246", len(count))
	}
}

func TestTsafrirErrors(t *testing.T) {
	tr := workload.DefaultTransforms()
	tr.Estimates.Model, tr.Estimates.Tsafrir.Longest = "tsafrir", 3600
	jobs := []sim.JobSpec{{ID: 1, RunTime: 7200, Walltime: 1, Procs: 1}}
	_, err := workload.FromJobs("test", jobs, tr, seed(1))
	if want := "a job runs 7200 s, longer than the longest estimate, 3600 s; raise estimates.tsafrir.longest"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v lacks %q", err, want)
	}
}

// TestTsafrirExtremes makes sure that odd constants still give every job a
// walltime that it can run in.
func TestTsafrirExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := anyJobs(t)
		got := transformed(t, jobs, seed(rapid.Uint64().Draw(t, "seed")), func(tr *workload.Transforms) {
			e := &tr.Estimates
			e.Model = "tsafrir"
			e.Tsafrir.Longest = rapid.SampledFrom([]float64{0, 5000, 5001, 1e6}).Draw(t, "longest")
			e.Tsafrir.HeadValues = rapid.IntRange(1, 30).Draw(t, "head")
			e.Tsafrir.HeadShare = rapid.Float64Range(0, 1).Draw(t, "share")
			e.Tsafrir.LongestShare = e.Tsafrir.HeadShare * rapid.Float64Range(0, 1).Draw(t, "part")
			e.Tsafrir.CountFactor = rapid.Float64Range(.1, 50).Draw(t, "count")
			e.Tsafrir.Granularity = rapid.SampledFrom([]float64{1, 60, 1e5}).Draw(t, "granularity")
		})
		for _, j := range got {
			if !(j.Walltime >= j.RunTime && j.Walltime > 0) || math.IsInf(j.Walltime, 0) {
				t.Fatalf("job %+v cannot run in its walltime", j)
			}
		}
	})
}

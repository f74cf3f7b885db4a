package workload_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// TestOracleLublin compares the model with logs that the authors' own program
// made: equal in law by two-sample Kolmogorov-Smirnov tests on size, run time
// and inter-arrival, not rejected at 1 %.
func TestOracleLublin(t *testing.T) {
	files := simtest.Oracles(t, "lublin", "*.swf.gz")
	for _, f := range files {
		mode := ""
		for _, m := range []struct{ part, mode string }{{"both", "both"}, {"typeless", "typeless"}, {"batchonly", "batch"}, {"interactiveonly", "interactive"}} {
			if strings.Contains(filepath.Base(f), m.part) {
				mode = m.mode
			}
		}
		if mode == "" {
			t.Fatalf("the name %s names no mode", f)
		}
		l := readLog(t, f, swf.Options{})
		want := make([]sim.JobSpec, len(l.Records))
		for i := range l.Records {
			r := &l.Records[i]
			want[i] = sim.JobSpec{Submit: r.Submit, RunTime: r.RunTime, Procs: r.Allocated}
		}
		// Inter-arrivals are whole seconds in the authors' program.
		got := drain(t, make1(t, "lublin", seed(1), func(p *workload.LublinParams) {
			p.Jobs, p.Mode, p.IntegerTime = 100_000, mode, true
		}).Source())
		for _, q := range []struct {
			name string
			of   func([]sim.JobSpec) []float64
		}{{"size", sizes}, {"run time", runTimes}, {"inter-arrival", gaps}} {
			d, p := kolmogorovSmirnov(q.of(want), q.of(got))
			t.Logf("%s %s: D = %.4f, p = %.3f", filepath.Base(f), q.name, d, p)
			if p < .01 {
				t.Errorf("%s: %s differs in law: D = %.4f, p = %.4f", f, q.name, d, p)
			}
		}
	}
	t.Logf("compared %d files of 10,000 jobs with 100,000 jobs each", len(files))
}

func sizes(jobs []sim.JobSpec) (v []float64) {
	for i := range jobs {
		v = append(v, float64(jobs[i].Procs))
	}
	return v
}

func runTimes(jobs []sim.JobSpec) (v []float64) {
	for i := range jobs {
		v = append(v, jobs[i].RunTime)
	}
	return v
}

func gaps(jobs []sim.JobSpec) (v []float64) {
	for i := 1; i < len(jobs); i++ {
		v = append(v, jobs[i].Submit-jobs[i-1].Submit)
	}
	return v
}

// kolmogorovSmirnov is the two-sample test with the asymptotic p-value of
// W. H. Press et al., Numerical Recipes, section 14.3. Ties make it conservative.
func kolmogorovSmirnov(a, b []float64) (d, p float64) {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	for i, k := 0, 0; i < len(a) && k < len(b); {
		x := min(a[i], b[k])
		for i < len(a) && a[i] == x {
			i++
		}
		for k < len(b) && b[k] == x {
			k++
		}
		d = max(d, math.Abs(float64(i)/float64(len(a))-float64(k)/float64(len(b))))
	}
	n := math.Sqrt(float64(len(a)) * float64(len(b)) / float64(len(a)+len(b)))
	l := (n + .12 + .11/n) * d
	sign := 2.0
	for j := 1.0; j <= 100; j++ {
		p += sign * math.Exp(-2*l*l*j*j)
		sign = -sign
	}
	return d, min(max(p, 0), 1)
}

// TestKolmogorovSmirnov makes sure that the test can reject: shifted samples do,
// samples of one law do not.
func TestKolmogorovSmirnov(t *testing.T) {
	r := sim.Streams{Root: 3}.New("ks")
	var a, b, c []float64
	for range 10_000 {
		a, b, c = append(a, r.NormFloat64()), append(b, r.NormFloat64()), append(c, r.NormFloat64()+.1)
	}
	if _, p := kolmogorovSmirnov(a, b); p < .01 {
		t.Errorf("one law is rejected with p = %g", p)
	}
	if _, p := kolmogorovSmirnov(a, c); p > .01 {
		t.Errorf("a shift by .1 is not rejected, p = %g", p)
	}
}

// TestOracleLublinWeights compares the daily cycles with those of the authors'
// program, printed with 6 decimals.
func TestOracleLublinWeights(t *testing.T) {
	data, err := os.ReadFile(simtest.Oracles(t, "lublin", "weights.txt")[0])
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]workload.LublinType{"typeless": workload.LublinTypeless, "batch": workload.LublinBatch, "interactive": workload.LublinInteractive}
	compared := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 49 {
			t.Fatalf("a line has %d fields, not a name and 48 weights", len(f))
		}
		ty, ok := types[f[0]]
		if !ok {
			t.Fatalf("unknown type %q", f[0])
		}
		w, err := workload.DailyCycle(ty.ANum, ty.BNum, 11)
		if err != nil {
			t.Fatal(err)
		}
		for i := range w {
			want, err := strconv.ParseFloat(f[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(w[i]-want) > 1e-6 {
				t.Errorf("%s: weight %d is %.7f, the program says %.6f", f[0], i, w[i], want)
			}
			compared++
		}
	}
	if compared != 3*48 {
		t.Errorf("compared %d weights, not 3 * 48", compared)
	}
	t.Logf("compared %d weights", compared)
}

// TestLublinDay compares how the first 2,000 jobs spread over the hours of the
// day, before the authors' program drifts: its shares must lie within the spread
// of ours over 200 seeds.
func TestLublinDay(t *testing.T) {
	const jobs, parts, seeds = 2000, 8, 200
	part := func(s float64) int { return int(math.Mod(s, 86400) / (86400 / parts)) }
	for mode, pattern := range map[string]string{"typeless": "*typeless*.swf.gz", "both": "*both*.swf.gz", "batch": "*batchonly*.swf.gz"} {
		var sum, squares [parts]float64
		for s := range uint64(seeds) {
			var share [parts]float64
			w := make1(t, "lublin", seed(s), func(p *workload.LublinParams) { p.Jobs, p.Mode = jobs, mode })
			for _, j := range drain(t, w.Source()) {
				share[part(j.Submit)] += 1. / jobs
			}
			for i, x := range share {
				sum[i] += x / seeds
				squares[i] += x * x / seeds
			}
		}
		for _, f := range simtest.Oracles(t, "lublin", pattern) {
			l := readLog(t, f, swf.Options{})
			var want [parts]float64
			for i := range l.Records[:jobs] {
				want[part(l.Records[i].Submit)] += 1. / jobs
			}
			var z [parts]float64
			for i := range want {
				z[i] = (want[i] - sum[i]) / math.Sqrt(squares[i]-sum[i]*sum[i])
				// 3.2 standard deviations: 1 % for eight shares together.
				if math.Abs(z[i]) > 3.2 {
					t.Errorf("%s: part %d of the day: share %.3f, ours are %.3f on the average", f, i, want[i], sum[i])
				}
			}
			t.Logf("%s: program %.3f, ours %.3f, deviations %.1f", mode, want, sum, z)
		}
	}
}

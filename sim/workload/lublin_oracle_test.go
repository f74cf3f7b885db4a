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
)

// TestOracleLublin compares the model with logs of the authors' own program, for any seeds. Sizes and run times must be equal in
// law by type. They are independent given the type, so a Kolmogorov-Smirnov test compares them. The test of inter-arrivals
// allows for their dependence. Mode both also compares the share of interactive jobs. Chance rejects each once in 10,000 times.
func TestOracleLublin(t *testing.T) {
	files := simtest.Oracles(t, "lublin", "*.swf.gz")
	dependent := map[string]arrivals{}
	for _, f := range files {
		mode := ""
		for _, m := range []struct {
			part, mode string
		}{{"both", "both"}, {"typeless", "typeless"}, {"batchonly", "batch"}, {"interactiveonly", "interactive"}} {
			if strings.Contains(filepath.Base(f), m.part) {
				mode = m.mode
			}
		}
		if mode == "" {
			t.Fatalf("the name %s names no mode", f)
		}
		l := readLog(t, f)
		byType := map[string][]sim.JobSpec{}
		records := l.Records()
		for i := range records {
			r := &records[i]
			of := mode
			if mode == "both" {
				if of = map[int32]string{0: "interactive", 1: "batch"}[r.Queue]; of == "" {
					t.Fatalf("%s:%d: field 15 is %d, want 0 (interactive) or 1 (batch)", f, r.Line, r.Queue)
				}
			}
			byType[of] = append(byType[of], sim.JobSpec{Submit: r.Submit, RunTime: r.RunTime, Procs: r.Allocated})
		}
		if mode == "both" {
			share := float64(len(byType["interactive"])) / float64(len(records))
			mean, sd := interactiveShare(t, len(records))
			if z := (share - mean) / sd; !(math.Abs(z) <= 4) {
				t.Errorf("%s: a share of %.3f jobs is interactive, %.1f standard deviations from our %.3f", f, share, z, mean)
			}
		}
		for of, want := range byType {
			got := lublin(t, 1, of, 100_000, nil)
			for _, q := range []struct {
				name string
				of   func([]sim.JobSpec) []float64
			}{{"size", sizes}, {"run time", runTimes}} {
				d, p := kolmogorovSmirnov(q.of(want), q.of(got))
				t.Logf("%s, %d %s: %s: D = %.4f, p = %.3f", filepath.Base(f), len(want), of, q.name, d, p)
				if p < 1e-4 {
					t.Errorf("%s: %s of %s jobs differs in law: D = %.4f, p = %.2g", f, q.name, of, d, p)
				}
			}
			key := of + strconv.Itoa(len(want))
			if _, ok := dependent[key]; !ok {
				dependent[key] = arrivalsOf(t, of, len(want), 1000)
			}
			z := dependent[key].deviation(gaps(want))
			t.Logf("%s, %d %s: inter-arrival: %.2f standard deviations", filepath.Base(f), len(want), of, z)
			if z > mostDeviation {
				t.Errorf("%s: inter-arrivals of %s jobs differ in law: %.1f standard deviations", f, of, z)
			}
		}
	}
	t.Logf("compared %d files", len(files))
}

// lublin makes jobs in whole seconds, as the authors' program does.
func lublin(t *testing.T, root uint64, mode string, jobs int, change func(*workload.LublinParams)) []sim.JobSpec {
	t.Helper()
	return drain(t, make1(t, "lublin", seed(root), func(p *workload.LublinParams) {
		p.Jobs, p.Mode, p.IntegerTime = jobs, mode, true
		if change != nil {
			change(p)
		}
	}).Source())
}

// interactiveShare is the mean share of interactive jobs among the first ones in
// mode both and its standard deviation from seed to seed. The types arrive in
// streams of their own, which are those of the modes of one type.
func interactiveShare(t *testing.T, jobs int) (mean, sd float64) {
	const seeds = 60
	var sum, squares float64
	for root := range uint64(seeds) {
		interactive, batch := lublin(t, root, "interactive", jobs, nil), lublin(t, root, "batch", jobs, nil)
		n := 0
		for k := range jobs {
			if interactive[n].Submit <= batch[k-n].Submit {
				n++
			}
		}
		share := float64(n) / float64(jobs)
		sum, squares = sum+share/seeds, squares+share*share/seeds
	}
	return sum, math.Sqrt((squares - sum*sum) * seeds / (seeds - 1))
}

// arrivals compares the inter-arrivals of a log with those of the model. Half-hours of the day and gaps that skip some make
// neighbours dependent. The distance D of Kolmogorov and Smirnov between two logs of the model is then larger than between
// independent draws. Seeds of our own measure D between the law and logs of this length.
type arrivals struct {
	law      []float64 // gaps of many seeds
	mean, sd float64   // of the logarithm of D
}

// mostDeviation is passed by chance once in 10,000 times, for the logarithm of D
// is about normal: its 0.9999 quantile is 3.72 (R: qnorm), and one more part in 20
// for the mean and deviation that are estimated from 100 seeds (R: qt(.9999, 99)).
const mostDeviation = 3.87

func arrivalsOf(t *testing.T, mode string, jobs int, root uint64) arrivals {
	const seeds, pooled = 100, 200_000
	var a arrivals
	for i := uint64(0); len(a.law) < pooled; i++ {
		a.law = append(a.law, gaps(lublin(t, root+seeds+i, mode, jobs, nil))...)
	}
	slices.Sort(a.law)
	var sum, squares float64
	for i := range uint64(seeds) {
		x := a.distance(gaps(lublin(t, root+i, mode, jobs, nil)))
		sum, squares = sum+x/seeds, squares+x*x/seeds
	}
	a.mean, a.sd = sum, math.Sqrt((squares-sum*sum)*seeds/(seeds-1))
	return a
}

// distance is the logarithm of D between a log's gaps and the law.
func (a *arrivals) distance(gaps []float64) float64 {
	d, _ := kolmogorovSmirnov(gaps, a.law)
	return math.Log(d)
}

func (a arrivals) deviation(gaps []float64) float64 {
	return (a.distance(gaps) - a.mean) / a.sd
}

// The tests hold their level on seeds of our own, where the test of independent
// draws rejects inter-arrivals too often, and find constants that are wrong by a
// few percent.
func TestLevelAndPowerOfTheLublinTests(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	const jobs = 4000
	logs := simtest.Cases(60, 200)
	for mode, wrong := range map[string]func(*workload.LublinParams){
		"interactive": func(p *workload.LublinParams) { p.Interactive.AArr *= 1.1 },
		"batch":       func(p *workload.LublinParams) { p.Batch.AArr *= 1.1 },
	} {
		a := arrivalsOf(t, mode, jobs, 5000)
		reference := lublin(t, 4999, mode, 100_000, nil)
		lawOfGaps, lawOfSizes, lawOfRuns := inOrder(gaps(reference)), inOrder(sizes(reference)), inOrder(runTimes(reference))
		passed, one, independent, sizesOut, runsOut, found := 0, 0, 0, 0, 0, 0
		for i := range uint64(logs) {
			log := lublin(t, 7000+i, mode, jobs, nil)
			z := a.deviation(gaps(log))
			if z > mostDeviation {
				passed++
			}
			if z > 2.36 { // R: qt(.99, 99)
				one++
			}
			for _, q := range []struct {
				count   *int
				of, law []float64
			}{{&independent, gaps(log), lawOfGaps}, {&sizesOut, sizes(log), lawOfSizes}, {&runsOut, runTimes(log), lawOfRuns}} {
				if _, p := kolmogorovSmirnov(q.of, q.law); p < .01 {
					*q.count++
				}
			}
			if i < 20 && a.deviation(gaps(lublin(t, 7000+i, mode, jobs, wrong))) > mostDeviation {
				found++
			}
		}
		t.Logf("%s: of %d logs of the model the test rejects %d at 0.01 %% and %d at 1 %%, one of independent draws %d at 1 %%; sizes %d, run "+
			"times %d; of 20 with a wrong constant %d", mode, logs, passed, one, independent, sizesOut, runsOut, found)
		// By chance 2 of 200 are rejected at 1 %, and more than 7 once in 1000 times.
		if passed > 0 || one > 7 || sizesOut > 7 || runsOut > 7 || found < 18 {
			t.Errorf("%s: level or power is wrong", mode)
		}
	}
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
	a, b = inOrder(a), inOrder(b)
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

// inOrder spares what many logs are compared with from being sorted for each.
func inOrder(v []float64) []float64 {
	if slices.IsSorted(v) {
		return v
	}
	return slices.Sorted(slices.Values(v))
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
	types := map[string]workload.LublinType{"typeless": workload.LublinTypeless, "batch": workload.LublinBatch,
		"interactive": workload.LublinInteractive}
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
			if !(math.Abs(w[i]-want) <= 1e-6) {
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
			l := readLog(t, f)
			var want [parts]float64
			for _, r := range l.Records()[:jobs] {
				want[part(r.Submit)] += 1. / jobs
			}
			var z [parts]float64
			for i := range want {
				z[i] = (want[i] - sum[i]) / math.Sqrt(squares[i]-sum[i]*sum[i])
				// 4 standard deviations: one file in 2,000, for eight shares together.
				if !(math.Abs(z[i]) <= 4) {
					t.Errorf("%s: part %d of the day: share %.3f, ours are %.3f on the average", f, i, want[i], sum[i])
				}
			}
			t.Logf("%s: program %.3f, ours %.3f, deviations %.1f", mode, want, sum, z)
		}
	}
}

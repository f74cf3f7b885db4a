package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func TestTwoRuns(t *testing.T) {
	y := func(gap float64) func(string, float64, int) float64 {
		return func(p string, l float64, r int) float64 {
			return map[string]float64{"fcfs": gap, "easy": 1}[p] * (10 + noise("", l, r))
		}
	}
	own, other := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 6, y(1.5), zero),
		grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 9, y(1.2), zero)
	other.Name = "other"
	here := study.Statistic{Kind: "ratio", Metric: "y", Of: policy("fcfs"), To: policy("easy")}
	there := here
	there.Of, there.To = policy("fcfs"), policy("easy")
	there.Of.Run, there.To.Run = "other", "other"
	r := evaluate(t, own, study.Claim{Statistic: study.Statistic{Kind: "ratio", Parts: []study.Statistic{here, there}}, Expect: positive},
		other)
	near(t, "ratio of ratios", r.Parts[0].Estimate, 1.25)
	if r.Verdict != Holds || r.Parts[0].Replications != 6 || r.Counts != (frame.Counts{Planned: frame.Exactly(24 + 54), OK: 24 + 54}) {
		t.Errorf("%+v", r)
	}
	// Means of two runs: Welch's standard error.
	c := study.Claim{Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(where("policy", "fcfs"), where("load", 1.0)),
		To: &study.Selection{Run: "other", Terms: []study.Term{where("policy", "fcfs"), where("load", 1.0)}}}}
	p := evaluate(t, own, c, other).Parts[0]
	variance := func(f *frame.Frame, n int) float64 {
		s := stats.NewSample(slices.Clone(f.Column("y").Numbers[:n]))
		return s.SD() * s.SD() / float64(n)
	}
	va, vb := variance(own.Frame, 6), variance(other.Frame, 9)
	df := int((va + vb) * (va + vb) / (va*va/5 + vb*vb/8))
	if reach := stats.TQuantile(0.95, df) * math.Sqrt(va+vb); p.Low > p.Estimate-reach+1e-9 || p.High < p.Estimate+reach-1e-9 {
		t.Errorf("interval %v, Welch's half-width %v", p.Interval, reach)
	}
}

func TestPairsAcrossRuns(t *testing.T) {
	// The runs share their workloads: the difference is 2 in every replication, while replications differ by hundreds. The
	// other run has more replications.
	y := func(more float64) func(string, float64, int) float64 {
		return func(_ string, l float64, r int) float64 { return more + 100*float64(r*r%7) + noise("", more, r) }
	}
	own, other := grid(t, []string{"p"}, []float64{1, 2}, 6, y(2), zero), grid(t, []string{"p"}, []float64{1, 2}, 9, y(0), zero)
	other.Name = "other"
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(),
		To: &study.Selection{Run: "other"}}}
	if r := evaluate(t, own, c, other); r.Verdict != CannotTell {
		t.Errorf("unpaired: %s, %v", r.Verdict, r.Parts[0].Interval)
	}
	c.Paired = true
	r := evaluate(t, own, c, other)
	var d []float64
	for i := range 6 {
		d = append(d, own.Frame.Column("y").Numbers[i]-other.Frame.Column("y").Numbers[i])
	}
	want := stats.NewSample(d).Estimate().Interval(0.95)
	near(t, "difference", r.Parts[0].Estimate, want.Estimate)
	if p := r.Parts[0]; r.Verdict != Holds || p.Replications != 6 || !(math.Abs(p.Low-want.Low) <= 1e-9) || len(p.Remarks) != 1 ||
		!strings.Contains(p.Remarks[0], "3 of 9 replications are incomplete or without a partner") {
		t.Errorf("paired: %+v, want %v", r, want)
	}
}

// TestLooksOfRuns: a claim is decided at the confidence of one look of each run that it reads, be it the claims' own or another.
func TestLooksOfRuns(t *testing.T) {
	y := func(p string, l float64, r int) float64 { return noise(p, l, r) }
	own, other := grid(t, []string{"p"}, []float64{1, 2}, 6, y, zero), grid(t, []string{"p"}, []float64{1, 2}, 9, y, zero)
	other.Name = "other"
	there := study.Selection{Run: "other"}
	for _, c := range []struct {
		own, other int
		of, to     *study.Selection
		want       string
	}{
		{1, 4, of(), &there, "decided by the interval of 98.8%, because there are 4 looks"},
		{2, 4, of(), &there, "decided by the interval of 99.4%, because there are 2 x 4 looks"},
		{2, 1, of(), &there, "decided by the interval of 97.5%, because there are 2 looks"},
		{2, 1, &there, &there, ""},
		{0, 1, of(), &there, ""},
	} {
		own.Design.Looks, other.Design.Looks = make([]int, c.own), make([]int, c.other)
		p := evaluate(t, own, study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: c.of, To: c.to}},
			other).Parts[0]
		if said := strings.Join(p.Remarks, "; "); !strings.HasPrefix(said, c.want) || c.want == "" && strings.Contains(said, "looks") {
			t.Errorf("looks of %d and %d: %q, want %q", c.own, c.other, said, c.want)
		}
	}
}

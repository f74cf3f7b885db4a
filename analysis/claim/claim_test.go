package claim

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

func region(low, high float64) study.Region { return study.Region{Given: true, Low: low, High: high} }

var positive = study.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: true}

func evaluate(t testing.TB, run *frame.Run, c study.Claim, others ...*frame.Run) Result {
	t.Helper()
	more := map[string]*frame.Run{}
	for _, r := range others {
		more[r.Name] = r
	}
	return Evaluate([]study.Claim{c}, run, more)[0]
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-10*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// linear is b*load + a with a for each policy and a residual of +-1 that sums to 0 in every replication and has no slope.
func TestPermutationChangesNothing(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 4, func(p string, l float64, r int) float64 {
		return l*float64(len(p)) - float64(p[0])/30 + noise(p, l+float64(p[0]), r)/7
	}, func(p string, l float64, r int) float64 { return l + noise(p, l, r)/3 })
	both := study.Statistic{Metric: "y", X: "z", By: "load", As: "difference", Is: "lower", Of: policy("fcfs"),
		To: policy("easy")}
	var claims []study.Claim
	for _, kind := range []string{"difference", "ratio", "improvement", "slope", "spread", "crossing", "share"} {
		s := both
		s.Kind = kind
		claims = append(claims, study.Claim{ID: kind, Statistic: s, Expect: positive, Across: map[bool][]string{true: {"load"}}[kind == "ratio"]})
	}
	claims = append(claims, study.Claim{
		Statistic: study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Values: where("", "easy", "fcfs").Values,
			Of: of()}, Across: []string{"load"}})
	text := func(r *frame.Run) string {
		var b strings.Builder
		for _, tb := range Tables(r.Design, Evaluate(claims, r, nil)) {
			if err := tb.WriteCSV(&b); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	want := text(run)
	if strings.Contains(want, "NaN") || !strings.Contains(want, "crossing") {
		t.Fatalf("the claims give nothing:\n%s", want)
	}
	rapid.Check(t, func(rt *rapid.T) {
		again := *run
		again.Frame = frameOf(t, run.Frame, rapid.Permutation(ints(run.Frame.Rows)).Draw(rt, "order"))
		if got := text(&again); got != want {
			rt.Fatalf("another order of the rows changes\n%s\ninto\n%s", want, got)
		}
	})
}

func TestScaling(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(rt, "power"))
		y := func(k float64) func(string, float64, int) float64 {
			return func(p string, l float64, r int) float64 { return k * (float64(len(p)) + l + noise(p, l, r)) }
		}
		a, b := grid(t, []string{"fcfs", "sjf"}, []float64{0, 1, 2}, 4, y(1), zero),
			grid(t, []string{"fcfs", "sjf"}, []float64{0, 1, 2}, 4, y(scale), zero)
		for kind, factor := range map[string]float64{"difference": scale, "slope": scale, "spread": 1, "ratio": 1, "improvement": 1} {
			as := map[string]string{"slope": "difference", "spread": "ratio"}[kind]
			c := study.Claim{Statistic: study.Statistic{Kind: kind, As: as, Metric: "y", X: "load", Of: policy("fcfs"), To: policy("sjf")}}
			p, q := evaluate(t, a, c).Parts[0], evaluate(t, b, c).Parts[0]
			if q.Estimate != p.Estimate*factor || q.Low != p.Low*factor || q.High != p.High*factor {
				rt.Fatalf("%s: %v becomes %v when the metric is scaled by %v", kind, p.Interval, q.Interval, scale)
			}
		}
	})
}

// BenchmarkClaims: a claim across 20 values of 4,000 instances and one pooled slope; target: below 50 ms.
func BenchmarkClaims(b *testing.B) {
	loads := make([]float64, 40)
	for i := range loads {
		loads[i] = float64(i)
	}
	run := grid(b, []string{"a", "b", "c", "d", "e"}, loads, 20, func(p string, l float64, r int) float64 {
		return float64(p[0]) + l*noise(p, l, r)
	}, zero)
	claims := []study.Claim{
		{Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("a"), To: policy("b")}, Across: []string{"load"},
			Expect: positive},
		{Statistic: study.Statistic{Kind: "slope", Metric: "y", X: "load", As: "ratio", Of: policy("a"), To: policy("b")}, Expect: positive},
	}
	b.ReportAllocs()
	for b.Loop() {
		Evaluate(claims, run, nil)
	}
}

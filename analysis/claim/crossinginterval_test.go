package claim

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// crossed evaluates the crossing of fcfs and easy over loads 0, 1, ... of the heights given by load and replication; easy is 0.
func crossed(t testing.TB, gaps [][]float64) Part {
	loads := make([]float64, len(gaps))
	for i := range loads {
		loads[i] = float64(i)
	}
	run := grid(t, []string{"fcfs", "easy"}, loads, len(gaps[0]), func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 0
		}
		return gaps[int(l)][r]
	}, zero)
	s := study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Of: policy("fcfs"), To: policy("easy")}
	return evaluate(t, run, study.Claim{Statistic: s}).Parts[0]
}

// Between two loads the gap at x is (1-x) a + x b. The paired t-test accepts 0 where the square of its mean is at most
// t^2/n times its variance. That is a parabola in x, whose roots are the ends of the interval. The jackknife has other ends.
func TestCrossingsEndsAreTheParabolas(t *testing.T) {
	bounded, free := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(4, 12).Draw(rt, "n")
		noise := rapid.SampledFrom([]float64{0.1, 0.5, 1.5, 4, 4}).Draw(rt, "noise")
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			// Some spread there always is: the roots of a parabola without any cancel.
			a[i] = -1 + noise*(0.5*math.Sin(float64(i))+rapid.Float64Range(-1, 1).Draw(rt, "a"))
			b[i] = 2 + noise*(0.5*math.Cos(float64(2*i))+rapid.Float64Range(-1, 1).Draw(rt, "b"))
		}
		p := crossed(t, [][]float64{a, b})
		if p.Reason != "" {
			return // single runs may not cross
		}
		ma, mb := stats.NewSample(a).Mean(), stats.NewSample(b).Mean()
		var vaa, vab, vbb float64
		for i := range n {
			vaa += (a[i] - ma) * (a[i] - ma)
			vab += (a[i] - ma) * (b[i] - mb)
			vbb += (b[i] - mb) * (b[i] - mb)
		}
		q := stats.TQuantile(0.95, n-1)
		k := q * q / float64(n*(n-1))
		f := func(x float64) float64 {
			m, v := (1-x)*ma+x*mb, (1-x)*(1-x)*vaa+2*x*(1-x)*vab+x*x*vbb
			return m*m - k*v
		}
		// f(x) = c0 + c1 x + c2 x^2 through three points.
		c0, c2 := f(0), 2*f(0)-4*f(0.5)+2*f(1)
		c1 := f(1) - c0 - c2
		low, high := math.Inf(-1), math.Inf(1)
		if root := c1*c1 - 4*c2*c0; root > 0 {
			for _, x := range []float64{(-c1 - math.Sqrt(root)) / (2 * c2), (-c1 + math.Sqrt(root)) / (2 * c2)} {
				if x > 0 && x < p.Estimate {
					low = x
				}
				if x < 1 && x > p.Estimate {
					high = x
				}
			}
		}
		// Equality that is accepted at an end of the known range may go on beyond it, also on the far side of a stretch
		// that is not accepted: the interval is the hull.
		if f(0) <= 0 {
			low = math.Inf(-1)
		}
		if f(1) <= 0 {
			high = math.Inf(1)
		}
		for _, ends := range [][2]float64{{p.Low, low}, {p.High, high}} {
			if ends[0] != ends[1] && !(math.Abs(ends[0]-ends[1]) < 1e-7) {
				rt.Fatalf("interval %v, the parabola's ends %g and %g", p.Interval, low, high)
			}
			if math.IsInf(ends[0], 0) {
				free++
			} else {
				bounded++
			}
		}
	})
	t.Logf("%d bounded ends, %d unbounded", bounded, free)
	if bounded == 0 {
		t.Error("no draw had a bounded end")
	}
}

// Curves that cross several times give no answer, and the reason lists the crossings.
func TestSeveralCrossings(t *testing.T) {
	shaken := func(height float64) []float64 { return []float64{height - 0.01, height, height + 0.01} }
	p := crossed(t, [][]float64{shaken(-1), shaken(1), shaken(-1), shaken(1)})
	if p.Verdict != CannotTell || !strings.Contains(p.Reason, "cross 3 times, at 0.5, 1.5, 2.5") {
		t.Errorf("%s: %s", p.Verdict, p.Reason)
	}
}

// A crossing at the end of the range that is known without some replication has no upper end, if it is over a
// metric that varies.
func TestCrossingAtTheEdge(t *testing.T) {
	x := []float64{2.9, 3.0, 3.1, 3.3, 2.7}
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1}, 5, func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 1
		}
		return 1.02*l + 0.03*float64(r-2)*l
	}, func(_ string, l float64, r int) float64 { return l * x[r] })
	s := study.Statistic{Kind: "crossing", Metric: "y", X: "z", By: "load", Of: policy("fcfs"), To: policy("easy")}
	p := evaluate(t, run, study.Claim{Statistic: s}).Parts[0]
	if p.Reason != "" || !(p.Low <= p.Estimate) || !math.IsInf(p.High, 1) {
		t.Errorf("%v, %s", p.Interval, p.Reason)
	}
}

package analysis

import (
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
)

// BenchmarkSummarise groups a million rows by three axes into 50,000 points and describes four metrics of each.
// Target: 1,000,000 rows/s on one core.
func BenchmarkSummarise(b *testing.B) {
	f, d := million(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := summarise(f, d); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(f.Rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkCompare pairs the same million rows with a baseline in four metrics. Target: 300,000 rows/s on one core.
func BenchmarkCompare(b *testing.B) {
	f, d := million(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compare.Paired(f, d, compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p0")}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(f.Rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func million(b *testing.B) (*frame.Frame, frame.Design) {
	const replications, policies, loads, sizes = 20, 5, 100, 100
	n := replications * policies * loads * sizes
	r := rand.New(rand.NewPCG(1, 1))
	policy, outcome := make([]string, n), make([]string, n)
	load, size, rep := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, at := range r.Perm(n) {
		policy[at] = []string{"p0", "p1", "p2", "p3", "p4"}[i%policies]
		load[at] = float64(i/policies%loads) / 100
		size[at] = float64(i / policies / loads % sizes)
		rep[at] = float64(i / policies / loads / sizes)
		outcome[at] = "ok"
	}
	columns := []frame.Column{frame.TextColumn("policy", policy), frame.NumberColumn("load", "", load), frame.NumberColumn("size", "", size),
		frame.NumberColumn("replication", "", rep), frame.TextColumn("outcome", outcome)}
	d := frame.Design{Axes: []string{"policy", "load", "size"}, Replication: "replication", Outcome: "outcome"}
	for _, m := range []string{"a", "b", "c", "d"} {
		values := make([]float64, n)
		for i := range values {
			values[i] = r.ExpFloat64()
		}
		columns = append(columns, frame.NumberColumn(m, "s", values))
		d.Metrics = append(d.Metrics, m)
	}
	f, err := frame.NewFrame(columns...)
	if err != nil {
		b.Fatal(err)
	}
	return f, d
}

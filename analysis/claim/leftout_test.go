package claim

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/frame"
)

// TestSumsWithoutAReplication compares sums without one of many replications, or of few, with plain sums over the
// observations. The replications have numbers with gaps, as where some of them failed.
func TestSumsWithoutAReplication(t *testing.T) {
	for _, many := range []int{3, inOrder, inOrder + 1, 3 * inOrder} {
		rng := rand.New(rand.NewPCG(uint64(many), 1))
		run := &prepared{class: make([]int32, 2*many)}
		s := &sample{run: run, active: map[int32]int{1: 5, 2: 7}}
		for i := range 2 * many {
			run.class[i] = int32(1 + i/many)
			s.obs = append(s.obs, observation{row: int32(i), replication: int32(i % many), y: math.Exp(8 * rng.Float64())})
		}
		for i := range many {
			run.replication.Values = append(run.replication.Values, frame.Number(float64(3*i)))
		}
		sums := &classSums{sample: s, value: func(o *observation) (float64, bool) { return o.y, o.row%7 > 0 }}
		r := rng.Int32N(int32(many))
		for _, l := range []left{{}, {run: run, replication: r}, {run: run, replication: r, class: 2}, {run: &prepared{}, replication: r},
			{all: true, number: float64(3 * r)}, {all: true, number: float64(3*r + 1)}, {all: true, number: float64(6 * many)}} {
			var sum, n float64
			for i := range s.obs {
				o := &s.obs[i]
				class := run.classOf(o.row)
				if s.usesOf(o.replication, class, l) && o.row%7 > 0 {
					sum += s.weightOf(class, l) * o.y
					n += s.weightOf(class, l)
				}
			}
			if gotSum, gotN := sums.without(l); !(math.Abs(gotSum/sum-1) <= 1e-12) || !(math.Abs(gotN/n-1) <= 1e-12) {
				t.Errorf("%d replications without %+v: %v of %v, not %v of %v", many, l, gotSum, gotN, sum, n)
			}
		}
	}
}

// BenchmarkSumsWithoutAReplication leaves out each of a million replications. Target: 5,000,000/s on one core.
func BenchmarkSumsWithoutAReplication(b *testing.B) {
	const many = 1_000_000
	run := &prepared{}
	s := &sample{run: run}
	for i := range many {
		s.obs = append(s.obs, observation{row: int32(i), replication: int32(i), y: float64(i)})
		run.replication.Values = append(run.replication.Values, frame.Number(float64(i)))
	}
	for b.Loop() {
		sums := &classSums{sample: s, value: func(o *observation) (float64, bool) { return o.y, true }}
		for r := range int32(many) {
			sums.without(left{run: run, replication: r})
		}
	}
	b.ReportMetric(float64(b.N)*many/b.Elapsed().Seconds(), "replications/s")
}

package metrics

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
)

// TestQuantilesAreThoseOfSortedValues takes several quantiles in any order. Many of the values are equal.
func TestQuantilesAreThoseOfSortedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s quantity
		s.reset()
		kinds := rapid.SampledFrom([]int{1, 2, 50, 1 << 30}).Draw(t, "kinds")
		for _, v := range rapid.SliceOfN(rapid.IntRange(0, kinds), 0, 300).Draw(t, "values") {
			s.add(float64(v))
		}
		sorted := slices.Sorted(slices.Values(s.values))
		for _, p := range rapid.SliceOfN(rapid.SampledFrom([]float64{0, .05, .5, .95, 1}), 1, 5).Draw(t, "p") {
			got, want := s.quantile(p), sim.Quantile(sorted, p)
			if got != want && (got == got || want == want) {
				t.Fatalf("the quantile %g is %g, of sorted values %g", p, got, want)
			}
		}
	})
}

// BenchmarkQuantiles of as many waits as the Curie log has. Target: 5 ms.
func BenchmarkQuantiles(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 295_540)
	for i := range values {
		values[i] = max(0, float64(int(r.ExpFloat64()*1e4)-16000)) // four fifths are 0
	}
	var s quantity
	for b.Loop() {
		b.StopTimer()
		s = quantity{n: int64(len(values)), values: append(s.values[:0], values...)}
		b.StartTimer()
		s.quantile(.5)
		s.quantile(.95)
	}
}

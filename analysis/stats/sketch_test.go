package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// jobValues are values as jobs have them: zeros, repeated ones, ends of buckets, errors below 0, and a range of many powers of 10.
func jobValues() *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 1, 10, 4096, 1.0 / 3, 1e-3, 1e12}), rapid.Float64Range(1e-3, 1e9),
		rapid.Float64Range(1, 2), rapid.Float64Range(-1e9, -1e-3), rapid.SampledFrom([]float64{-1, -4096, -1.0 / 3, -1e12})), 1, 200)
}

// The sketch of a union does not depend on who saw which values, nor in what order.
func TestSketchesMergeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := jobValues().Draw(t, "values")
		var whole Sketch
		whole.Add(values)
		shuffled := rapid.Permutation(values).Draw(t, "order")
		parts := make([]Sketch, 3)
		for i := range shuffled {
			parts[rapid.IntRange(0, 2).Draw(t, "worker")].Add(shuffled[i : i+1])
		}
		var merged Sketch
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "merged") {
			merged.Merge(&parts[i])
		}
		if diff := cmp.Diff(whole, merged, cmp.AllowUnexported(Sketch{}, buckets{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Against the sorted values: shares are exact.
func TestSketchAgainstAllValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := jobValues().Draw(t, "values")
		var s Sketch
		if left := s.Add(values); left != 0 || s.N() != int64(len(values)) {
			t.Fatalf("%d left out, %d of %d", left, s.N(), len(values))
		}
		slices.Sort(values)
		upTo := func(v float64) float64 {
			n := 0
			for n < len(values) && values[n] <= v {
				n++
			}
			return float64(n) / float64(len(values))
		}
		for _, coarse := range []int{0, 2, 6, 9} {
			last := math.Inf(-1)
			for x, share := range s.Shares(coarse) {
				if want := upTo(x); share != want || s.UpTo(x) != want {
					t.Fatalf("coarse %d: up to %v are %v and %v, want %v", coarse, x, share, s.UpTo(x), want)
				}
				if x <= last {
					t.Fatalf("%v comes after %v", x, last)
				}
				last = x
			}
			if last != values[len(values)-1] {
				t.Fatalf("coarse %d: ends at %v, the largest is %v", coarse, last, values[len(values)-1])
			}
		}
	})
}

func TestSketchOfWhatIsNoValue(t *testing.T) {
	var s Sketch
	if left := s.Add([]float64{math.NaN(), math.Inf(-1), math.Inf(1), 2}); left != 3 || s.N() != 1 || s.UpTo(-1) != 0 ||
		s.UpTo(math.Inf(1)) != 1 {
		t.Errorf("%d are left out of 4, %d counted", left, s.N())
	}
	var wide Sketch // its buckets are 2000 powers of 2 apart
	if wide.Add([]float64{5e-324, 1, math.MaxFloat64}); wide.UpTo(0) != 0 || wide.UpTo(1) != 2./3 || wide.UpTo(math.MaxFloat64) != 1 {
		t.Errorf("shares %v, %v, %v", wide.UpTo(0), wide.UpTo(1), wide.UpTo(math.MaxFloat64))
	}
	var low Sketch // all below 0, the smallest in size as good as 0
	low.Add([]float64{-math.MaxFloat64, -3, -2})
	if low.UpTo(-3) != 2./3 || low.UpTo(-2) != 1 || low.UpTo(-4) != 1./3 {
		t.Errorf("shares %v, %v, %v", low.UpTo(-3), low.UpTo(-2), low.UpTo(-4))
	}
	if low.Add([]float64{-5e-324}); low.UpTo(-2) != .75 || low.UpTo(0) != 1 {
		t.Errorf("shares %v, %v", low.UpTo(-2), low.UpTo(0))
	}
	var none Sketch
	if none.Merge(&Sketch{}); !math.IsNaN(none.UpTo(1)) {
		t.Error("a sketch of nothing has values")
	}
	for range none.Shares(0) {
		t.Error("a sketch of nothing has shares")
	}
}

// BenchmarkSketch adds ten million values. Target: 40,000,000 values/s on one core, in 60 kB.
func BenchmarkSketch(b *testing.B) {
	values := make([]float64, 1<<16)
	for i := range values {
		values[i] = math.Exp(float64(i%1000) / 50)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		var s Sketch
		for range 10_000_000 / len(values) {
			s.Add(values)
			n += len(values)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "values/s")
}

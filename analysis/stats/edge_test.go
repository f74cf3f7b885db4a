package stats

import (
	"math"
	"strings"
	"testing"
)

func has(ws []Warning, code Code, text string) bool {
	for _, w := range ws {
		if w.Code == code && strings.Contains(w.Text, text) {
			return true
		}
	}
	return false
}

func TestTooFewValuesGiveInfiniteIntervals(t *testing.T) {
	for n, values := range [][]float64{{}, {5}} {
		s := NewSample(values)
		i := s.MeanInterval(0.95)
		if i.Bounded() {
			t.Errorf("%d values: interval %v is bounded", n, i)
		}
		if !has(s.Warnings(), TooFew, "at least 2") {
			t.Errorf("%d values: warnings %v say nothing of how many are needed", n, s.Warnings())
		}
	}
	if i := NewSample([]float64{5}).MeanInterval(0.95); i.Estimate != 5 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("one value: %v", i)
	}
	p := ComparePaired([]Pair{{1, 2}}, 0.95)
	if p.Ratio.Estimate != 2 || p.Ratio.Bounded() || p.Difference.Bounded() || !has(p.Warnings, TooFew, "at least 2 pairs") {
		t.Errorf("one pair: %+v", p)
	}
	l := FitLine([]XY{{0, 1}, {1, 3}}, nil)
	if l.Slope != 2 || l.Intercept != 1 || !math.IsNaN(l.ResidualSD) {
		t.Errorf("two points: %+v", l)
	}
}

func TestDegenerateLine(t *testing.T) {
	l := FitLine([]XY{{2, 1}, {2, 3}, {2, 4}}, nil)
	if !math.IsNaN(l.Slope) || !has(l.Warnings, Degenerate, "different abscissas") {
		t.Errorf("one abscissa: %+v", l)
	}
	flat := FitLine([]XY{{1, 7}, {2, 7}, {3, 7}}, nil)
	if flat.Slope != 0 || flat.ResidualSD != 0 || !math.IsNaN(flat.R2) {
		t.Errorf("constant y: %+v", flat)
	}
}

func TestNotFiniteValuesAreCounted(t *testing.T) {
	s := NewSample([]float64{1, math.NaN(), 3, math.Inf(1)})
	if s.N() != 2 || s.NotFinite() != 2 || s.Mean() != 2 || !has(s.Warnings(), NotFinite, "2 of 4") {
		t.Errorf("sample %+v, warnings %v", s, s.Warnings())
	}
	p := ComparePaired([]Pair{{1, 2}, {math.NaN(), 2}, {2, 4}, {1, math.Inf(-1)}}, 0.95)
	if p.N != 2 || !has(p.Warnings, NotFinite, "2 of 4") {
		t.Errorf("paired %+v", p)
	}
}

func TestRatioWithoutBound(t *testing.T) {
	// The baseline's mean is 0.5 with a standard error of about 1.7: ratios of any size are compatible.
	p := ComparePaired([]Pair{{-3, 1}, {4, 2}, {-2, 3}, {3, 4}}, 0.95)
	if p.Ratio.Estimate != 5 || p.Ratio.Bounded() || !has(p.Warnings, NearZero, "does not differ from 0") {
		t.Errorf("%+v", p)
	}
	// Without the second pair the baseline's mean is 0.
	one := ComparePaired([]Pair{{0, 1}, {2, 2}, {0, 3}}, 0.95)
	if one.Ratio.Estimate != 3 || one.Ratio.Low != 0 || !math.IsInf(one.Ratio.High, 1) || !has(one.Warnings, NearZero, "without one") {
		t.Errorf("%+v", one)
	}
	zero := ComparePaired([]Pair{{0, 1}, {0, 2}, {0, 3}}, 0.95)
	if !math.IsNaN(zero.Ratio.Estimate) || !has(zero.Warnings, NearZero, "no ratio") {
		t.Errorf("%+v", zero)
	}
}

func TestProportionalPairsHaveNoWidth(t *testing.T) {
	p := ComparePaired([]Pair{{10, 15}, {11, 16.5}, {14, 21}}, 0.95)
	near(t, "ratio", p.Ratio.Estimate, 1.5, 1e-15)
	near(t, "width", p.Ratio.HalfWidth(), 0, 1e-14)
}

func TestSumCompensates(t *testing.T) {
	// Neumaier's own example: plain and Kahan summation give 0.
	if got := Sum([]float64{1, 1e100, 1, -1e100}); got != 2 {
		t.Errorf("sum %g, want 2", got)
	}
}

package frame

import (
	"math"
	"slices"
	"testing"
)

// TestPlacesOfLevels: of numbers, texts and nulls, with labels and without.
func TestPlacesOfLevels(t *testing.T) {
	numbers := func(values ...float64) *Column {
		c := NumberColumn("n", "", values)
		return &c
	}
	labelled := numbers(3, 1, math.NaN(), 2)
	labelled.Labels = []Label{{Number(1), "one"}, {Number(3), "three"}}
	l, of := LevelsOf(labelled, nil), LevelsOf(numbers(2, 7, 1, math.NaN(), math.Copysign(0, -1), 3), nil)
	for row, at := range l.Places(of) {
		if want := l.Of(of.Values[of.Codes[row]]); at != want {
			t.Errorf("row %d: %d, want %d", row, at, want)
		}
	}
	a, b := TextColumn("t", []string{"x", "y"}), TextColumn("t", []string{"y", "z"})
	words := LevelsOf(&a, []string{"y"})
	if got := words.Places(LevelsOf(&b, nil)); !slices.Equal(got, []int{0, -1}) {
		t.Errorf("texts: %v", got)
	}
}

// BenchmarkPlaces: 20,000 levels; target: below 20 ms.
func BenchmarkPlaces(b *testing.B) {
	values := make([]float64, 20_000)
	for i := range values {
		values[i] = float64(i) * 1.1
	}
	c := NumberColumn("n", "", values)
	l := LevelsOf(&c, nil)
	for b.Loop() {
		l.Places(l)
	}
}

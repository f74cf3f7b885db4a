package frame

import (
	"math"
	"testing"
)

// TestLogItselfWithoutAnswer: a run of the log itself that failed tells nothing of its point, even if its row holds values.
func TestLogItselfWithoutAnswer(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", []float64{1, 2}), NumberColumn("wait", "s", []float64{10, 20}),
		TextColumn(OutcomeColumn, []string{"failed", "ok"}))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLogItself(&Design{Axes: []string{"load"}, Outcome: OutcomeColumn, OK: "ok", Log: f})
	for load, want := range map[float64]float64{1: math.NaN(), 2: 20, 3: math.NaN()} {
		if got := l.At([]Value{Number(load)}, "wait"); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("load %g: %g, want %g", load, got, want)
		}
	}
}

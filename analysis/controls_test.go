package analysis

import (
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
)

// TestControlsOfMissingValues: a controlled mean leaves out replications without a value, with a note.
func TestControlsOfMissingValues(t *testing.T) {
	replications, y := make([]float64, 12), make([]float64, 12)
	c := &Controls{Names: []string{"load"}}
	for i := range y {
		x := float64(i % 5)
		replications[i], y[i] = float64(i), 10+x+float64(i%3)
		c.Values, c.Beyond = append(c.Values, []float64{x}), append(c.Beyond, [][]float64{{1}, {2}, {3}})
	}
	y[3] = math.NaN()
	f, err := frame.NewFrame(frame.NumberColumn("replication", "", replications), frame.NumberColumn("y", "s", y))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(f, Spec{Design: frame.Design{Replication: "replication", Metrics: []string{"y"}}, Controls: c})
	if err != nil {
		t.Fatal(err)
	}
	const said = "1 of 12 values are missing or not finite and were left out"
	if m := r.Controlled[0]; m.N != 11 || !strings.Contains(strings.Join(notes(m.Warnings), "; "), said) {
		t.Errorf("n = %d, %q", m.N, notes(m.Warnings))
	}
}

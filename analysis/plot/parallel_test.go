package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// tracksOf are the lines of a drawing by series; -1 has those left out.
func tracksOf(d *Drawing) map[int][][]float64 {
	all := map[int][][]float64{}
	for _, m := range d.Figure.Panels[0].Marks {
		if t, is := m.(*figure.Tracks); is {
			all[t.Series] = append(all[t.Series], t.Lines...)
		}
	}
	return all
}

// TestParallel: each point of the sweep is one line through its values to its mean. A failed point ends early, and what is not
// selected stays behind.
func TestParallel(t *testing.T) {
	f, d := levelled(t, 3, 2, 4, func(policy, load, replication int) (wait, use float64) {
		if policy == 2 && load == 1 {
			return math.NaN(), math.NaN()
		}
		return float64(100*policy + 10*load + replication), 1
	})
	s := study.Figure{ID: "f", Kind: "parallel", X: "wait", Series: "policy"}
	drawing, err := Draw(f, d, s)
	if err != nil {
		t.Fatal(err)
	}
	lines := tracksOf(drawing)
	// The mean of replications 0 to 3 is 1.5 above the first.
	want := map[int][][]float64{0: {{0, 0, 1.5}, {0, 1, 11.5}}, 1: {{1, 0, 101.5}, {1, 1, 111.5}}, 2: {{2, 0, 201.5}, {2, 1, math.NaN()}}}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("the lines are %v, want %v", lines, want)
	}
	if !strings.Contains(drawing.Figure.Caption, "a line that ends early has no mean") {
		t.Errorf("the caption is %q", drawing.Figure.Caption)
	}
	spots, _, err := drawing.Figure.Spots()
	if err != nil || len(spots) != 5 || spots[0].Level != [2]string{"policy", "p0"} {
		t.Errorf("the levels are %v, %v", spots, err)
	}

	s.Series, s.Where = "", []study.Term{{Path: "policy", Values: []params.Value{{Kind: params.String, S: "p1"}}}}
	if drawing, err = Draw(f, d, s); err != nil {
		t.Fatal(err)
	}
	lines = tracksOf(drawing)
	if got, want := fmt.Sprint(lines[0]), fmt.Sprint(want[1]); got != want {
		t.Errorf("selected are %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(lines[-1]), fmt.Sprint(slices.Concat(want[0], want[2])); got != want {
		t.Errorf("left out are %v, want %v", got, want)
	}
}

// TestParallelOfMany: of too many points, lines from the lowest mean to the highest are drawn, and a warning counts them.
func TestParallelOfMany(t *testing.T) {
	f, d := levelled(t, 50, 50, 1, func(policy, load, _ int) (wait, use float64) { return float64(50*policy + load), 1 })
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "parallel", X: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	lines := tracksOf(drawing)[0]
	if len(lines) != mostTracks || lines[0][2] != 0 || lines[mostTracks-1][2] != 2499 {
		t.Errorf("%d lines from %v to %v", len(lines), lines[0], lines[len(lines)-1])
	}
	if !slices.ContainsFunc(drawing.Warnings, func(w stats.Warning) bool { return strings.Contains(w.Text, "1000 of 2500 lines") }) {
		t.Errorf("the warnings are %v", drawing.Warnings)
	}
}

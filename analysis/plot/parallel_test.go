package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
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

// TestParallel: each point of the sweep is one line through its values to its mean. A failed point ends early, and lines that are
// not selected stay behind.
func TestParallel(t *testing.T) {
	f, d := levelled(t, 3, 2, 4, func(policy, load, replication int) (wait, use float64) {
		if policy == 2 && load == 1 {
			return math.NaN(), math.NaN()
		}
		return float64(100*policy + 10*load + replication), 1
	})
	s := study.Figure{ID: "f", Kind: "parallel", X: "wait", Series: "policy", Params: &ParallelParams{}}
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
	if err != nil || len(spots) != 5+42 || spots[0].Level != [2]string{"policy", "p0"} {
		t.Errorf("the levels are %v, %v", spots, err)
	}

	s.Params = &ParallelParams{Means: []float64{11.5, 111.5}}
	if drawing, err = Draw(f, d, s); err != nil {
		t.Fatal(err)
	}
	if by := tracksOf(drawing); len(by[-1]) != 3 || len(by[0]) != 1 || len(by[1]) != 2 || len(drawing.Selected) != 12 {
		t.Errorf("means from 11.5 to 111.5 select %v, and rows %v", by, drawing.Selected)
	}

	s.Params, s.Series, s.Where = &ParallelParams{}, "", []study.Term{{Path: "policy", Values: []params.Value{{Kind: params.String, S: "p1"}}}}
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
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "parallel", X: "wait", Params: &ParallelParams{}})
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

// TestLevelsBetween: the levels of a metric enclose its means, ascend, and are round numbers.
func TestLevelsBetween(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
	}{{0, 1, false}, {100.01, 100.02, false}, {-3, 1e6, false}, {0.5, 20000, true}, {1, 1.2, true}} {
		all := levelsBetween(c.low, c.high, c.log)
		last := math.Inf(-1)
		for _, l := range all {
			v, err := strconv.ParseFloat(l.Text, 64)
			if err != nil || v <= last || l.Place < c.low || l.Place > c.high {
				t.Errorf("%v: level %v after %v", c, l, last)
			}
			last = v
		}
		if first, _ := strconv.ParseFloat(all[0].Text, 64); first > c.low || last < c.high || len(all) < 10 || len(all) > 70 {
			t.Errorf("%v: %d levels from %v to %v", c, len(all), first, last)
		}
	}
	// Means that differ by rounding: this never ended.
	if all := levelsBetween(.55, math.Nextafter(.55, 1), false); len(all) == 0 || len(all) > 100 {
		t.Errorf("%d levels between neighbouring numbers", len(all))
	}
	if all := levelsBetween(3, 3, false); all != nil {
		t.Errorf("one mean has levels: %v", all)
	}
	if all := levelsBetween(math.Inf(1), math.Inf(-1), false); all != nil {
		t.Errorf("no means have levels: %v", all)
	}
}

// TestParallelLeavesOut: a point with a selected row is not left out too, an unstable point has no mean on either side, and grey
// lines alone have a caption.
func TestParallelLeavesOut(t *testing.T) {
	f, d := levelled(t, 2, 2, 2, func(policy, load, replication int) (wait, use float64) { return float64(10*policy + load), 1 })
	columns := []frame.Column{frame.NumberColumn("unstable", "", []float64{0, 0, 0, 0, 1, 1, 1, 1})} // the rows of p1
	for _, name := range f.Names() {
		columns = append(columns, *f.Column(name))
	}
	f, err := frame.NewFrame(columns...)
	if err != nil {
		t.Fatal(err)
	}
	d.Unstable = "unstable"
	draw := func(s study.Figure) (map[int][][]float64, string) {
		s.ID, s.Kind, s.X = "f", "parallel", "wait"
		drawing, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		return tracksOf(drawing), drawing.Figure.Caption
	}
	of := func(path string, v params.Value) []study.Term {
		return []study.Term{{Path: path, Values: []params.Value{v}}}
	}

	all := &ParallelParams{}
	lines, _ := draw(study.Figure{Params: all, Where: of("policy", params.Value{Kind: params.String, S: "p0"})})
	if got, want := fmt.Sprint(lines), "map[-1:[[1 0 NaN] [1 1 NaN]] 0:[[0 0 0] [0 1 1]]]"; got != want {
		t.Errorf("without p1, which is unstable: %v, want %v", got, want)
	}
	if lines, _ = draw(study.Figure{Params: all, Where: of("replication", params.Value{Kind: params.Int, I: 1})}); len(lines[-1]) != 0 {
		t.Errorf("points with a selected replication are left out too: %v", lines)
	}
	lines, caption := draw(study.Figure{Params: &ParallelParams{Means: []float64{100, 200}}})
	want := "Lines: points of the sweep, to their means over replications; a line that ends early has no mean; grey: not selected."
	if len(lines) != 1 || caption != want {
		t.Errorf("no mean is selected: lines %v, caption %q, want %q", lines, caption, want)
	}
}

// TestParallelOfZeros: a mean of 0 has no place on a logarithmic axis, whose range is that of the other means.
func TestParallelOfZeros(t *testing.T) {
	f, d := levelled(t, 2, 2, 2, func(policy, load, replication int) (wait, use float64) { return float64(100 * policy * (1 + load)), 1 })
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "parallel", X: "wait", XScale: "log", Params: &ParallelParams{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range drawing.Figure.Panels[0].Marks {
		if over, is := m.(*figure.Coordinates); is {
			if o := over.Axes[2]; o.Low != 100 || o.High != 200 || len(o.Levels) < 10 || o.Levels[0].Text != "100" {
				t.Errorf("the axis of the means is %+v", o)
			}
		}
	}
	if c := drawing.Figure.Caption; strings.Contains(c, "no mean") {
		t.Errorf("the caption is %q", c)
	}
	if n := drawing.Figure.NotDrawn(); n != 2 {
		t.Errorf("%d points are not drawn, want 2", n)
	}
}

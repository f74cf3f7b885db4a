package plot

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/frame/frametest"
	"schedsweep/sweep/study"
)

// TestPointsKnowTheirInstances: the instances behind a point are those of its panel and series at its place, of a single one that which
// has its value; without ids nothing is looked for.
func TestPointsKnowTheirInstances(t *testing.T) {
	f := sample(t)
	ids := make([]string, f.Rows)
	for i := range ids {
		ids[i] = fmt.Sprint("id", i)
	}
	with, err := frame.NewFrame(frametest.ColumnsOf(f)...)
	if err != nil {
		t.Fatal(err)
	}
	with.IDs = func(row int32) string { return ids[row] }
	makespan, placement, factor := f.Column("makespan").Numbers, f.Column("policy.placement"),
		f.Column("workload.communication_factor").Numbers
	ok := make([]bool, f.Rows)
	for i := range ok {
		ok[i] = f.Column("outcome").At(i).Text == "ok"
	}
	singles, means := 0, 0
	for _, spec := range wholeFigures()[:3] {
		if d, err := Draw(f, design(), spec); err != nil || d.Points != nil {
			t.Fatalf("%s without ids: %d points, error %v", spec.ID, len(d.Points), err)
		}
		if spec.ID == "fig2" {
			continue // of another metric
		}
		d, err := Draw(with, design(), spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Points {
			level := placements[p.Panel+p.Series] // by panel in one figure, by series in the other
			var behind []int
			for i := range ids {
				if ok[i] && placement.At(i).Text == level && factor[i] == p.X && (p.Kind == "mean" || makespan[i] == p.Y) {
					behind = append(behind, i)
				}
			}
			if p.Instances != len(behind) || len(p.Shown) != min(len(behind), 3) {
				t.Errorf("%s: %q has %d instances, want %d", spec.ID, p.Text, p.Instances, len(behind))
			}
			lowest := slices.MinFunc(behind, func(a, b int) int { return int(math.Copysign(1, makespan[a]-makespan[b])) })
			if p.Shown[0].ID != ids[lowest] {
				t.Errorf("%s: %q begins with %s, want %s", spec.ID, p.Text, p.Shown[0].ID, ids[lowest])
			}
			if p.Kind == "mean" {
				means++
			} else {
				singles++
			}
		}
	}
	for _, c := range []struct {
		figure int
		kind   string
		all    int
		of     string
	}{ // one of the 142 that did not fail has no wait time
		{1, "mean", 141, "names"}, {3, "median", 142, "two metrics"},
	} {
		d, err := Draw(with, design(), wholeFigures()[c.figure])
		if err != nil {
			t.Fatal(err)
		}
		behind := 0
		for _, p := range d.Points {
			if p.Kind == c.kind {
				behind += p.Instances
			}
		}
		if behind != c.all {
			t.Errorf("%d instances are behind the points of %s, want %d", behind, c.of, c.all)
		}
	}
	if singles != 142 || means != 24 { // all instances but two that failed; three lines of eight places
		t.Errorf("%d single instances and %d means", singles, means)
	}
}

// TestInstancesWithoutAValue: an instance without a value is behind no mean. Means with one x have instances of their own.
func TestInstancesWithoutAValue(t *testing.T) {
	f, d := levelled(t, 1, 2, 4, func(_, l, r int) (float64, float64) {
		return []float64{float64(l + r), math.NaN()}[r/3], float64(r)
	})
	d.Outcome = "" // the last replication has no wait time, and did not fail
	f.IDs = func(row int32) string { return fmt.Sprint("id", row) }
	for _, x := range []string{"load", "use"} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", X: x, Y: "wait"})
		if err != nil {
			t.Fatal(err)
		}
		for load, p := range drawing.Points {
			if lowest := fmt.Sprint("id", 4*load); p.Instances != 3 || p.Shown[0].ID != lowest {
				t.Errorf("over %s: %q has %d instances, the lowest %v; want 3 and %s", x, p.Text, p.Instances, p.Shown, lowest)
			}
		}
		if len(drawing.Points) != 2 {
			t.Errorf("over %s: %d points", x, len(drawing.Points))
		}
	}
}

// TestLinesOverAMetric: a point is at the mean of both metrics, or at the median of both.
func TestLinesOverAMetric(t *testing.T) {
	f, d := levelled(t, 1, 2, 3, func(_, l, r int) (float64, float64) {
		return [2][3]float64{{1, 3, 8}, {5, 9, 1}}[l][r], [2][3]float64{{2, 4, 9}, {10, 30, 80}}[l][r]
	})
	for line, want := range map[string][]figure.Point{"mean": {{X: 5, Y: 4}, {X: 40, Y: 5}}, "median": {{X: 4, Y: 3}, {X: 30, Y: 5}}} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", X: "use", Y: "wait", Params: &MeansParams{Line: line}})
		if err != nil {
			t.Fatal(err)
		}
		if got := markOf[figure.Line](drawing.Figure.Panels[0], 0).At; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// TestOutliersAreInstances: a value beyond the whiskers of a box is of one instance.
func TestOutliersAreInstances(t *testing.T) {
	f, d := levelled(t, 1, 1, 6, func(_, _, r int) (float64, float64) { return []float64{1, 2, 3, 4, 90, 5}[r], 0 })
	f.IDs = func(row int32) string { return fmt.Sprint("id", row) }
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "box", X: "load", Y: "wait"})
	if err != nil || len(drawing.Points) != 2 {
		t.Fatalf("%v, %+v", err, drawing)
	}
	if p := drawing.Points[0]; p.Shown[1] != (Behind{"id3", "middle 4 s, replication 3"}) {
		t.Errorf("behind the box: %v", p.Shown)
	}
	if p := drawing.Points[1]; p.Instances != 1 || p.Shown[0] != (Behind{"id4", "replication 4"}) {
		t.Errorf("%q has %d instances: %v", p.Text, p.Instances, p.Shown)
	}
}

// TestFactorsAreOfNoInstance: a factor to the best is no metric of an instance, even where an instance has that value.
func TestFactorsAreOfNoInstance(t *testing.T) {
	run := grid(t, []string{"a", "b"}, []float64{0.5}, 4, func(p string, _ float64, _ int) float64 { return float64(p[0] - 'a' + 1) }, zero)
	ids := make([]string, run.Frame.Rows)
	for i := range ids {
		ids[i] = fmt.Sprint("id", i)
	}
	f, err := frame.NewFrame(columnsOf(run.Frame)...)
	if err != nil {
		t.Fatal(err)
	}
	f.IDs = func(row int32) string { return ids[row] }
	d := run.Design
	d.Better = map[string]string{"y": "lower"}
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "profile", X: "y", Series: "policy"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range drawing.Points {
		if p.Instances > 0 {
			t.Errorf("%d instances are behind %q", p.Instances, p.Text)
		}
	}
	if len(drawing.Points) == 0 {
		t.Error("no points")
	}
}

package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestSpots: each spot lies where the SVG draws its value. Its text gives the value and the interval.
func TestSpots(t *testing.T) {
	nan := math.NaN()
	f := &Figure{
		ID: "spots", X: Axis{Label: "load"}, Y: Axis{Label: "wait", Unit: "s"}, Series: []string{"fcfs", "easy"},
		Panels: []Panel{{Title: "small", Marks: []Mark{
			&Line{Series: 1, Name: "mean", At: []Point{{0.7, 7200}, {0.5, 3600}}},
			&Band{Series: 1, Spans: []Span{{0.5, 1800, 7200}}},
			&Cloud{Series: 1, Name: "instance", At: []Point{{0.5, nan}, {0.5, 600}}},
			&Trend{Series: 1, At: []Point{{0.5, 1}, {0.7, 2}}},
			&Reference{Y: 60, Label: "fcfs"},
		}}, {Title: "large", Marks: []Mark{&Boxes{Boxes: []Box{{0.5, 1, 2, 3, 4, 5, []float64{9}}}}}}},
	}
	spots, _, err := f.Spots()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"small; easy; load 0.5; wait: instance 10 min",
		"small; easy; load 0.5; wait: mean 1 h [30 min, 2 h]",
		"small; easy; load 0.7; wait: mean 2 h",
		"large; fcfs; load 0.5; wait: median, quartiles 3 s [2 s, 4 s]",
		"large; fcfs; load 0.5; wait: beyond 9 s", // the whiskers are not its interval
	}
	if len(spots) != len(want) {
		t.Fatalf("%d spots, want %d: %+v", len(spots), len(want), spots)
	}
	var svg strings.Builder
	if err := f.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	w, h := f.size(t)
	for i, s := range spots {
		if s.Text != want[i] {
			t.Errorf("spot %d says %q, want %q", i, s.Text, want[i])
		}
		if at := `M` + short(s.Left*w) + " " + short(s.Top*h); !strings.Contains(svg.String(), at) {
			t.Errorf("nothing is drawn at %s, where spot %d should be", at, i)
		}
	}
}

// size is that of the drawing, in points.
func (f *Figure) size(t *testing.T) (w, h float64) {
	t.Helper()
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	return s.w, s.h
}

// TestSpotsLieOnTheDrawing holds for all kinds of marks. Every figure with values has spots.
func TestSpotsLieOnTheDrawing(t *testing.T) {
	for _, f := range gallery() {
		spots, _, err := f.Spots()
		if err != nil {
			t.Fatalf("%s: %v", f.ID, err)
		}
		// whose numbers are no places
		if shows := slices.ContainsFunc(f.Panels, func(p Panel) bool { return !p.empty(f) }); shows && len(spots) == 0 && !f.Bare {
			t.Errorf("%s: no spots", f.ID)
		}
		for _, s := range spots {
			if !(s.Left > 0 && s.Left < 1 && s.Top > 0 && s.Top < 1) {
				t.Errorf("%s: a spot lies at %g, %g of the drawing: %s", f.ID, s.Left, s.Top, s.Text)
			}
		}
	}
}

// A diagram without axes is described in words.
func TestRanksAreSaid(t *testing.T) {
	s, err := meanRanks().scene()
	if err != nil {
		t.Fatal(err)
	}
	if want := "Mean rank. Ranks eleven: policy-0 1.40, "; !strings.HasPrefix(s.description, want) ||
		!strings.Contains(s.description, "Ranks two: EASY 1.50, FCFS 1.50.") {
		t.Errorf("%q, want %q", s.description, want)
	}
}

// An axis without a title is not described.
func TestUntitledAxisIsNotSaid(t *testing.T) {
	f := one()
	f.X, f.Title, f.Caption = Axis{Categories: []string{"a", "b"}}, "", ""
	if title, description := arrange(f).describe(); strings.Contains(title+description, "against") {
		t.Errorf("%q, %q", title, description)
	}
}

// TestSpotsOfCells: the spot of a cell lies at its middle, and its text gives the ends and the value.
func TestSpotsOfCells(t *testing.T) {
	f := &Figure{
		ID: "heat", X: Axis{Label: "processors", Log: true}, Y: Axis{Label: "run time", Unit: "s"}, Colour: &Axis{Label: "wait", Unit: "s"},
		Panels: []Panel{{Marks: []Mark{
			&Heat{Cells: []Cell{{Left: 1, Right: 4, Low: 0, High: 60, Value: 7200, Items: 12},
				{Left: 4, Right: 16, Low: 0, High: 60, Value: math.NaN(), Items: 1}}}}}},
	}
	spots, _, err := f.Spots()
	if err != nil {
		t.Fatal(err)
	}
	if len(spots) != 1 || spots[0].Text != "processors 1 to 4; run time 0 s to 1 min; wait: 2 h, of 12" {
		t.Fatalf("%+v", spots)
	}
	l := arrange(f)
	a := l.area(nil, 0)
	if x, y := a.left(2), a.top(30); !(math.Abs(spots[0].Left*l.w-x) <= 1e-9) || !(math.Abs(spots[0].Top*l.h-y) <= 1e-9) {
		t.Errorf("the spot lies at %g, %g of the drawing, the middle of the cell at %g, %g points", spots[0].Left, spots[0].Top, x, y)
	}
}

// TestSpotsOfVeryManyPoints leaves single instances out.
func TestSpotsOfVeryManyPoints(t *testing.T) {
	cloud := &Cloud{Name: InstanceKind}
	for i := range mostSpots {
		cloud.At = append(cloud.At, Point{float64(i), 1})
	}
	f := &Figure{ID: "many", Panels: []Panel{{Marks: []Mark{cloud, &Line{At: []Point{{0, 2}, {1, 3}}}}}}}
	spots, left, err := f.Spots()
	if err != nil || len(spots) != 2 || left != mostSpots {
		t.Errorf("%d spots, %d left, error %v", len(spots), left, err)
	}
}

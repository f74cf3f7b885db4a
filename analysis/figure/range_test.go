package figure

import (
	"math"
	"strings"
	"testing"
)

// Panels of their own ranges fill their width, in one unit; others share one scale.
func TestOwnRanges(t *testing.T) {
	f := ownRanges()
	for i, x := range arrange(f).xs {
		line := mark[*Line](f.Panels[i], 0).At
		if last := x.at(line[len(line)-1].X); last < 0.7 || last > 1 {
			t.Errorf("panel %d: the last point is at %g of the width", i, last)
		}
		if x.show.title != "Bisection bandwidth (MB/s)" {
			t.Errorf("panel %d: %q", i, x.show.title)
		}
	}
	f.OwnX = false
	for i, x := range arrange(f).xs {
		if l := arrange(f); x.lo != l.x.lo || x.hi != l.x.hi {
			t.Errorf("panel %d has a scale of its own", i)
		}
	}
	f.X.Categories = []string{"a"}
	f.OwnX = true
	if err := f.validate(); err == nil || !strings.Contains(err.Error(), "categories") {
		t.Errorf("error %v", err)
	}
}

// A mark without a finite value is at the upper edge, over its x, and does not stretch the vertical axis.
func TestMarksBeyondTheRange(t *testing.T) {
	f := ownRanges()
	var b strings.Builder
	if err := f.CSV(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "clusters = 8,dynamic,beyond,4e+07,,,") {
		t.Error(b.String())
	}
	if x := arrange(f).xs[2]; x.hi < 4e7 {
		t.Errorf("the mark's x is outside an axis that ends at %g", x.hi)
	}
	top := arrange(f).y.hi
	mark[*Beyond](f.Panels[2], 0).X = nil
	if hi := arrange(f).y.hi; hi != top {
		t.Errorf("the vertical axis ends at %g with the mark and at %g without", top, hi)
	}
	f.Panels[2].Marks = []Mark{&Beyond{X: []float64{1}}, &Line{Series: 1}}
	if f.Panels[2].empty(f) {
		t.Error("a panel with a mark at the edge counts as empty")
	}
}

// Limits are the ends of the axis, and what lies outside is counted and not painted.
func TestLimits(t *testing.T) {
	f := one()
	if f.Y.Limits = &[2]float64{-2, -1}; f.Panels[0].empty(f) {
		t.Error("a panel whose points are all beyond its frame says that it has no data")
	}
	f.Y.Limits = &[2]float64{300, 400}
	l := arrange(f)
	if l.y.lo != 300 || l.y.hi != 400 {
		t.Errorf("the axis goes from %g to %g", l.y.lo, l.y.hi)
	}
	outside := 0
	for s := range 2 {
		for _, p := range mark[*Line](f.Panels[0], s).At {
			outside += b2i(p.Y < 300 || p.Y > 400)
		}
	}
	if n := f.NotDrawn(); n != outside || n == 0 {
		t.Errorf("%d points are not drawn, want %d", n, outside)
	}
}

// TestLinesPartAtGaps: a line is drawn up to its gap and from it on. A place between two gaps has its marker, also among many places.
func TestLinesPartAtGaps(t *testing.T) {
	nan := math.NaN()
	for n, want := range map[int][2]int{0: {2, 5}, mostMarks: {2, 1}} {
		l := &Line{At: []Point{{1, 2}, {2, 3}, {3, nan}, {4, 1}, {5, nan}, {6, 2}, {7, 4}}, N: []int{3, 3, 0, 3, 0, 3}}
		for i := range n {
			l.At = append(l.At, Point{float64(8 + i), 3})
		}
		f := &Figure{ID: "f", Series: []string{"a"}, Panels: []Panel{{Marks: []Mark{l}}}}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		var got [2]int
		for _, item := range s.items {
			switch it := item.(type) {
			case shapeItem:
				got[0] += b2i(it.stroke == seriesColour(0))
			case marksItem:
				got[1] += len(it.at)
			}
		}
		if got != want || f.NotDrawn() != 0 {
			t.Errorf("%d more places: %d strokes and markers, want %d; %d points not drawn", n, got, want, f.NotDrawn())
		}
	}
}

// TestPlacesBeyondTheHeightKeepTheirX: limits of the vertical axis leave the horizontal one as it is.
func TestPlacesBeyondTheHeightKeepTheirX(t *testing.T) {
	at := []Point{{1, 2}, {2, 3}, {9, 50}}
	for name, mark := range map[string]Mark{
		"line": &Line{At: at}, "timeline": &Steps{Start: math.NaN(), At: at}, "shares": &Steps{At: at},
	} {
		f := &Figure{ID: "f", Y: Axis{Limits: &[2]float64{0, 10}}, Panels: []Panel{{Marks: []Mark{mark}}}}
		if r := f.reach(f.Panels...); r.x.hi != 9 || r.lost != 1 {
			t.Errorf("%s: x up to %g, want 9; %d points lost", name, r.x.hi, r.lost)
		}
	}
}

// TestBandsComeFromTheBorder: a band with a start is filled from the left border on, unless a place lies left of the frame.
func TestBandsComeFromTheBorder(t *testing.T) {
	for _, limits := range []*[2]float64{nil, {15, 100}} {
		band := &Band{Spans: []Span{{10, 1, 3}, {20, 1, 2}, {90, 2, 5}}, Start: &Span{Low: 0, High: 4}}
		f := &Figure{ID: "f", Series: []string{"a"}, X: Axis{Log: true, Limits: limits}, Panels: []Panel{{Marks: []Mark{band}}}}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		left, filled := math.Inf(1), math.Inf(1)
		for _, item := range s.items {
			if it, is := item.(shapeItem); is {
				for _, o := range it.path.ops {
					if o.points() > 0 && it.fill == translucent(seriesColour(0), 0.15) {
						filled = min(filled, o.p[0].X)
					} else if o.points() > 0 && it.stroke == frameGrey && len(it.path.ops) > 2 {
						left = min(left, o.p[0].X)
					}
				}
			}
		}
		if !(math.Abs(filled-left) <= 1e-9) || math.IsInf(left, 1) {
			t.Errorf("limits %v: filled from %g on, the frame from %g", limits, filled, left)
		}
	}
}

// TestRulesLieInTheFrame: an end of a bracket may lie where no point of the line has a mean.
func TestRulesLieInTheFrame(t *testing.T) {
	f := &Figure{ID: "bracket", Series: []string{"a"}, Panels: []Panel{{Marks: []Mark{
		&Line{At: []Point{{1, 2}, {2, 3}}}, &Rules{X: []float64{1.5, 4}},
	}}}}
	r := f.reach(f.Panels...)
	if r.x.lo != 1 || r.x.hi != 4 {
		t.Errorf("the frame shows %v to %v, want 1 to 4", r.x.lo, r.x.hi)
	}
}

// TestLinesLeftOutAreData: a panel with nothing but lines left out does not say that it has no data.
func TestLinesLeftOutAreData(t *testing.T) {
	over := &Coordinates{Axes: []Coordinate{{Axis: Axis{Label: "x"}, High: 1}, {Axis: Axis{Label: "y"}, High: 1}}}
	grey := &Tracks{Series: -1, Over: over, Lines: [][]float64{{0, 1}}}
	f := &Figure{ID: "f", Bare: true, X: Axis{Categories: []string{"x", "y"}},
		Panels: []Panel{{Marks: []Mark{grey, over}}, {Marks: []Mark{over}}}}
	if f.Panels[0].empty(f) || !f.Panels[1].empty(f) {
		t.Errorf("without data: %t with grey lines, %t with axes alone; want false, true", f.Panels[0].empty(f), f.Panels[1].empty(f))
	}
}

// TestValuesOf0KeepTheirPlace: a value of 0 has no height on a logarithmic axis, but the frame shows its x, and its panel has data.
func TestValuesOf0KeepTheirPlace(t *testing.T) {
	f := &Figure{ID: "f", OwnX: true, Y: Axis{Log: true},
		Panels: []Panel{{Marks: []Mark{&Line{At: []Point{{1, 0}, {5, 20}, {6, 30}}}}}, {Marks: []Mark{&Line{At: []Point{{2, 0}, {3, -1}}}}}}}
	for i, ends := range [][2]float64{{1, 6}, {2, 3}} {
		if x := arrange(f).xs[i]; x.lo > ends[0] || x.hi < ends[1] || f.Panels[i].empty(f) {
			t.Errorf("panel %d: x from %g to %g for values at %v, without data: %t", i, x.lo, x.hi, ends, f.Panels[i].empty(f))
		}
	}
}

// TestCurvesWithoutStepsAreData: jobs that all wait 0 s have a curve, at a height of its own, to the right of 0.
func TestCurvesWithoutStepsAreData(t *testing.T) {
	for n, want := range []bool{true, false} {
		f := &Figure{ID: "f", X: Axis{Log: true}, Panels: []Panel{{Marks: []Mark{&Steps{Start: 1, N: n, At: []Point{{0, 0}}[:n]}}}}}
		if got := f.Panels[0].empty(f); got != want {
			t.Errorf("curve of %d replications: without data %t, want %t", n, got, want)
		}
	}
}

// TestCurvesLeaveTheFrame: a curve goes through its points beyond the frame, and no line joins their neighbours.
func TestCurvesLeaveTheFrame(t *testing.T) {
	at := []Point{{0, 10}, {2, 500}, {6, 20}, {8, 30}}
	low := []Point{{0, 10}, {2, 0}, {6, 20}, {8, 30}}
	limits := Axis{Limits: &[2]float64{1, 100}}
	for _, c := range []struct {
		name string
		y    Axis
		mark Mark
		want int // parts in the frame
	}{
		{"line", limits, &Line{At: at}, 2}, {"steps", limits, &Steps{At: at}, 2}, {"line to 0", Axis{Log: true}, &Line{At: low}, 2},
		{"steps to 0", Axis{Log: true}, &Steps{Start: 10, At: low}, 2},
		{"steps to the right", limits, &Steps{Start: 5, At: []Point{{2, 20}, {9, 30}, {12, 40}}}, 1},
		{"steps from above", limits, &Steps{Start: 5, At: []Point{{-1, 500}, {2, 20}}}, 1},
	} {
		f := &Figure{ID: "f", Series: []string{"a"}, X: Axis{Limits: &[2]float64{0, 8}}, Y: c.y, Panels: []Panel{{Marks: []Mark{c.mark}}}}
		s := sceneOf(t, f)
		lines := strokes(s, shapeItem{stroke: seriesColour(0), width: lineWidth})
		if len(lines) != c.want {
			t.Errorf("%s: %d parts are in the frame, want %d", c.name, len(lines), c.want)
		}
		if left := arrange(f).area(s, 0).left(1.9); c.name == "steps from above" && lines[0].ops[0].p[0].X < left {
			t.Errorf("%s: the line begins at %v", c.name, lines[0].ops[0].p[0])
		}
	}
}

// TestColumnsLeaveTheFrame: a column beyond the limits is drawn up to the frame, and has no edge there. Without a column the value would
// look like 0, and with an edge like a value at the frame.
func TestColumnsLeaveTheFrame(t *testing.T) {
	for name, c := range map[string]struct {
		mark  Mark
		edges int // at the frame: of the column that ends there, and of its whisker
	}{
		"bars":  {&Bars{At: []Point{{0, 5}, {1, 500}, {2, math.NaN()}, {3, 10}}}, 1},
		"boxes": {&Boxes{Boxes: []Box{{0, 2, 2, 3, 5, 5, nil}, {1, 2, 2, 3, 500, 500, nil}, {3, 2, 2, 3, 10, 10, nil}}}, 2},
	} {
		f := &Figure{ID: "f", Series: []string{"a"}, X: Axis{Categories: []string{"low", "high", "none", "end"}},
			Y: Axis{Limits: &[2]float64{0, 10}}, Panels: []Panel{{Marks: []Mark{c.mark}}}}
		s := sceneOf(t, f)
		a := arrange(f).area(s, 0)
		sides, atTop := 0, 0
		for _, item := range strokes(s, shapeItem{stroke: darker(seriesColour(0), 0.35), width: 0.8}) {
			for i, o := range item.ops {
				if i == 0 || o.points() == 0 {
					continue
				}
				from, to := item.ops[i-1].p[0], o.p[0]
				sides += b2i(from.X == to.X && math.Abs(from.Y-to.Y) > 1 && (from.Y <= a.y || to.Y <= a.y))
				atTop += b2i(from.Y == to.Y && from.Y <= a.y && from.X != to.X)
			}
		}
		if sides != 3 || atTop != c.edges { // the fourth side closes its column
			t.Errorf("%s: %d sides reach the frame, want 3; %d edges at it, want %d", name, sides, atTop, c.edges)
		}
	}
}

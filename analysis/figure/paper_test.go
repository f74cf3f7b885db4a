package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const millimetre = 72 / 25.4

func sceneOf(t *testing.T, f *Figure) *scene {
	t.Helper()
	s, err := f.scene()
	if err != nil {
		t.Fatalf("%s: %v", f.ID, err)
	}
	return s
}

// printed is all text of a scene without spaces: where lines break does not matter.
func printed(s *scene) string {
	var all strings.Builder
	for _, b := range boxes(s) {
		all.WriteString(strings.ReplaceAll(b.s, " ", ""))
	}
	return all.String()
}

// TestNoTextIsCut: at the width of a column of a paper every title, label and name is there in full.
func TestNoTextIsCut(t *testing.T) {
	for _, width := range []float64{0, 85 * millimetre, 60 * millimetre} {
		for _, f := range gallery() {
			f.Width = width
			s := sceneOf(t, f)
			text := printed(s)
			var names []string
			for _, p := range f.Panels {
				names = append(names, p.Title, p.Row)
			}
			if len(f.Series) > 1 {
				names = append(names, f.Series...)
			}
			names = append(names, f.X.Categories...)
			if !f.Bare {
				names = append(names, f.Y.Label)
			}
			if f.Colour != nil {
				names = append(names, f.Colour.Label)
			}
			for _, name := range append(names, f.Title, f.X.Label) {
				if !strings.Contains(text, strings.ReplaceAll(name, " ", "")) {
					t.Errorf("%s at %.0f pt: %q is cut", f.ID, width, name)
				}
			}
			for _, b := range boxes(s) {
				if b.left < -0.5 || b.top < -0.5 || b.right > s.w+0.5 || b.bottom > s.h+0.5 {
					t.Errorf("%s at %.0f pt: %q leaves the page of %g x %g: %+v", f.ID, width, b.s, s.w, s.h, b)
				}
			}
		}
	}
}

// TestLongYTitleOfAColumnWraps is the figure of a reviewer, whose label was cut to "Mean bounded slowdo...o EASY".
func TestLongYTitleOfAColumnWraps(t *testing.T) {
	f := one()
	f.Width, f.Y = 85*millimetre, Axis{Label: "Mean bounded slowdown, ratio to EASY with shortest job first", Log: true}
	var lines []string
	for _, item := range sceneOf(t, f).items {
		if it, ok := item.(textItem); ok && it.angle == 90 {
			lines = append(lines, it.s)
		}
	}
	if got := strings.Join(lines, " "); got != f.Y.Label || len(lines) < 2 {
		t.Errorf("%q", lines)
	}
}

// strokes are the lines of a scene that have the colour.
func strokes(s *scene, of shapeItem) (out []path) {
	for _, item := range s.items {
		if it, ok := item.(shapeItem); ok && it.stroke == of.stroke {
			out = append(out, it.path)
		}
	}
	return out
}

// TestWhiskersBeyondTheFrame: the caption explains whiskers without a cap, and intervals without bounds are not drawn.
func TestWhiskersBeyondTheFrame(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		low, high        float64
		log, drawn, says bool
	}{{1, 2, false, true, false}, {1, 9, false, true, true}, {1, inf, false, true, true}, {-inf, inf, false, false, false},
		{0, inf, false, true, true}, {0, inf, true, false, false}, {0, 2, true, true, true}} {
		f := &Figure{ID: "beyond", Caption: "Means", Series: []string{"a"}, Y: Axis{Limits: &[2]float64{0.5, 3}, Log: c.log},
			Panels: []Panel{{Marks: []Mark{&Line{At: []Point{{0, 1}, {1, 1}}}, &Whiskers{Spans: []Span{{0, c.low, c.high}}}}}}}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		drawn := len(strokes(s, shapeItem{stroke: darker(seriesColour(0), 0.35)})) > 0
		says := strings.Contains(strings.Join(arrange(f).caption, " "), "beyond the frame")
		if drawn != c.drawn || says != c.says {
			t.Errorf("[%g, %g], logarithmic %t: drawn %t, explained %t", c.low, c.high, c.log, drawn, says)
		}
	}
}

// TestIntervalsBeyondTheFrame: bands and crosses have no caps, so the caption tells where they are cut off.
func TestIntervalsBeyondTheFrame(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		mark Mark
		says string
	}{
		{"points", &Line{At: []Point{{0, 1}, {0.5, 9}, {2, 1}, {1, math.NaN()}}}, "2 points lie beyond the frame."},
		{"point", &Line{At: []Point{{0, 1}, {0.5, 9}}}, "One point lies beyond the frame."},
		{"band", &Band{Spans: []Span{{0, 1, 2}, {1, 1, 3}}}, ""},
		{"band", &Band{Spans: []Span{{0, 1, 2}, {1, 1, 9}}}, "Some bands go on beyond the frame."},
		{"band of unknown height", &Band{Spans: []Span{{0, -inf, inf}, {1, 1, 2}}}, ""},
		{"cross", &Crosses{At: []Cross{{Point{0.5, 1}, 0.1, 0.9, 0.6, 2, "", Solid}}}, ""},
		{"cross", &Crosses{At: []Cross{{Point{0.5, 1}, 0.1, 0.9, 0.6, inf, "", Solid}}}, "Some intervals go on beyond the frame."},
		{"cross", &Crosses{At: []Cross{{Point{0.5, 1}, -4, 0.9, 0.6, 2, "", Solid}}}, "Some intervals go on beyond the frame."},
		{"cross of unknown size", &Crosses{At: []Cross{{Point{0.5, 1}, -inf, inf, -inf, inf, "", Solid}}}, ""},
		{"cross without intervals", &Crosses{At: []Cross{{Point{0.5, 1}, math.NaN(), math.NaN(), math.NaN(), math.NaN(), "", Solid}}}, ""},
	} {
		f := &Figure{ID: "beyond", Caption: "Means.", Series: []string{"a"}, X: Axis{Limits: &[2]float64{0, 1}},
			Y: Axis{Limits: &[2]float64{0.5, 3}}, Panels: []Panel{{Marks: []Mark{c.mark}}}}
		if said := strings.Join(arrange(f).caption, " "); said != strings.TrimSpace("Means. "+c.says) {
			t.Errorf("%s: the caption is %q, want %q behind it", c.name, said, c.says)
		}
	}
}

// TestValuesWithoutALogarithm: the caption tells that points and trends of 0 and below are not drawn. A curve of shares that
// falls to 0 loses no point.
func TestValuesWithoutALogarithm(t *testing.T) {
	const says = " Values of 0 and below have no place on the logarithmic axis."
	for _, c := range []struct {
		name string
		x, y bool
		mark Mark
		says string
	}{
		{"points", false, true, &Line{At: []Point{{0, 1}, {1, 0}}}, says},
		{"points to the left", true, false, &Line{At: []Point{{0, 1}, {1, 0}}}, says},
		{"points above", false, true, &Line{At: []Point{{0, 1}, {1, 2}, {2, math.NaN()}}}, ""},
		{"linear axes", false, false, &Line{At: []Point{{0, 1}, {1, -1}}}, ""},
		{"box", false, true, &Boxes{Boxes: []Box{{X: 1, Low: 0, Lower: 1, Median: 2, Upper: 3, High: 4}}}, says},
		{"shares", false, true, &Steps{Start: 1, At: []Point{{1, 0.5}}, Fall: 2}, ""},
	} {
		f := &Figure{ID: "log", Caption: "Means.", Series: []string{"a"}, X: Axis{Log: c.x}, Y: Axis{Log: c.y},
			Panels: []Panel{{Marks: []Mark{c.mark}}}}
		if said := strings.Join(arrange(f).caption, " "); said != "Means."+c.says {
			t.Errorf("%s: the caption is %q, want %q behind it", c.name, said, c.says)
		}
	}
}

// TestBandOfOnePlace: the interval at a single place is drawn too.
func TestBandOfOnePlace(t *testing.T) {
	nan := math.NaN()
	for _, spans := range [][]Span{{{0, 1, 2}}, {{0, 1, 2}, {0.5, nan, nan}, {1, 1, 2}}} {
		f := &Figure{ID: "one", Series: []string{"a"}, Panels: []Panel{{Marks: []Mark{&Band{Spans: spans}, &Line{At: []Point{{0, 1}, {1, 2}}}}}}}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(strokes(s, shapeItem{stroke: translucent(seriesColour(0), 0.3)})), (len(spans)+1)/2; got != want {
			t.Errorf("%v: %d intervals are drawn, want %d", spans, got, want)
		}
	}
}

// TestStepsFromTheLeft: a curve comes into the frame at the height of its last step left of it.
func TestStepsFromTheLeft(t *testing.T) {
	steps := &Steps{At: []Point{{0, 0.4}, {5, 0.6}, {20, 1}}}
	for _, c := range []struct {
		axis Axis
		want float64
		at   int
	}{{Axis{}, 0, 3}, {Axis{Log: true}, 0.4, 2}, {Axis{Limits: &[2]float64{10, 30}}, 0.6, 1}, {Axis{Limits: &[2]float64{5, 30}}, 0.4, 2}} {
		if start, at := steps.from(&Figure{X: c.axis}); start != c.want || len(at) != c.at {
			t.Errorf("%+v: from %g in %d steps, want %g in %d", c.axis, start, len(at), c.want, c.at)
		}
		if n := (&Figure{X: c.axis, Panels: []Panel{{Marks: []Mark{steps}}}}).NotDrawn(); n != 0 {
			t.Errorf("%+v: %d points are missing", c.axis, n)
		}
	}
}

// TestStepsBegin: the axis shows the height at which a curve of shares begins.
func TestStepsBegin(t *testing.T) {
	f := &Figure{Panels: []Panel{{Marks: []Mark{&Steps{Start: 1, At: []Point{{0, 0.6}, {1, 0}}}}}}}
	if y := f.reach(f.Panels...).y; y != (extent{0, 1}) {
		t.Errorf("the axis shows %v", y)
	}
}

// TestStepsBeginAtTheirFirstPlace: a line with a height before its first place comes from the left border, and others do not.
func TestStepsBeginAtTheirFirstPlace(t *testing.T) {
	for start, want := range map[float64]bool{0: true, math.NaN(): false} {
		at := []Point{{2, 1}, {3, 2}}
		f := &Figure{ID: "f", X: Axis{Limits: &[2]float64{0, 4}}, Panels: []Panel{{Marks: []Mark{&Steps{Start: start, At: at}}}}}
		s := sceneOf(t, f)
		l := arrange(f)
		lines := strokes(s, shapeItem{stroke: seriesColour(0), width: lineWidth})
		if len(lines) != 1 {
			t.Fatalf("%d lines", len(lines))
		}
		if left := l.area(s, 0).x; lines[0].ops[0].p[0].X <= left != want {
			t.Errorf("from %g: the line begins at %v, the frame at %g", start, lines[0].ops[0], left)
		}
	}
}

// TestWhiskersStayInsideTheFrame: neither at places beside the frame nor at the ends of the axis does a cap cross it.
func TestWhiskersStayInsideTheFrame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := &Figure{ID: "caps", Columns: 2, Width: rapid.Float64Range(60, 400).Draw(rt, "width"), Y: Axis{Limits: &[2]float64{0, 3}}}
		p := Panel{}
		for s := range rapid.IntRange(1, 4).Draw(rt, "series") {
			f.Series = append(f.Series, fmt.Sprint(s))
			p.Marks = append(p.Marks, &Line{Series: s, At: []Point{{0, 1}, {1, 1}}},
				&Whiskers{Series: s, Spans: []Span{{0, 0, 3}, {1, 0, math.Inf(1)}}})
		}
		f.Panels = []Panel{p, p}
		s, err := f.scene()
		if err != nil {
			rt.Fatal(err)
		}
		l := arrange(f)
		for i := range f.Panels {
			x, y, _, _ := l.plot(i)
			inside := false
			for series := range f.Series {
				for _, path := range strokes(s, shapeItem{stroke: darker(seriesColour(series), 0.35)}) {
					at := path.ops[0].p[0]
					if i == 0 && at.X > x+l.plotW+6 || i == 1 && at.X < x-6 {
						continue // of the other panel
					}
					for _, o := range path.ops {
						q := o.p[0]
						if inside = true; q.X < x || q.X > x+l.plotW || q.Y < y-0.01 || q.Y > y+l.plotH+0.01 {
							rt.Fatalf("whiskers reach %v, the frame is from (%v, %v) to (%v, %v)", q, x, y, x+l.plotW, y+l.plotH)
						}
					}
				}
			}
			if !inside {
				rt.Fatal("no whiskers")
			}
		}
	})
}

// TestLogIntervalToZeroIsOpen: where an interval reaches 0 on a logarithmic axis, the band goes to the frame without an edge,
// and without a wall to its neighbour. The whisker has no cap there.
func TestLogIntervalToZeroIsOpen(t *testing.T) {
	figureOf := func(m Mark) *Figure {
		line := &Line{At: []Point{{1, 10}, {2, 10}, {3, 10}, {4, 10}}}
		return &Figure{ID: "open", Y: Axis{Log: true}, Panels: []Panel{{Marks: []Mark{m, line}}}}
	}
	spans := []Span{{1, 2, 20}, {2, 0, 20}, {3, 3, 20}, {4, 2, 20}}
	f := figureOf(&Band{Spans: spans})
	for _, path := range strokes(sceneOf(t, f), shapeItem{stroke: translucent(seriesColour(0), 0.45)}) {
		for i := 1; i < len(path.ops); i++ {
			p, q := path.ops[i-1].p[0], path.ops[i].p[0]
			if !(math.Abs(q.Y-p.Y) <= math.Abs(q.X-p.X)) {
				t.Errorf("the edge of the band is a wall from %v to %v", p, q)
			}
		}
	}
	caps := 0
	for _, path := range strokes(sceneOf(t, figureOf(&Whiskers{Spans: spans})), shapeItem{stroke: darker(seriesColour(0), 0.35)}) {
		for i := 1; i < len(path.ops); i++ {
			caps += b2i(path.ops[i].p[0].Y == path.ops[i-1].p[0].Y)
		}
	}
	if caps != 2*len(spans)-1 {
		t.Errorf("%d caps of %d intervals, one of which is open below", caps, len(spans))
	}
}

// TestBandEndsBesideWhatCannotBeShown: an interval without bounds, or of zeros on a logarithmic axis, ends the band. Nothing is
// filled towards it.
func TestBandEndsBesideWhatCannotBeShown(t *testing.T) {
	for _, gone := range []Span{{3, 0, 0}, {3, math.Inf(-1), math.Inf(1)}} {
		f := &Figure{ID: "gone", Width: 300, X: Axis{Limits: &[2]float64{1, 4}}, Y: Axis{Log: true}, Panels: []Panel{{Marks: []Mark{
			&Band{Spans: []Span{{1, 2, 20}, {2, 2, 20}, gone, {4, 2, 20}}}, &Line{At: []Point{{1, 10}, {2, 10}, {4, 10}}}}}}}
		right, n := 0.0, 0
		for _, item := range sceneOf(t, f).items {
			if it, ok := item.(shapeItem); ok && it.fill == translucent(seriesColour(0), 0.15) {
				n++
				for _, op := range it.path.ops {
					right = max(right, op.p[0].X)
				}
			}
		}
		if n != 1 || right > 0.55*f.Width {
			t.Errorf("%v: %d bands, up to %g of %g pt", gone, n, right, f.Width)
		}
	}
}

// TestFivePanelsLeaveNoHole: five panels are a row, or a column where the figure is narrow. Labels of the horizontal axis are under
// the last panel of each column, also where there is a hole.
func TestFivePanelsLeaveNoHole(t *testing.T) {
	for _, c := range []struct {
		panels  int
		width   float64
		columns int
	}{{5, 0, 5}, {5, 180 * millimetre, 5}, {5, 85 * millimetre, 1}, {4, 0, 2}, {6, 0, 3}, {7, 0, 4}, {8, 0, 4}, {10, 0, 5},
		{3, 85 * millimetre, 3}, {6, 85 * millimetre, 3}, {1, 20, 1}} {
		if got := (&Figure{Panels: make([]Panel, c.panels), Width: c.width}).chooseColumns(); got != c.columns {
			t.Errorf("%d panels in %.0f pt: %d columns, want %d", c.panels, c.width, got, c.columns)
		}
	}
	ranks := meanRanks()
	ranks.Panels = slices.Repeat(ranks.Panels[:1], 5)
	if got := ranks.chooseColumns(); got != 1 {
		t.Errorf("five diagrams with names at their sides: %d columns, want 1", got)
	}
	f := categories()
	f.Panels, f.Columns = slices.Repeat(f.Panels[:1], 5), 3
	n := 0
	for _, b := range boxes(sceneOf(t, f)) {
		n += b2i(b.s == f.X.Categories[0])
	}
	if n != 3 {
		t.Errorf("the first category is named %d times under 3 columns", n)
	}
}

// TestTicksStandAtPlaces: the values of a sweep have the ticks where their labels fit, on either scale and in units.
func TestTicksStandAtPlaces(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		length float64
		want   []string
	}{
		{Axis{Values: []float64{1, 1.25, 1.5, 2}}, 300, []string{"1", "1.25", "1.5", "2"}},
		{Axis{Values: []float64{1, 2, 4, 8, 16, 32}, Log: true}, 300, []string{"1", "2", "4", "8", "16", "32"}},
		{Axis{Values: []float64{60, 600, 3600}, Unit: "s", Log: true}, 300, []string{"1 min", "10 min", "1 h"}},
		{Axis{Values: []float64{1800, 3600, 7200}, Unit: "s"}, 300, []string{"30", "60", "120"}},
		{Axis{Values: []float64{0.31234567, 0.5, 0.9}}, 300, []string{"0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}},
		{Axis{Values: []float64{1, 2, 4, 8, 16, 32}}, 150, []string{"1", "8", "16", "32"}},
	} {
		s := newScale(&c.axis, extent{c.axis.Values[0], c.axis.Values[len(c.axis.Values)-1]})
		s.labelHorizontally(c.length)
		var got []string
		for _, k := range s.ticks {
			got = append(got, k.label)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v: %s", c.axis.Values, d)
		}
	}
}

// TestHeatShowsCounts: each cell has its number of items, inside the cell.
func TestHeatShowsCounts(t *testing.T) {
	f := heat()
	h := f.Panels[0].Marks[0].(*Heat)
	h.Counts = true
	f.Panels = f.Panels[:1]
	for i := range h.Cells {
		h.Cells[i].Items = []int{3, 950, 1234, 123456, 9_999_999}[i%5]
	}
	counts := 0
	l := arrange(f)
	x, y, _, _ := l.plot(0)
	for _, b := range boxes(sceneOf(t, f)) {
		if slices.Contains([]string{"3", "950", "1.2k", "123k", "10M"}, b.s) && b.left >= x && b.right <= x+l.plotW && b.top >= y &&
			b.bottom <= y+l.plotH+1 {
			counts++
			if b.right-b.left > l.plotW/8 {
				t.Errorf("%q is wider than a cell", b.s)
			}
		}
	}
	if counts != len(h.Cells) {
		t.Errorf("%d counts in %d cells", counts, len(h.Cells))
	}
}

// TestCSVHasTheNumbersOfClasses: names of classes are for people.
func TestCSVHasTheNumbersOfClasses(t *testing.T) {
	f := &Figure{ID: "classes", X: Axis{Categories: []string{"1 min", "1 h"}, Values: []float64{60, 3600}},
		Panels: []Panel{{Marks: []Mark{&Line{At: []Point{{0, 5}, {1, 6}}}}}}}
	if got := string(render(t, f.CSV)); !strings.Contains(got, "line,60,5,") || !strings.Contains(got, "line,3600,6,") {
		t.Error(got)
	}
	f.X.Values, f.X.Categories = []float64{0, 1}, []string{"0", "1"}
	if got := string(render(t, f.Vega)); !strings.Contains(got, `"x": "1"`) || strings.Contains(got, `"x": 1,`) {
		t.Errorf("places of the specification are not the names of its axis: %s", got)
	}
}

// TestCriticalDifferenceBeyondTheFrame: the bar of a difference that is longer than the drawing has no end there.
func TestCriticalDifferenceBeyondTheFrame(t *testing.T) {
	for difference, want := range map[float64]int{0.8: 2, 1.386: 1} {
		ranks := &Ranks{Names: []string{"a", "b"}, Ranks: []float64{1, 2}, Difference: difference}
		s, err := (&Figure{ID: "f", Bare: true, Panels: []Panel{{Marks: []Mark{ranks}}}}).scene()
		if err != nil {
			t.Fatal(err)
		}
		ends := 0
		for _, item := range s.items {
			if line, is := item.(shapeItem); is && len(line.path.ops) == 2 {
				from, to := line.path.ops[0].p[0], line.path.ops[1].p[0]
				ends += b2i(from.X == to.X && to.Y-from.Y == 5)
			}
		}
		if ends != want {
			t.Errorf("a difference of %g has %d ends, want %d", difference, ends, want)
		}
	}
}

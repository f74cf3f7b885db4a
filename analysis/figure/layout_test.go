package figure

import (
	"math"
	"strings"
	"testing"
)

// box is the space that a text takes on the page, for texts that are level or upright.
type box struct {
	s                        string
	left, top, right, bottom float64
	slanted                  bool
}

func boxes(s *scene) []box {
	var out []box
	for _, item := range s.items {
		t, ok := item.(textItem)
		if !ok {
			continue
		}
		_, w := shaped(t.s, t.size, t.bold)
		x := t.start(w)
		sin, cos := math.Sincos(t.angle * math.Pi / 180)
		b := box{s: t.s, left: math.Inf(1), top: math.Inf(1), right: math.Inf(-1), bottom: math.Inf(-1), slanted: t.angle != 0 && t.angle != 90}
		for _, c := range []Point{{x, -capHeight * t.size}, {x + w, -capHeight * t.size}, {x, descent * t.size}, {x + w, descent * t.size}} {
			px, py := t.x+c.X*cos+c.Y*sin, t.y-c.X*sin+c.Y*cos
			b.left, b.right, b.top, b.bottom = min(b.left, px), max(b.right, px), min(b.top, py), max(b.bottom, py)
		}
		out = append(out, b)
	}
	return out
}

func TestTextsStayOnThePageAndApart(t *testing.T) {
	for _, f := range gallery() {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		bs := boxes(s)
		if len(bs) == 0 {
			t.Errorf("%s has no text", f.ID)
		}
		for i, b := range bs {
			if b.left < 0 || b.top < 0 || b.right > s.w || b.bottom > s.h {
				t.Errorf("%s: %q leaves the page of %g x %g: %+v", f.ID, b.s, s.w, s.h, b)
			}
			for _, c := range bs[:i] {
				if b.slanted && c.slanted {
					continue // their boxes overlap, they do not
				}
				const slack = 0.5
				if b.left < c.right-slack && c.left < b.right-slack && b.top < c.bottom-slack && c.top < b.bottom-slack {
					t.Errorf("%s: %q and %q overlap", f.ID, b.s, c.s)
				}
			}
		}
	}
}

func TestNothingIsPaintedOutsideThePage(t *testing.T) {
	for _, f := range gallery() {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		check := func(x, y float64) {
			if !(x >= -0.01 && x <= s.w+0.01 && y >= -0.01 && y <= s.h+0.01) {
				t.Fatalf("%s: (%g, %g) is outside the page of %g x %g", f.ID, x, y, s.w, s.h)
			}
		}
		for _, item := range s.items {
			switch it := item.(type) {
			case shapeItem:
				for _, o := range it.path.ops {
					for k := range o.points() {
						check(o.p[k].X, o.p[k].Y)
					}
				}
			case marksItem:
				for _, p := range it.at {
					check(p.X, p.Y)
				}
			}
		}
	}
}

func TestEveryDrawablePointIsAMark(t *testing.T) {
	for _, f := range gallery() {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		all, marks := 0, 0
		for _, p := range f.Panels {
			all += p.points()
			for _, m := range p.Marks {
				switch m := m.(type) {
				case *Beyond:
					all += len(m.X)
				case *Crosses:
					all += len(m.At)
				case *Line:
					if len(m.At) <= mostMarks {
						all += len(m.At)
					}
				case *Boxes:
					for _, b := range m.Boxes {
						all += len(b.Beyond)
					}
				case *Heat:
					for _, c := range m.Cells {
						all += b2i(math.IsNaN(c.Value))
					}
				case *Published:
					for _, q := range m.At {
						all += b2i(!math.IsNaN(q.Y))
					}
				}
			}
		}
		for _, item := range s.items {
			if m, ok := item.(marksItem); ok {
				marks += len(m.at)
			}
		}
		for _, row := range f.legendRows(f.Width) {
			for _, e := range row {
				marks -= b2i(e.marks)
			}
		}
		if marks != all-f.NotDrawn() {
			t.Errorf("%s: %d marks of %d points, %d of which cannot be drawn", f.ID, marks, all, f.NotDrawn())
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEmptyPanelSaysSo(t *testing.T) {
	s, err := emptyGroup().scene()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range boxes(s) {
		n += b2i(b.s == "no data")
	}
	if n != 1 {
		t.Errorf("%d panels say \"no data\", want 1", n)
	}
}

func TestInvalidFiguresAreRefused(t *testing.T) {
	for want, f := range map[string]*Figure{
		"has no panel":  {ID: "x"},
		"choose one":    {X: Axis{Log: true, Categories: []string{"a"}}, Panels: []Panel{{}}},
		"uses series 3": {Series: []string{"a"}, Panels: []Panel{{Marks: []Mark{&Line{Series: 3}}}}},
		"at most 7200":  {Width: math.NaN(), Panels: []Panel{{}}},
		"must ascend":   {X: Axis{Limits: &[2]float64{2, 1}}, Panels: []Panel{{}}},
		"be positive":   {Y: Axis{Log: true, Limits: &[2]float64{0, 1}}, Panels: []Panel{{}}},
		"height -1":     {Height: -1, Panels: []Panel{{}}},
	} {
		if err := f.SVG(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

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

// A series that is only a reference line has its name there and not in the legend; one that is empty keeps its entry.
func TestLegendWithoutReferenceLines(t *testing.T) {
	names := func(f *Figure) (out []string) {
		for _, row := range f.legendRows(500) {
			for _, e := range row {
				out = append(out, e.name)
			}
		}
		return out
	}
	f := ownRanges()
	if got := strings.Join(names(f), ","); got != "dynamic,fixed" {
		t.Errorf("legend %s", got)
	}
	f.Series[2] = "never run"
	if got := strings.Join(names(f), ","); got != "dynamic,fixed,never run" {
		t.Errorf("legend %s", got)
	}
	f.Series[2] = "no sharing"
	f.Panels[1].Marks = append(f.Panels[1].Marks, &Beyond{Series: 2, X: []float64{1}})
	if got := strings.Join(names(f), ","); got != "dynamic,fixed,no sharing" {
		t.Errorf("legend %s", got)
	}
}

// What has no finite value is at the upper edge, over its x, and does not stretch the vertical axis.
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

// A reference line's label gives way to a curve at the right end.
func TestReferenceLabelsAvoidCurves(t *testing.T) {
	at := func(line []Point) float64 {
		f := one()
		f.Panels[0].Marks = []Mark{&Line{At: line}, &Reference{100, "here"}}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range boxes(s) {
			if b.s == "here" {
				return b.left / s.w
			}
		}
		t.Fatal("no label")
		return 0
	}
	if x := at([]Point{{0, 10}, {9.6e7, 20}, {1e8, 200}}); x > 0.5 {
		t.Errorf("the label is at %g of the width, in the curve", x)
	}
	if x := at([]Point{{0, 10}, {1e8, 50}}); x < 0.5 {
		t.Errorf("the label is at %g of the width although the right end is free", x)
	}
}

// Titles of a row stand on one line though only one of its panels has notes.
func TestPanelTitlesOfARowAlign(t *testing.T) {
	f := dutot()
	f.Columns = len(f.Panels)
	f.Panels[1].Notes = nil
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]float64{}
	for _, item := range s.items {
		if x, ok := item.(textItem); ok && x.bold && x.size == panelSize {
			at[x.s] = x.y
		}
	}
	if at["basic"] == 0 || at["basic"] != at["local"] {
		t.Errorf("titles at %v", at)
	}
}

// Points, whiskers and arrows of several series at one x stand apart.
func TestSeriesStandBesideOneAnother(t *testing.T) {
	for name, marks := range map[string][]Mark{
		"clouds":   {&Cloud{At: []Point{{1, 5}, {2, 5}}}, &Cloud{Series: 1, At: []Point{{1, 5}, {2, 5}}}},
		"whiskers": {&Whiskers{Spans: []Span{{1, 4, 6}, {2, 4, 6}}}, &Whiskers{Series: 1, Spans: []Span{{1, 4, 6}, {2, 4, 6}}}, &Line{At: []Point{{1, 5}, {2, 5}}}, &Line{Series: 1, At: []Point{{1, 5}, {2, 5}}}},
		"arrows":   {&Beyond{X: []float64{1, 2}}, &Beyond{Series: 1, X: []float64{1, 2}}, &Line{At: []Point{{1, 5}}}},
	} {
		s, err := (&Figure{Series: []string{"a", "b"}, Panels: []Panel{{Marks: marks}}}).scene()
		if err != nil {
			t.Fatal(err)
		}
		places := map[Point]bool{}
		for _, item := range s.items {
			if m, ok := item.(marksItem); ok {
				for _, p := range m.at {
					if places[p] {
						t.Errorf("%s: two marks at %v", name, p)
					}
					places[p] = true
				}
			}
		}
	}
}

// Nothing white lies over the data, and whiskers lie over marks that are larger than they.
func TestMarksHideNothing(t *testing.T) {
	for _, f := range gallery() {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		marks := 0
		for i, item := range s.items {
			switch it := item.(type) {
			case marksItem:
				marks = i
				if it.stroke.A > 0 && it.stroke.R > 200 {
					t.Errorf("%s: marks have a white edge", f.ID)
				}
			case shapeItem:
				if it.stroke == white {
					t.Errorf("%s: a line has a white edge", f.ID)
				}
			}
		}
		if f.ID != "categories" {
			continue
		}
		over := 0
		for _, item := range s.items[marks:] {
			if it, ok := item.(shapeItem); ok && it.stroke == darker(seriesColour(0), 0.35) {
				over++
			}
		}
		if over == 0 {
			t.Error("no whisker is painted after the marks")
		}
	}
}

// Limits are the ends of the axis, and what lies outside is counted and not painted.
func TestLimits(t *testing.T) {
	f := one()
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

// Rows have their names at the right, once, and titles stand above the first row only; free vertical scales have labels at
// each panel.
func TestRowsOfPanels(t *testing.T) {
	f := ownRanges()
	f.OwnX, f.OwnY = false, true
	f.Panels = append(f.Panels, f.Panels[0])
	for i := range f.Panels {
		f.Panels[i].Row = []string{"upper", "lower"}[i/2]
		f.Panels[i].Title = []string{"left", "right"}[i%2]
	}
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, b := range boxes(s) {
		n[b.s]++
	}
	for _, name := range []string{"upper", "lower", "left", "right"} {
		if n[name] != 1 {
			t.Errorf("%q stands %d times", name, n[name])
		}
	}
	if n["10 min"] != 4 {
		t.Errorf("%d panels have the label 10 min, want 4", n["10 min"])
	}
	if f.Panels[3].name() != "lower, right" {
		t.Error(f.Panels[3].name())
	}
}

// A reference's label covers no mark while there is room for it beside them.
func TestReferenceLabelsCoverNoMark(t *testing.T) {
	line := &Line{At: []Point{{0, 101}, {1, 99}, {2, 101}, {3, 130}}}
	f := &Figure{Panels: []Panel{{Marks: []Mark{line, &Whiskers{Spans: []Span{{0, 95, 107}, {3, 90, 140}}}, &Reference{100, "a"}}}}}
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	var label box
	for _, b := range boxes(s) {
		if b.s == "a" {
			label = b
		}
	}
	for _, item := range s.items {
		if m, ok := item.(marksItem); ok {
			for _, p := range m.at {
				if p.X > label.left && p.X < label.right && p.Y > label.top && p.Y < label.bottom {
					t.Errorf("the label at %+v covers the mark at %v", label, p)
				}
			}
		}
	}
}

// Beside one another series stay on the page also where places are at the very edge of the plot.
func TestSeriesBesideOneAnotherStayOnThePage(t *testing.T) {
	f := &Figure{ID: "edge"}
	p := Panel{}
	for s := range 5 {
		f.Series = append(f.Series, "")
		at := []Point{{-1, 1}, {-1e-9, 1}} // below 0 the axis ends there
		p.Marks = append(p.Marks, &Line{Series: s, At: at}, &Whiskers{Series: s, Spans: []Span{{-1, 0, 2}, {-1e-9, 0, 2}}})
	}
	f.Panels = []Panel{p}
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range s.items {
		if m, ok := item.(marksItem); ok {
			for _, q := range m.at {
				if q.X > s.w {
					t.Errorf("a mark at %v on a page %v wide", q.X, s.w)
				}
			}
		}
	}
}

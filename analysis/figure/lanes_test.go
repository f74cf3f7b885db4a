package figure

import (
	"math"
	"testing"
)

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
						all += len(b.Beyond) + b2i(len(f.Series) > 1 && !p.shows(m.Series, cloudDepth))
					}
				case *Bars:
					all += b2i(len(f.Series) > 1) * len(m.At)
				case *Heat:
					for _, c := range m.Cells {
						all += b2i(math.IsNaN(c.Value))
					}
				case *Tracks: // lines without marks
					all += f.reach(Panel{Marks: []Mark{m}}).lost
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

// Points, whiskers and arrows of several series at one x stand apart.
func TestSeriesStandBesideOneAnother(t *testing.T) {
	for name, marks := range map[string][]Mark{
		"clouds": {&Cloud{At: []Point{{1, 5}, {2, 5}}}, &Cloud{Series: 1, At: []Point{{1, 5}, {2, 5}}}},
		"whiskers": {&Whiskers{Spans: []Span{{1, 4, 6}, {2, 4, 6}}}, &Whiskers{Series: 1, Spans: []Span{{1, 4, 6}, {2, 4, 6}}},
			&Line{At: []Point{{1, 5}, {2, 5}}}, &Line{Series: 1, At: []Point{{1, 5}, {2, 5}}}},
		"arrows": {&Beyond{X: []float64{1, 2}}, &Beyond{Series: 1, X: []float64{1, 2}}, &Line{At: []Point{{1, 5}}}},
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

// TestColumnsHaveTheShapesOfTheirSeries: in grey print the fills of several series look alike. One series needs no shape.
func TestColumnsHaveTheShapesOfTheirSeries(t *testing.T) {
	box := func(series int) Mark {
		return &Boxes{Series: series, Boxes: []Box{{X: 0, Low: 1, Lower: 2, Median: 3, Upper: 4, High: 5}}}
	}
	bar := func(series int) Mark { return &Bars{Series: series, At: []Point{{0, 3}}} }
	for name, of := range map[string]func(series int) Mark{"boxes": box, "bars": bar} {
		for _, series := range [][]string{{"a"}, {"a", "b"}} {
			f := &Figure{X: Axis{Categories: []string{"x"}}, Series: series, Panels: []Panel{{}}}
			for i := range series {
				f.Panels[0].Marks = append(f.Panels[0].Marks, of(i))
			}
			s, err := f.scene()
			if err != nil {
				t.Fatal(err)
			}
			n := map[shape]int{}
			for _, item := range s.items {
				if m, is := item.(marksItem); is && m.stroke.A > 0 {
					n[m.shape] += len(m.at)
				}
			}
			for i := range series {
				if want := b2i(len(series) > 1); n[seriesShape(i)] != want {
					t.Errorf("%s of %v: %d marks of series %d, want %d", name, series, n[seriesShape(i)], i, want)
				}
			}
		}
	}
}

// TestBoxesOfManyNumbersStandApart: 40 boxes on an axis of numbers do not overlap.
func TestBoxesOfManyNumbersStandApart(t *testing.T) {
	b := &Boxes{}
	for i := range 40 {
		b.Boxes = append(b.Boxes, Box{X: float64(i), Low: 1, Lower: 2, Median: 3, Upper: 4, High: 5})
	}
	f := &Figure{Width: 241, Panels: []Panel{{Marks: []Mark{b}}}} // a column of a paper
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	right, boxes := 0.0, 0
	for _, item := range s.items {
		if it, is := item.(shapeItem); is && it.fill == tint(seriesColour(0), 0.55) {
			if left := it.path.ops[0].p[0].X; left < right {
				t.Errorf("box %d begins at %g, and the one before it ends at %g", boxes, left, right)
			}
			for _, o := range it.path.ops {
				right = max(right, o.p[0].X)
			}
			boxes++
		}
	}
	if boxes != 40 {
		t.Errorf("%d boxes, want 40", boxes)
	}
}

// TestBoxesDoNotHideOneAnother: six series of a narrow figure have boxes side by side, if thin ones.
func TestBoxesDoNotHideOneAnother(t *testing.T) {
	f := &Figure{ID: "f", Width: 200, Series: []string{"a", "b", "c", "d", "e", "f"}, Panels: []Panel{{}}}
	for s := range f.Series {
		f.Panels[0].Marks = append(f.Panels[0].Marks, &Boxes{Series: s, Boxes: []Box{{0.3, 1, 2, 3, 4, 5, nil}, {0.7, 1, 2, 3, 4, 5, nil}}})
	}
	if a := arrange(f).area(&scene{}, 0); a.step < 1 {
		t.Errorf("the boxes are %g pt apart", a.step)
	}
}

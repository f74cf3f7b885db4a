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
						all += len(b.Beyond)
					}
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

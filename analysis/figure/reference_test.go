package figure

import (
	"strings"
	"testing"
)

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

// A reference line's label gives way to a curve at the right end.
func TestReferenceLabelsAvoidCurves(t *testing.T) {
	at := func(line []Point) float64 {
		f := one()
		f.Panels[0].Marks = []Mark{&Line{At: line}, &Reference{Y: 100, Label: "here"}}
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

// A reference's label covers no mark while there is room for it beside them.
func TestReferenceLabelsCoverNoMark(t *testing.T) {
	line := &Line{At: []Point{{0, 101}, {1, 99}, {2, 101}, {3, 130}}}
	coverNoMark(t, line)
	for y := 96.; y < 110; y += .5 { // also of the log itself, which is painted with the references
		coverNoMark(t, line, &Log{At: []Point{{0, 98}, {2.9, y}}})
	}
}

func coverNoMark(t *testing.T, marks ...Mark) {
	t.Helper()
	marks = append([]Mark{&Whiskers{Spans: []Span{{0, 95, 107}, {3, 90, 140}}}, &Reference{Y: 100, Label: "baseline"}}, marks...)
	f := &Figure{Panels: []Panel{{Marks: marks}}}
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	var label box
	for _, b := range boxes(s) {
		if b.s == "baseline" {
			label = b
		}
	}
	for _, item := range s.items {
		if m, ok := item.(marksItem); ok {
			for _, p := range m.at {
				if r := m.radius; p.X > label.left-r && p.X < label.right+r && p.Y > label.top-r && p.Y < label.bottom+r {
					t.Errorf("the label at %+v covers the mark at %v", label, p)
				}
			}
		}
	}
}

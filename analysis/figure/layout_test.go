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
			for _, l := range p.Layers {
				all += len(l.Points)
				if len(l.Line) <= mostMarks {
					all += len(l.Line)
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
		"uses series 3": {Series: []string{"a"}, Panels: []Panel{{Layers: []Layer{{Series: 3}}}}},
		"at most 7200":  {Width: math.NaN(), Panels: []Panel{{}}},
	} {
		if err := f.SVG(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

package figure

import (
	"math"
	"strconv"
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

// TestManyNamesStayApart: the slanted names of many places are small or steep enough not to cover one another.
func TestManyNamesStayApart(t *testing.T) {
	f := &Figure{ID: "f", Series: []string{"a"}}
	bars := &Bars{}
	for i := range 40 {
		f.X.Categories = append(f.X.Categories, strconv.Itoa(1024+i))
		bars.At = append(bars.At, Point{float64(i), 1})
	}
	f.Panels = []Panel{{Marks: []Mark{bars}}}
	l := arrange(f)
	if apart := l.plotW / 40 * math.Sin(l.names.slant*math.Pi/180); l.names.size > apart || l.names.size < 5 {
		t.Errorf("letters of %g pt at lines %g pt apart", l.names.size, apart)
	}
}

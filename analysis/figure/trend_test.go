package figure

import (
	"math"
	"strings"
	"testing"
)

// A slope is that which a reader would take from the axes.
func TestSlopesAreInTheUnitsOfTheAxes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		slope Slope
		x, y  display
		want  string
	}{
		{Slope{Value: 0.0995, Low: 0.088, High: 0.111}, display{factor: 1e6, power: 6}, display{factor: 86400, unit: "days"},
			"slope 1.15 [1.02, 1.28] days per 10⁶"},
		{Slope{Value: 9.02e-5, Low: 8.91e-5, High: 9.13e-5}, display{factor: 1}, display{factor: 1, unit: "s"}, "slope 9.02 [8.91, 9.13]×10⁻⁵ s"},
		{Slope{Value: -3, Low: -4.5, High: -1.5}, display{factor: 1, unit: "B/s"}, display{factor: 1, unit: "s"},
			"slope −3.0 [−4.5, −1.5] s per B/s"},
		{Slope{Value: -3, Low: -4.5, High: -1.5}, display{factor: 1e6, unit: "MB/s"}, display{factor: 3600, unit: "h"},
			"slope −833 [−1250, −417] h per MB/s"},
		{Slope{Value: 31000, Low: 23200, High: 40500}, display{factor: 1}, display{factor: 1, unit: "s", readable: "s"},
			"slope 8.6 [6.4, 11.2] h"},
		{Slope{Value: 2, Low: -inf, High: inf}, display{factor: 1}, display{factor: 1e6, power: 6}, "slope 2.00 [−∞, ∞]"},
		{Slope{Value: 12345.67, Low: 12345.65, High: 12345.69}, display{factor: 1}, display{factor: 1},
			"slope 1.2345670 [1.2345650, 1.2345690]×10⁴"},
		{Slope{Value: 3, Low: 3 - 4e-16, High: 3 + 4e-16}, display{factor: 1}, display{factor: 1}, "slope 3.00 [3.00, 3.00]"},
	} {
		if got := c.slope.text(c.x, c.y); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A straight line that falls to 0 on a logarithmic axis leaves the frame there, at no depth that its last point decides. The caption
// says so.
func TestTrendsThatFallToZero(t *testing.T) {
	f := &Figure{ID: "f", Caption: "Trend.", Series: []string{"a"}, X: Axis{Limits: &[2]float64{0, 4}}, Y: Axis{Log: true}}
	line := &Trend{}
	for i := range 49 {
		x := float64(i) / 12
		line.At = append(line.At, Point{x, 100 * (x - 1 + 1e-9)}) // 1e-7 at 1
	}
	f.Panels = []Panel{{Marks: []Mark{&Line{At: []Point{{1, 30}, {4, 300}}}, line}}}
	l := arrange(f)
	if l.y.lo < 0.2 || l.y.lo > 0.4 {
		t.Errorf("the axis begins at %g, want 30/10² less a margin", l.y.lo)
	}
	if said := strings.Join(l.caption, " "); !strings.Contains(said, "no place for trends at 0 and below") {
		t.Errorf("the caption is %q", said)
	}
	s, err := f.scene()
	if err != nil {
		t.Fatal(err)
	}
	x, y, _, _ := l.plot(0)
	w, h := l.plotW, l.heightOf(0)
	deepest := Point{Y: math.Inf(-1)}
	for _, item := range s.items {
		if it, is := item.(shapeItem); is && len(it.dash) == 4 {
			for _, o := range it.path.ops {
				if o.p[0].Y > deepest.Y {
					deepest = o.p[0]
				}
			}
		}
	}
	if at := (deepest.X - x) / w * 4; !(math.Abs(deepest.Y-y-h) <= 0.1) || at < 1 || at > 1.1 {
		t.Errorf("the line ends at %g, %g pt above the lower edge; want at 1, and at the edge", at, y+h-deepest.Y)
	}
}

package figure

import (
	"cmp"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"

	"schedsweep/sweep/text"
)

// Heat is a map of cells whose colours say values of the figure's axis Colour.
type Heat struct {
	Cells []Cell
	// Joined cells leave no gap between them.
	Joined bool
	// Counts prints the number of items in each cell.
	Counts bool
	N      int // the replications whose items are in the cells
}

// Cell is a rectangle in the units of the axes. A cell without a value (NaN) stays white, with a dot where it has items.
type Cell struct {
	Left, Right, Low, High float64
	Value                  float64
	Items                  int // that the value is of
}

func (*Heat) look() look { return look{series: 0, depth: cloudDepth, layer: "cell"} }

func (h *Heat) reach(r *reach) {
	for _, c := range h.Cells {
		r.points([]Point{{c.Left, c.Low}, {c.Right, c.High}})
		if c.Value > 0 || c.Value == 0 && !r.figure.Colour.Log {
			r.colour.add(c.Value)
		}
	}
}

func (h *Heat) rows(put putRow) {
	for _, c := range h.Cells {
		put("items of cell up to "+full(c.Right), c.Left, float64(c.Items), c.Low, c.High, h.N)
		if !math.IsNaN(c.Value) {
			put("value of cell up to "+full(c.Right), c.Left, c.Value, c.Low, c.High, h.N)
		}
	}
}

func (h *Heat) draw(a *area) {
	if h.Joined {
		h.drawJoined(a)
		return
	}
	const gap = 0.15 // neighbours that meet leave seams in a raster
	dots := marksItem{shape: circle, radius: 0.8, fill: faintGrey}
	for _, c := range h.Cells {
		p, q := a.place(Point{c.Left, c.High}), a.place(Point{c.Right, c.Low})
		switch cell, some := a.cut(corners(p.X+gap, p.Y+gap, q.X-gap, q.Y-gap)); {
		case !some:
		case !math.IsNaN(c.Value):
			a.scene.fill(cell, shade(a.colours.at(c.Value)))
		case c.Items > 0:
			dots.at = append(dots.at, Point{(p.X + q.X) / 2, (p.Y + q.Y) / 2})
		}
	}
	if h.Counts {
		h.drawCounts(a)
		return
	}
	a.scene.marks(dots)
}

// drawJoined draws each cell as a line that is as thick as the cell is high. Cells of one value and height are one path: there may be
// thousands, and a line takes a third of the bytes of a rectangle with a colour.
func (h *Heat) drawJoined(a *area) {
	const over = 0.1 // neighbours that meet leave seams in a raster
	type pen struct{ value, width float64 }
	lines := map[pen]*path{}
	for _, c := range h.Cells {
		p, q := a.place(Point{c.Left, c.High}), a.place(Point{c.Right, c.Low})
		left, right := max(p.X-over, a.x), min(q.X+over, a.x+a.w)
		top, bottom := max(p.Y-over, a.y), min(q.Y+over, a.y+a.h)
		if math.IsNaN(c.Value) || !(left < right && top < bottom) {
			continue
		}
		k := pen{c.Value, math.Round((bottom-top)*100) / 100} // as SVG has it
		line := text.At(lines, k)
		line.move(left, (top+bottom)/2)
		line.point(right, (top+bottom)/2)
	}
	byValue := func(a, b pen) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.width, b.width)) }
	for _, k := range slices.SortedFunc(maps.Keys(lines), byValue) {
		a.scene.stroke(*lines[k], shade(a.colours.at(k.value)), k.width, nil)
	}
}

// drawCounts prints the numbers of items in letters of one size, so small that each is inside its cell.
func (h *Heat) drawCounts(a *area) {
	size := float64(noteSize)
	for _, c := range h.Cells {
		p, q := a.place(Point{c.Left, c.High}), a.place(Point{c.Right, c.Low})
		size = min(size, (q.X-p.X-1)/textWidth(shortCount(c.Items), 1, false), (q.Y-p.Y-1)/capHeight)
	}
	for _, c := range h.Cells {
		p, q := a.place(Point{c.Left, c.High}), a.place(Point{c.Right, c.Low})
		at := Point{(p.X + q.X) / 2, (p.Y + q.Y) / 2}
		if at.X < a.x || at.X > a.x+a.w || at.Y < a.y || at.Y > a.y+a.h || size <= 0 {
			continue
		}
		colour := black
		if !math.IsNaN(c.Value) && a.colours.at(c.Value) > 0.45 { // a dark cell
			colour = white
		}
		a.scene.text(textItem{x: at.X, y: at.Y + size*capHeight/2, s: shortCount(c.Items), size: size, anchor: atMiddle, colour: colour})
	}
}

// shortCount writes a number in at most four letters, such as 950, 1.2k and 120k.
func shortCount(n int) string {
	v, unit, decimals := float64(n), "", 0
	for _, next := range []string{"k", "M"} {
		if v >= 999.5 {
			v, unit = v/1000, next
		}
	}
	if unit != "" && v < 9.95 {
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + unit
}

// shades are nine of viridis (S. van der Walt and N. Smith, 2015), from light to dark: lightness alone tells their order, so
// that they are read in grey and by the colour-blind; white is none of them.
var shades = []color.NRGBA{
	{0xFD, 0xE7, 0x25, 0xFF}, {0xAD, 0xDC, 0x30, 0xFF}, {0x5E, 0xC9, 0x62, 0xFF}, {0x28, 0xAE, 0x80, 0xFF}, {0x21, 0x91, 0x8C, 0xFF},
	{0x2C, 0x72, 0x8E, 0xFF}, {0x3B, 0x52, 0x8B, 0xFF}, {0x47, 0x2D, 0x7B, 0xFF}, {0x44, 0x01, 0x54, 0xFF},
}

func shade(share float64) color.NRGBA {
	at := min(max(share, 0), 1) * float64(len(shades)-1)
	i := min(int(at), len(shades)-2)
	return mixed(shades[i], shades[i+1], at-float64(i))
}

type colourBar struct {
	scale  scale
	title  []string
	width  float64
	height float64 // of all of it; 0 for none
}

const (
	barW      = 200.0 // of the strip of colours, at most
	barH      = 8.0
	barStrips = 50
)

func newColourBar(f *Figure, data extent, width float64) colourBar {
	if f.Colour == nil {
		return colourBar{}
	}
	b := colourBar{width: min(barW, width/2)}
	b.scale = newScale(f.Colour, data)
	if !data.empty() && f.Colour.Limits == nil && data.lo < data.hi { // no room at the ends, which marks need and colours do not
		b.scale.lo, b.scale.hi = data.lo, data.hi
	}
	b.scale.labelHorizontally(b.width)
	b.title = wrap(b.scale.show.title, width-b.width-3*margin, legendSz, false)
	b.height = max(barH+tickMark+tickGap+tickSize, legendSz*lineGap*float64(len(b.title))) + 6
	return b
}

func (b *colourBar) draw(s *scene, width, y float64) {
	if b.height == 0 {
		return
	}
	titleW := 0.0
	if len(b.title) > 0 {
		titleW = widest(b.title, legendSz) + 8
	}
	x := (width - titleW - b.width) / 2
	for i, line := range b.title {
		s.text(textItem{x: x, y: y + barH + legendSz*lineGap*float64(i), s: line, size: legendSz, colour: black})
	}
	x += titleW
	for i := range barStrips {
		strip := rectangle(x+b.width*float64(i)/barStrips, y, x+b.width, y+barH) // the next is painted over it: no seams
		s.fill(strip, shade((float64(i)+0.5)/barStrips))
	}
	for _, t := range b.scale.ticks {
		at := x + b.scale.at(t.at)*b.width
		s.line(at, y+barH, at, y+barH+tickMark, frameGrey, 0.6)
		s.text(textItem{x: at, y: y + barH + tickMark + tickGap + tickSize*capHeight, s: t.label, size: tickSize, anchor: atMiddle,
			colour: black})
	}
}

func (l *layout) describeColours() string {
	if l.figure.Colour == nil {
		return ""
	}
	n := 0
	for i := range l.figure.Panels {
		for _, m := range l.figure.Panels[i].Marks {
			if h, ok := m.(*Heat); ok {
				n += len(h.Cells)
			}
		}
	}
	return " Colours: " + l.bar.scale.show.title + ", of " + strconv.Itoa(n) + " cells."
}

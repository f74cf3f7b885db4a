package figure

import (
	"fmt"
	"math"
)

// Coordinates are the axes of parallel coordinates (A. Inselberg 1985, The Visual Computer 1, 69-91), side by side in a figure that is
// [Figure.Bare]. The figure's categories along X are their names.
type Coordinates struct{ Axes []Coordinate }

// Coordinate is one of the axes.
type Coordinate struct {
	Axis              // with categories, places at equal distances
	Low, High float64 // the ends of the values of an axis without categories
	Levels    []Level // that a reader can choose among; nil of a metric
}

// Level is a value of an axis of the sweep, as selections write it, and its place on the axis.
type Level struct {
	Text  string
	Place float64
}

// Tracks are lines across all axes, one for each item. Those of no series lie grey behind the others.
type Tracks struct {
	Series int
	Over   *Coordinates
	Lines  [][]float64 // of each item its place on each axis: a number, or that of a category; NaN for none
	N      []int       // the replications behind each item; nil where they are not counted
}

func (*Coordinates) look() look { return look{series: -1, depth: referenceDepth} }

func (c *Coordinates) reach(*reach) {}

func (c *Coordinates) rows(putRow) {}

func (t *Tracks) look() look {
	return look{series: t.Series, depth: lineDepth, line: true, layer: "track"}
}

func (t *Tracks) reach(r *reach) {
	if len(t.Lines) > 0 {
		r.points([]Point{{0, 0}, {float64(max(len(t.Over.Axes)-1, 1)), 1}})
	}
	for _, line := range t.Lines {
		for i, v := range line {
			if axis := &t.Over.Axes[i]; axis.Log && v <= 0 {
				r.lost++
				r.low++
			}
		}
	}
}

func (t *Tracks) rows(put putRow) {
	name := "line"
	if t.Series < 0 {
		name = "line left out"
	}
	for k, line := range t.Lines {
		for i, v := range line {
			kind, axis := fmt.Sprintf("%s %d", name, k+1), &t.Over.Axes[i]
			if at := int(v); len(axis.Categories) > 0 && v >= 0 {
				if kind += " at " + axis.Categories[at]; axis.Values == nil {
					v = math.NaN()
				} else {
					v = axis.Values[at]
				}
			}
			put(kind, float64(i), v, math.NaN(), math.NaN(), behind(t.N, k))
		}
	}
}

// coordinate is the place of an axis.
type coordinate struct {
	scale
	x, top, bottom float64
	title          []string
	room           float64 // for a label
}

func (c *coordinate) place(v float64) Point { return Point{c.x, c.bottom - c.at(v)*(c.bottom-c.top)} }

func (c *Coordinate) scale() scale { return newScale(&c.Axis, extent{c.Low, c.High}) }

// placed lays the axes out: those at the ends have room for their labels outside.
func (c *Coordinates) placed(a *area) []coordinate {
	all, head := make([]coordinate, len(c.Axes)), 0.0
	most := a.w / float64(len(all)+1)
	ends := [2]float64{}
	for i := range all {
		o := &all[i]
		o.scale = c.Axes[i].scale()
		o.labelVertically(a.h * 0.85)
		widest := 0.0
		for _, t := range o.ticks {
			widest = max(widest, textWidth(a.figure.written(t.label), tickSize, false)+tickMark+tickGap)
		}
		if i == 0 {
			ends[0] = min(widest, most)
		} else if i == len(all)-1 {
			ends[1] = min(widest, most)
		}
	}
	gap := (a.w - ends[0] - ends[1]) / float64(max(len(all)-1, 1))
	for i := range all {
		o := &all[i]
		o.x, o.room = a.x+ends[0]+gap*float64(i), gap-2*tickMark-tickGap
		at := min(o.x-a.x, a.x+a.w-o.x)
		o.title = wrap(a.figure.written(o.show.title), min(gap-4, max(2*at, gap-4)), noteSize, false)
		head = max(head, noteSize*lineGap*float64(len(o.title)))
		switch i {
		case 0:
			o.room = ends[0] - tickMark - tickGap
		case len(all) - 1:
			o.room = ends[1] - tickMark - tickGap
		}
	}
	for i := range all {
		all[i].top, all[i].bottom = a.y+head+tickSize, a.y+a.h-2
	}
	return all
}

func (t *Tracks) draw(a *area) {
	colour, width := faintGrey, 0.3
	if t.Series >= 0 {
		colour, width = seriesColour(t.Series), 0.7
	}
	if n := len(t.Lines); n > 100 { // so that many lines show where they are dense
		colour = translucent(colour, max(0.25, 100/float64(n)))
	}
	at := t.Over.placed(a)
	for _, line := range t.Lines {
		var places []Point
		for i, v := range line {
			if !t.Over.Axes[i].accepts(v) {
				break
			}
			places = append(places, at[i].place(v))
		}
		a.scene.stroke(through(places...), colour, width, seriesDash(t.Series))
	}
}

func (c *Coordinates) draw(a *area) {
	all := c.placed(a)
	for i := range all {
		o := &all[i]
		a.scene.line(o.x, o.top, o.x, o.bottom, black, 0.9)
		anchor, side := atEnd, -1.0
		half := widest(o.title, noteSize) / 2
		middle := max(a.x-margin+half, min(o.x, a.x+a.w-half))
		for k, line := range o.title {
			a.scene.text(textItem{x: middle, y: a.y + noteSize*(capHeight+lineGap*float64(k)), s: line, size: noteSize, anchor: atMiddle,
				colour: black})
		}
		if i > 0 && i == len(all)-1 {
			anchor, side = atStart, 1
		}
		free := math.Inf(1)
		for k := range o.ticks {
			p := o.place(o.ticks[k].at)
			a.scene.line(p.X, p.Y, p.X+side*tickMark, p.Y, black, 0.6)
			if free-p.Y < tickSize*1.15 && k > 0 {
				continue // the next below is too near
			}
			free = p.Y
			lines, size := shrunk(a.figure.written(o.ticks[k].label), max(o.room, 1), tickSize*2.4, tickSize, false)
			width := widest(lines, size)
			t := textItem{x: p.X + side*(tickMark+tickGap), size: size, anchor: anchor, colour: black}
			left := t.x
			if side < 0 {
				left -= width
			}
			tall := size*lineGap*float64(len(lines))/2 + 0.5
			a.scene.fill(rectangle(left-1, p.Y-tall, left+width+1, p.Y+tall), translucent(white, 0.75))
			for n, s := range lines {
				t.s, t.y = s, p.Y+size*(capHeight/2+lineGap*(float64(n)-float64(len(lines)-1)/2))
				a.scene.text(t)
			}
		}
	}
}

// levels are the spots of values that a reader can choose among.
func (a *area) levels(panel int, c *Coordinates) (out []Spot) {
	for i, o := range c.placed(a) {
		for _, l := range c.Axes[i].Levels {
			p, name := o.place(l.Place), a.figure.X.Categories[i]
			out = append(out, Spot{Panel: panel, Kind: "level", X: float64(i), Y: l.Place, Low: math.NaN(), High: math.NaN(), Left: p.X, Top: p.Y,
				Text: a.figure.written(name) + ": " + a.figure.written(l.Text), Level: [2]string{name, l.Text}})
		}
	}
	return out
}

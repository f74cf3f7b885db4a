package figure

import (
	"image/color"
	"math"
)

// Crosses are places with an interval in each direction.
type Crosses struct {
	Series int
	At     []Cross
}

// Cross is one of them. Infinite ends of intervals are cut at the panel, NaN ones are not drawn.
type Cross struct {
	Point
	XLow, XHigh, YLow, YHigh float64
	Name                     string // for the CSV, such as "dominated"
	Fill                     Fill
}

// Fill is the inside of a marker.
type Fill int

// The insides.
const (
	Solid Fill = iota
	Pale
	Hollow
)

func (c *Crosses) look() look { return look{series: c.Series, depth: whiskerDepth, marks: true} }

func (c *Crosses) reach(r *reach) {
	for _, k := range c.At {
		r.points([]Point{k.Point})
		r.spans = append(r.spans, Span{k.X, k.YLow, k.YHigh})
		r.across = append(r.across, Span{k.Y, k.XLow, k.XHigh})
	}
}

func (c *Crosses) rows(put putRow) {
	for _, k := range c.At {
		put(k.Name, k.X, k.Y, math.NaN(), math.NaN())
		put("interval of x", math.NaN(), k.Y, k.XLow, k.XHigh)
		put("interval of y", k.X, math.NaN(), k.YLow, k.YHigh)
	}
}

func (c *Crosses) draw(a *area) {
	colour := seriesColour(c.Series)
	bars, m := darker(colour, 0.2), marksItem{shape: seriesShape(c.Series), radius: 3.2, stroke: darker(colour, 0.3), width: 1}
	for _, k := range c.At {
		if !a.figure.drawable(k.Point) {
			continue
		}
		bar := func(from, to Point) {
			if from, to = a.place(from), a.place(to); !math.IsNaN(from.X + from.Y + to.X + to.Y) { // infinities are far away by now
				a.stroke([]Point{from, to}, bars, 0.9, nil)
			}
		}
		bar(Point{k.X, k.YLow}, Point{k.X, k.YHigh})
		bar(Point{k.XLow, k.Y}, Point{k.XHigh, k.Y})
		m.fill, m.at = []color.NRGBA{Solid: colour, Pale: tint(colour, 0.6), Hollow: white}[k.Fill], []Point{a.place(k.Point)}
		a.scene.marks(m)
	}
}

// Front is a line through the corners of a Pareto front, in the units of the axes; infinite ends are cut at the panel.
type Front struct{ Corners []Point }

func (*Front) look() look { return look{series: -1, depth: bandDepth} }

func (*Front) reach(*reach) {}

func (*Front) rows(putRow) {} // the places on it say so

func (f *Front) draw(a *area) {
	places := make([]Point, len(f.Corners))
	for i, c := range f.Corners {
		places[i] = a.place(c)
	}
	a.stroke(places, frameGrey, 0.9, []float64{4, 2})
}

package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"schedsweep/sweep/text"
)

// Cloud is many points, translucent.
type Cloud struct {
	Series int
	Name   string // of a point, for the CSV; "" is "point"
	At     []Point
}

func (c *Cloud) look() look {
	return look{series: c.Series, depth: cloudDepth, marks: true, column: true, layer: "point"}
}

func (c *Cloud) reach(r *reach) { r.points(c.At) }

func (c *Cloud) rows(put putRow) {
	put.points(cmp.Or(c.Name, "point"), c.At)
}

func (c *Cloud) draw(a *area) {
	radius, alpha := cloudStyle(a.panel.points())
	if a.panel.shows(c.Series, lineDepth, whiskerDepth) {
		alpha *= 0.7 // readers look at the summary
	}
	m := marksItem{shape: seriesShape(c.Series), radius: radius, fill: translucent(seriesColour(c.Series), alpha)}
	shift, width := a.lane(c.Series)
	for k, q := range c.At {
		if a.figure.drawable(q) {
			place := a.place(q)
			place.X += shift + width*jitter(k)
			m.at = append(m.at, place)
		}
	}
	a.scene.marks(m)
}

// shows reports whether the panel has a mark of the series at one of the depths.
func (p *Panel) shows(series int, depths ...depth) bool {
	return slices.ContainsFunc(p.Marks, func(m Mark) bool { return m.look().series == series && slices.Contains(depths, m.look().depth) })
}

func (p *Panel) points() int {
	n := 0
	for _, m := range p.Marks {
		if c, ok := m.(*Cloud); ok {
			n += len(c.At)
		}
	}
	return n
}

func cloudStyle(n int) (radius, alpha float64) {
	switch {
	case n <= 60:
		return 2.1, 0.75
	case n <= 300:
		return 1.8, 0.5
	case n <= 1500:
		return 1.5, 0.35
	default:
		return 1.2, 0.22
	}
}

// jitter spreads the k-th point evenly over (-1/2, 1/2): multiples of the golden ratio leave no clumps and need no chance.
func jitter(k int) float64 {
	_, frac := math.Modf(float64(k)*0.6180339887498949 + 0.5)
	return frac - 0.5
}

// Crosses are places with an interval in each direction.
type Crosses struct {
	Series int
	At     []Cross
	N      []int // the replications behind each; nil where they are not counted
}

// Cross is one of them. Infinite ends of intervals are cut at the panel. An interval without bounds is not drawn.
type Cross struct {
	Point
	XLow, XHigh, YLow, YHigh float64
	Name                     string // for the CSV, such as "dominated"
	Fill                     Fill
}

// Spans returns the intervals of y and of x.
func (k *Cross) Spans() (upright, across Span) {
	return Span{k.X, k.YLow, k.YHigh}, Span{k.Y, k.XLow, k.XHigh}
}

// Fill is the inside of a marker.
type Fill int

// The insides.
const (
	Solid Fill = iota
	Pale
	Hollow
)

func (c *Crosses) look() look {
	return look{series: c.Series, depth: whiskerDepth, marks: true, layer: "mark"}
}

func (c *Crosses) reach(r *reach) {
	for _, k := range c.At {
		r.points([]Point{k.Point})
		upright, across := k.Spans()
		r.spans, r.across = append(r.spans, upright), append(r.across, across)
	}
}

func (c *Crosses) rows(put putRow) {
	for i, k := range c.At {
		n := behind(c.N, i)
		put(k.Name, k.X, k.Y, math.NaN(), math.NaN(), n)
		put("interval of x", math.NaN(), k.Y, k.XLow, k.XHigh, n)
		put("interval of y", k.X, math.NaN(), k.YLow, k.YHigh, n)
	}
}

func (c *Crosses) draw(a *area) {
	colour := seriesColour(c.Series)
	bars, m := darker(colour, 0.2), marksItem{shape: seriesShape(c.Series), radius: 3.2, stroke: darker(colour, 0.3), width: 1}
	for _, k := range c.At {
		if !a.figure.drawable(k.Point) {
			continue
		}
		upright, across := k.Spans()
		if !upright.Hidden(a.ys.log) {
			a.stroke([]Point{a.place(Point{k.X, k.YLow}), a.place(Point{k.X, k.YHigh})}, bars, 0.9, nil)
		}
		if !across.Hidden(a.xs.log) {
			a.stroke([]Point{a.place(Point{k.XLow, k.Y}), a.place(Point{k.XHigh, k.Y})}, bars, 0.9, nil)
		}
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
	a.stroke(text.Each(f.Corners, a.place), frameGrey, 0.9, []float64{4, 2})
}

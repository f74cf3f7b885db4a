package figure

import (
	"image/color"
	"math"
	"slices"
)

// Boxes are boxes of quartiles with whiskers and what lies beyond them.
type Boxes struct {
	Series int
	Boxes  []Box
	N      []int // the replications that each sums up; nil where they are not counted
}

// Box sums up numbers at X: Low and High are the ends of the whiskers, Beyond the values outside them.
type Box struct {
	X, Low, Lower, Median, Upper, High float64
	Beyond                             []float64
}

func (b *Boxes) look() look {
	return look{series: b.Series, depth: whiskerDepth, marks: true, column: true, layer: "point"}
}

func (b *Boxes) reach(r *reach) {
	for _, k := range b.Boxes {
		r.points([]Point{{k.X, k.Low}, {k.X, k.High}})
		for _, v := range k.Beyond {
			r.points([]Point{{k.X, v}})
		}
	}
}

func (b *Boxes) rows(put putRow) {
	for i, k := range b.Boxes {
		put("median, quartiles", k.X, k.Median, k.Lower, k.Upper, behind(b.N, i))
		put("whiskers", k.X, math.NaN(), k.Low, k.High, behind(b.N, i))
		for _, v := range k.Beyond {
			put(beyondKind, k.X, v, math.NaN(), math.NaN(), 0)
		}
	}
}

func (b *Boxes) draw(a *area) {
	edge := darker(seriesColour(b.Series), 0.35)
	shift, width := a.columnOf(b.Series)
	half := min(0.42*width, 16)
	for _, k := range b.Boxes {
		x := a.left(k.X) + shift
		if !(x >= a.x && x <= a.x+a.w) || math.IsNaN(k.Low+k.Lower+k.Median+k.Upper+k.High) {
			continue
		}
		a.stroke([]Point{{x, a.top(k.High)}, {x, a.top(k.Upper)}}, edge, 0.8, nil)
		a.stroke([]Point{{x, a.top(k.Lower)}, {x, a.top(k.Low)}}, edge, 0.8, nil)
		for _, v := range []float64{k.Low, k.High} {
			a.across(v, x-half/2, x+half/2, edge, 0.8)
		}
		fill := tint(seriesColour(b.Series), 0.55)
		if a.panel.shows(b.Series, cloudDepth) { // which would be hidden
			fill = color.NRGBA{}
		}
		a.column(corners(x-half, a.top(k.Upper), x+half, a.top(k.Lower)), fill, edge)
		a.across(k.Median, x-half, x+half, darker(edge, 0.3), 2)
		if !a.panel.shows(b.Series, cloudDepth) { // whose points have the series' shape
			a.markColumn(b.Series, Point{k.X, k.Median}, half)
		}
		m := marksItem{shape: circle, radius: 1.3, fill: translucent(edge, 0.5)}
		for _, v := range k.Beyond {
			if q := (Point{k.X, v}); a.figure.drawable(q) {
				m.at = append(m.at, Point{x, a.top(v)})
			}
		}
		a.scene.marks(m)
	}
}

// thinnestColumn is the least width of a column, in points.
const thinnestColumn = 3.0

// columnOf is the place and width of a series' marks in a column: a lane, or where there are none a piece of the area that keeps
// columns at neighbouring places apart.
func (a *area) columnOf(series int) (shift, width float64) {
	if a.step > 0 {
		shift, _ = a.lane(series)
		return shift, a.step
	}
	xs, _ := a.columnPlaces()
	return 0, max(min(widestStep, a.gap(xs)), thinnestColumn)
}

// column draws the part of a box that lies in the area. It has no edge where it runs out of the area.
func (a *area) column(box []Point, fill, edge color.NRGBA) {
	inside := a.clipPolygon(box)
	if len(inside) > 2 && fill.A > 0 {
		a.scene.fill(through(inside...).close(), fill)
	}
	if slices.Equal(inside, box) {
		a.scene.stroke(through(box...).close(), edge, 0.8, nil)
	} else {
		a.stroke(append(box, box[0]), edge, 0.8, nil)
	}
}

// markColumn puts the shape of a series on its column at an estimate, no wider than the column: in grey print the fills of several
// series look alike.
func (a *area) markColumn(series int, at Point, half float64) {
	if len(a.figure.Series) < 2 {
		return
	}
	colour := seriesColour(series)
	a.scene.marks(marksItem{shape: seriesShape(series), radius: min(2.3, half), fill: colour, stroke: darker(colour, 0.35), width: 0.6,
		at: a.places(series, []Point{at})})
}

// Bars are bars from 0, those of several series side by side. One that is longer than the axis runs out of the frame, where it has no edge.
type Bars struct {
	Series int
	At     []Point
	N      []int // the replications behind each bar; nil where they are not counted
}

func (b *Bars) look() look {
	return look{series: b.Series, depth: lineDepth, marks: true, column: true, layer: "bar"}
}

func (b *Bars) reach(r *reach) {
	r.points(b.At)
	r.height(0)
}

func (b *Bars) rows(put putRow) {
	put.points("bar", b.At, b.N...)
}

func (b *Bars) draw(a *area) {
	c := seriesColour(b.Series)
	shift, width := a.columnOf(b.Series)
	half := min(0.45*width, 24)
	for _, p := range b.At {
		if !a.figure.X.accepts(p.X) || !(math.Abs(p.Y) <= largest) {
			continue
		}
		x := a.left(p.X) + shift
		a.column(corners(x-half, a.top(p.Y), x+half, a.top(0)), tint(c, 0.45), darker(c, 0.35))
		a.markColumn(b.Series, p, half)
	}
}

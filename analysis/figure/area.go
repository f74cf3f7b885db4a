package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedsweep/sweep/text"
)

type area struct {
	x, y, w, h  float64
	xs, ys      *scale
	colours     *scale
	figure      *Figure
	panel       *Panel
	scene       *scene
	lanes       []int      // the series that stand beside one another
	step        float64    // from lane to lane, in points
	first, last int        // the scene's items that references must not cover
	labels      []labelBox // of references so far
}

func (a *area) left(v float64) float64 { return a.x + a.xs.at(v)*a.w }
func (a *area) top(v float64) float64  { return a.y + (1-a.ys.at(v))*a.h }

func (a *area) place(p Point) Point { return Point{a.left(p.X), a.top(p.Y)} }

func (a *area) drawMarks() {
	a.first = len(a.scene.items)
	a.last = a.first
	for _, m := range a.panel.painted() {
		m.draw(a)
		if _, line := m.(*Reference); !line {
			a.last = len(a.scene.items)
		}
	}
}

// widestStep is the most by which series stand beside one another on an axis of numbers, in points.
const widestStep = 7.0

// laneStep shares the width of a category among the series, and on an axis of numbers the distance of the places that
// several have. It is 0 where the shift is too small to see, or where no mark hides another.
func (a *area) laneStep() float64 {
	n := float64(len(a.lanes))
	if c := len(a.figure.X.Categories); c > 0 {
		return 0.8 * a.w / float64(c) / n
	}
	xs, series := a.columnPlaces()
	if series < 2 {
		return 0
	}
	room := a.w // from the outermost places to the edge of the page
	for _, x := range xs {
		if x >= a.x && x <= a.x+a.w {
			room = min(room, x-a.x+margin/2, a.x+a.w-x+margin/2)
		}
	}
	least := 2.0
	if slices.ContainsFunc(a.panel.Marks, func(m Mark) bool { _, box := m.(*Boxes); return box }) {
		least = 0.5 // a box hides all behind it
	}
	if step := min(widestStep, 0.7*a.gap(xs)/n, 1.6*padding*a.w/n, 2*room/n); step >= least {
		return step
	}
	return 0
}

// columnPlaces are the places across the area of marks that take width, and how many series have some.
func (a *area) columnPlaces() (xs []float64, series int) {
	columns := map[int]bool{}
	for _, m := range a.panel.Marks {
		if l := m.look(); l.column {
			columns[l.series] = true
			m.rows(func(_ string, x, _, _, _ float64, _ int) { xs = append(xs, a.left(x)) })
		}
	}
	return xs, len(columns)
}

// gap is the least distance of different places across the area; its width where there is one place.
func (a *area) gap(xs []float64) float64 {
	slices.Sort(xs)
	gap := a.w
	for i := 1; i < len(xs); i++ {
		if d := xs[i] - xs[i-1]; d > 1e-6*a.w {
			gap = min(gap, d)
		}
	}
	return gap
}

// lane is the offset of a series at its places: the shift of its centre and the width for jitter, in points.
func (a *area) lane(series int) (shift, width float64) {
	i := slices.Index(a.lanes, series)
	if i < 0 || a.step == 0 {
		return 0, 0
	}
	return a.step * (float64(i) - float64(len(a.lanes)-1)/2), a.step * 0.7
}

// places returns where the points of a series are that the axes can show, in its lane.
func (a *area) places(series int, points []Point) []Point {
	shift, _ := a.lane(series)
	var out []Point
	for _, q := range points {
		if a.figure.drawable(q) {
			place := a.place(q)
			out = append(out, Point{place.X + shift, place.Y})
		}
	}
	return out
}

func (a *area) drawGrid() {
	s := a.scene
	for _, v := range a.xs.minor {
		s.line(a.left(v), a.y, a.left(v), a.y+a.h, gridGrey, 0.2)
	}
	for _, v := range a.ys.minor {
		s.line(a.x, a.top(v), a.x+a.w, a.top(v), gridGrey, 0.2)
	}
	if len(a.xs.names) == 0 {
		for _, t := range a.xs.ticks {
			s.line(a.left(t.at), a.y, a.left(t.at), a.y+a.h, gridGrey, 0.6)
		}
	}
	for _, t := range a.ys.ticks {
		s.line(a.x, a.top(t.at), a.x+a.w, a.top(t.at), gridGrey, 0.6)
	}
	if a.ys.lo < 0 && a.ys.hi > 0 && !a.ys.log {
		s.line(a.x, a.top(0), a.x+a.w, a.top(0), frameGrey, 0.6)
	}
}

func (a *area) drawFrame() {
	s := a.scene
	s.stroke(rectangle(a.x, a.y, a.x+a.w, a.y+a.h), frameGrey, 0.6, nil)
	for _, t := range a.xs.ticks {
		s.line(a.left(t.at), a.y+a.h, a.left(t.at), a.y+a.h+tickMark, frameGrey, 0.6)
	}
	for _, t := range a.ys.ticks {
		s.line(a.x-tickMark, a.top(t.at), a.x, a.top(t.at), frameGrey, 0.6)
	}
}

// cut is the part of a polygon that lies in the area; some tells whether there is any.
func (a *area) cut(corners []Point) (inside path, some bool) {
	ps := a.clipPolygon(corners)
	return through(ps...).close(), len(ps) > 2
}

// stroke draws the part of a polyline that lies in the area.
func (a *area) stroke(places []Point, c color.NRGBA, width float64, dash []float64) {
	at := func(p Point) vg.Point { return vg.Point{X: vg.Length(p.X), Y: vg.Length(p.Y)} }
	inside := draw.Canvas{Rectangle: vg.Rectangle{Min: at(Point{a.x, a.y}), Max: at(Point{a.x + a.w, a.y + a.h})}}
	for _, part := range inside.ClipLinesXY(text.Each(places, at)) {
		var p path
		for _, q := range part {
			p.point(float64(q.X), float64(q.Y))
		}
		a.scene.stroke(p, c, width, dash)
	}
}

// upright draws a line across the area at a value of its horizontal axis, if it has that.
func (a *area) upright(v float64, c color.NRGBA, width float64, dash []float64) {
	if x := a.left(v); x >= a.x && x <= a.x+a.w {
		a.scene.stroke(through(Point{x, a.y}, Point{x, a.y + a.h}), c, width, dash)
	}
}

// across is upright for a value of the vertical axis, from one place to another.
func (a *area) across(v, from, to float64, c color.NRGBA, width float64) {
	if y := a.top(v); y >= a.y && y <= a.y+a.h {
		a.scene.line(max(from, a.x), y, min(to, a.x+a.w), y, c, width)
	}
}

// clipPolygon cuts a polygon at the borders of the area (Sutherland and Hodgman 1974, Communications of the ACM 17, 32-42).
func (a *area) clipPolygon(ps []Point) []Point {
	inside := []func(Point) float64{
		func(p Point) float64 { return p.X - a.x },
		func(p Point) float64 { return a.x + a.w - p.X },
		func(p Point) float64 { return p.Y - a.y },
		func(p Point) float64 { return a.y + a.h - p.Y },
	}
	for _, distance := range inside {
		var out []Point
		for i, p := range ps {
			q := ps[(i+len(ps)-1)%len(ps)]
			dp, dq := distance(p), distance(q)
			if dp >= 0 != (dq >= 0) {
				t := dq / (dq - dp)
				out = append(out, Point{q.X + t*(p.X-q.X), q.Y + t*(p.Y-q.Y)})
			}
			if dp >= 0 {
				out = append(out, p)
			}
		}
		ps = out
	}
	return ps
}

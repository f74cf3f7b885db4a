package figure

import "slices"

// area is the plot area of a panel on the scene.
type area struct {
	x, y, w, h  float64
	xs, ys      *scale
	figure      *Figure
	panel       *Panel
	scene       *scene
	lanes       []int      // the series that share a category's width
	first, last int        // the scene's items that references must not cover
	labels      []labelBox // of references so far
}

func (a *area) left(v float64) float64 { return a.x + a.xs.at(v)*a.w }
func (a *area) top(v float64) float64  { return a.y + a.h - a.ys.at(v)*a.h }

func (a *area) place(p Point) Point { return Point{a.left(p.X), a.top(p.Y)} }

// drawMarks paints what the panel shows.
func (a *area) drawMarks() {
	a.first = len(a.scene.items)
	a.last = a.first
	for _, m := range a.panel.painted() {
		m.draw(a)
		if m.depth() < referenceDepth {
			a.last = len(a.scene.items)
		}
	}
}

// lane is the part of a category's width that belongs to a series: the shift of its centre and the width for jitter, in
// points; both are 0 on an axis of numbers.
func (a *area) lane(series int) (shift, width float64) {
	i := slices.Index(a.lanes, series)
	if len(a.figure.X.Categories) == 0 || i < 0 {
		return 0, 0
	}
	lane := 0.8 * a.w / float64(len(a.figure.X.Categories)) / float64(len(a.lanes))
	return lane * (float64(i) - float64(len(a.lanes)-1)/2), lane * 0.7
}

// drawGrid paints the thin lines behind the data: major ones, and fainter minor ones on logarithmic axes.
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

// drawFrame paints the box and its tick marks over the data.
func (a *area) drawFrame() {
	s := a.scene
	var box path
	box.point(a.x, a.y)
	box.point(a.x+a.w, a.y)
	box.point(a.x+a.w, a.y+a.h)
	box.point(a.x, a.y+a.h)
	s.stroke(box.close(), frameGrey, 0.6, nil)
	for _, t := range a.xs.ticks {
		s.line(a.left(t.at), a.y+a.h, a.left(t.at), a.y+a.h+tickMark, frameGrey, 0.6)
	}
	for _, t := range a.ys.ticks {
		s.line(a.x-tickMark, a.top(t.at), a.x, a.top(t.at), frameGrey, 0.6)
	}
}

package figure

// area is one plot area on the scene.
type area struct {
	x, y, w, h float64
	xs, ys     *scale
}

func (a *area) left(v float64) float64 { return a.x + a.xs.at(v)*a.w }
func (a *area) top(v float64) float64  { return a.y + a.h - a.ys.at(v)*a.h }

func (a *area) place(p Point) Point { return Point{a.left(p.X), a.top(p.Y)} }

// drawGrid paints the thin lines behind the data: major ones, and fainter minor ones on logarithmic axes.
func (a *area) drawGrid(s *scene) {
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
func (a *area) drawFrame(s *scene) {
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

package figure

import "image/color"

// cut is the part of a polygon that lies in the area; some tells whether there is any.
func (a *area) cut(corners []Point) (inside path, some bool) {
	ps := a.clipPolygon(corners)
	return through(ps...).close(), len(ps) > 2
}

// stroke draws the part of a polyline that lies in the area.
func (a *area) stroke(places []Point, c color.NRGBA, width float64, dash []float64) {
	for _, piece := range a.clipLine(places) {
		a.scene.stroke(piece, c, width, dash)
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

// clipLine cuts a polyline at the borders; the pieces inside come back as paths
// (Liang and Barsky 1984, ACM Transactions on Graphics 3, 1-22).
func (a *area) clipLine(ps []Point) []path {
	var pieces []path
	var piece path
	var end Point
	for i := 1; i < len(ps); i++ {
		from, to, ok := a.clipSegment(ps[i-1], ps[i])
		if !ok {
			continue
		}
		if len(piece.ops) == 0 || from != end {
			if len(piece.ops) > 1 {
				pieces = append(pieces, piece)
			}
			piece = path{}
			piece.point(from.X, from.Y)
		}
		piece.point(to.X, to.Y)
		end = to
	}
	if len(piece.ops) > 1 {
		pieces = append(pieces, piece)
	}
	return pieces
}

func (a *area) clipSegment(p, q Point) (Point, Point, bool) {
	dx, dy := q.X-p.X, q.Y-p.Y
	t0, t1 := 0.0, 1.0
	for _, c := range [][2]float64{{-dx, p.X - a.x}, {dx, a.x + a.w - p.X}, {-dy, p.Y - a.y}, {dy, a.y + a.h - p.Y}} {
		switch {
		case c[0] == 0:
			if c[1] < 0 {
				return p, q, false
			}
		case c[0] < 0:
			t0 = max(t0, c[1]/c[0])
		default:
			t1 = min(t1, c[1]/c[0])
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	from, to := p, q
	if t0 > 0 {
		from = Point{p.X + t0*dx, p.Y + t0*dy}
	}
	if t1 < 1 {
		to = Point{p.X + t1*dx, p.Y + t1*dy}
	}
	return from, to, true
}

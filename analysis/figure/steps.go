package figure

import "math"

// Steps is a line that keeps the height of each place up to the next, and comes from Start at the left border and leaves at
// the right one, or falls to 0 before.
type Steps struct {
	Series int
	Name   string // of a place, for the CSV; "" is "step"
	Start  float64
	// Fall is where it falls to 0, which a logarithmic axis does not have; 0 for nowhere.
	Fall float64
	At   []Point
}

func (s *Steps) of() int { return s.Series }

func (*Steps) depth() depth { return lineDepth }

func (*Steps) key() key { return key{line: true} }

func (s *Steps) reach(r *reach) {
	r.points(s.At)
	if s.Fall > 0 && r.figure.X.accepts(s.Fall) {
		r.x.add(s.Fall)
	}
}

func (s *Steps) rows(put func(string, float64, float64, float64, float64)) {
	putPoints(put, named(s.Name, "step"), s.At)
	if s.Fall > 0 {
		put(named(s.Name, "step"), s.Fall, 0, math.NaN(), math.NaN())
	}
}

func (s *Steps) draw(a *area) {
	y := a.top(s.Start)
	places := []Point{{a.x, y}}
	for _, q := range a.figure.sorted(s.At) {
		p := a.place(q)
		places = append(places, Point{p.X, y}, p)
		y = p.Y
	}
	if x := a.left(s.Fall); s.Fall > 0 {
		places = append(places, Point{x, y}, Point{x, a.y + a.h})
	} else {
		places = append(places, Point{a.x + a.w, y})
	}
	for _, p := range a.clipLine(places) {
		a.scene.stroke(p, seriesColour(s.Series), lineWidth, seriesDash(s.Series))
	}
}

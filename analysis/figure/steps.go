package figure

import (
	"cmp"
	"math"
)

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

func (s *Steps) look() look { return look{series: s.Series, depth: lineDepth, line: true} }

func (s *Steps) reach(r *reach) {
	r.points(s.At)
	if s.Fall > 0 && r.figure.X.accepts(s.Fall) {
		r.x.add(s.Fall)
	}
}

func (s *Steps) rows(put putRow) {
	put.points(cmp.Or(s.Name, "step"), s.At)
	if s.Fall > 0 {
		put(cmp.Or(s.Name, "step"), s.Fall, 0, math.NaN(), math.NaN())
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
	a.stroke(places, seriesColour(s.Series), lineWidth, seriesDash(s.Series))
}

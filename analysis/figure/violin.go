package figure

import (
	"math"
	"slices"
)

// Violins are densities drawn upright, the same to both sides.
type Violins struct {
	Series  int
	Violins []Violin
}

// Violin is the density of numbers at X: by ascending value, the widest is 1.
type Violin struct {
	X     float64
	Sides []Side
}

// Side is how wide a violin is at a value, from 0 to 1.
type Side struct{ Y, Width float64 }

func (v *Violins) look() look {
	return look{series: v.Series, depth: bandDepth, marks: true, column: true}
}

func (v *Violins) reach(r *reach) {
	for _, k := range v.Violins {
		for _, s := range k.Sides {
			r.points([]Point{{k.X, s.Y}})
		}
	}
}

// rows puts the widths where others have the end of an interval.
func (v *Violins) rows(put putRow) {
	for _, k := range v.Violins {
		for _, s := range k.Sides {
			put("density", k.X, s.Y, 0, s.Width)
		}
	}
}

func (v *Violins) draw(a *area) {
	shift, width := a.columnOf(v.Series)
	half := min(0.45*width, 22)
	for _, k := range v.Violins {
		x := a.left(k.X) + shift
		if !(x >= a.x && x <= a.x+a.w) || slices.ContainsFunc(k.Sides, func(s Side) bool { return math.IsNaN(s.Y) }) {
			continue
		}
		outline := make([]Point, 0, 2*len(k.Sides))
		for _, s := range k.Sides {
			outline = append(outline, Point{x + half*s.Width, a.top(s.Y)})
		}
		for _, s := range slices.Backward(k.Sides) {
			outline = append(outline, Point{x - half*s.Width, a.top(s.Y)})
		}
		if p, some := a.cut(outline); some {
			a.scene.fill(p, tint(seriesColour(v.Series), 0.55))
			a.scene.stroke(p, darker(seriesColour(v.Series), 0.2), 0.6, nil)
		}
	}
}

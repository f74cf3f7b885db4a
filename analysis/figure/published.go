package figure

import "math"

// Published are values to compare with: a black diamond at each place, or, where Y is NaN, a vertical line in the colour of
// the series.
type Published struct {
	Series int
	At     []Point
}

func (p *Published) of() int { return p.Series }

func (*Published) depth() depth { return referenceDepth }

func (*Published) key() key { return key{} }

func (p *Published) reach(r *reach) {
	for _, q := range p.At {
		if math.IsNaN(q.Y) {
			if r.figure.X.accepts(q.X) {
				r.x.add(q.X)
			}
			continue
		}
		r.points([]Point{q})
	}
}

func (p *Published) rows(put func(string, float64, float64, float64, float64)) {
	putPoints(put, "published", p.At)
}

func (p *Published) draw(a *area) {
	shift, _ := a.lane(p.Series)
	m := marksItem{shape: diamond, radius: 3.2, fill: black}
	for _, q := range p.At {
		if math.IsNaN(q.Y) {
			if x := a.left(q.X); x >= a.x && x <= a.x+a.w {
				var line path
				line.point(x, a.y)
				line.point(x, a.y+a.h)
				a.scene.stroke(line, darker(seriesColour(p.Series), 0.2), 0.9, []float64{2, 2})
			}
		} else if a.figure.drawable(q) {
			place := a.place(q)
			place.X += shift
			m.at = append(m.at, place)
		}
	}
	a.scene.marks(m)
}

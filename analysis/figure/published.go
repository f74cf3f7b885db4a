package figure

import "math"

// Published are values to compare with: a black diamond at each place, or, where Y is NaN, a vertical line in the colour of
// the series.
type Published struct {
	Series int
	At     []Point
}

func (p *Published) look() look { return look{series: p.Series, depth: referenceDepth} }

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

func (p *Published) rows(put putRow) {
	put.points("published", p.At)
}

func (p *Published) draw(a *area) {
	shift, _ := a.lane(p.Series)
	m := marksItem{shape: diamond, radius: 3.2, fill: black}
	for _, q := range p.At {
		if math.IsNaN(q.Y) {
			a.upright(q.X, darker(seriesColour(p.Series), 0.2), 0.9, []float64{2, 2})
		} else if a.figure.drawable(q) {
			place := a.place(q)
			place.X += shift
			m.at = append(m.at, place)
		}
	}
	a.scene.marks(m)
}

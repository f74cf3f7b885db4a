package figure

import "math"

// Beyond is hollow marks at the upper edge: what is there has no finite value.
type Beyond struct {
	Series int
	Name   string // of a mark, for the CSV; "" is "beyond"
	X      []float64
}

func (b *Beyond) of() int { return b.Series }

func (*Beyond) depth() depth { return lineDepth }

func (*Beyond) key() key { return key{marks: true} }

func (b *Beyond) reach(r *reach) {
	for _, x := range b.X {
		if r.figure.X.accepts(x) {
			r.x.add(x)
		}
	}
}

func (b *Beyond) rows(put func(string, float64, float64, float64, float64)) {
	for _, x := range b.X {
		put(named(b.Name, "beyond"), x, math.NaN(), math.NaN(), math.NaN())
	}
}

func (b *Beyond) draw(a *area) {
	const radius = 2.3
	shift, _ := a.lane(b.Series)
	m := marksItem{shape: seriesShape(b.Series), radius: radius, fill: translucent(white, 0), stroke: seriesColour(b.Series), width: 0.9}
	for _, x := range b.X {
		if a.figure.X.accepts(x) {
			m.at = append(m.at, Point{a.left(x) + shift, a.y + 2*radius})
		}
	}
	a.scene.marks(m)
}

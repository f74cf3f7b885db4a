package figure

import (
	"cmp"
	"math"
	"slices"
)

// Beyond is arrows at the upper edge: what is there lies beyond any axis.
type Beyond struct {
	Series int
	Name   string // of an arrow, for the CSV; "" is "beyond"
	X      []float64
}

func (b *Beyond) look() look { return look{series: b.Series, depth: lineDepth, marks: true} }

func (b *Beyond) reach(r *reach) {
	for _, x := range b.X {
		if r.figure.X.accepts(x) {
			r.x.add(x)
		}
	}
}

func (b *Beyond) rows(put putRow) {
	for _, x := range b.X {
		put(cmp.Or(b.Name, "beyond"), x, math.NaN(), math.NaN(), math.NaN())
	}
}

func (b *Beyond) draw(a *area) {
	const radius, shaft, head = 2.1, 9.0, 2.4
	shift, width := a.lane(b.Series)
	if width == 0 {
		shift = widestStep * (float64(slices.Index(a.lanes, b.Series)) - float64(len(a.lanes)-1)/2)
	}
	c := seriesColour(b.Series)
	m := marksItem{shape: seriesShape(b.Series), radius: radius, fill: c}
	var arrows path
	for _, x := range b.X {
		if !a.figure.X.accepts(x) {
			continue
		}
		at := Point{min(max(a.left(x)+shift, a.x+head), a.x+a.w-head), a.y + 1 + shaft + radius}
		m.at = append(m.at, at)
		arrows.move(at.X, at.Y)
		for _, p := range []Point{{at.X, a.y + 1.5}, {at.X - head, a.y + 1.5 + 1.4*head}, {at.X, a.y + 1.5}, {at.X + head, a.y + 1.5 + 1.4*head}} {
			arrows.point(p.X, p.Y)
		}
	}
	a.scene.stroke(arrows, c, lineWidth*0.8, nil)
	a.scene.marks(m)
}

package figure

import (
	"cmp"
	"math"
	"slices"
)

// Cloud is many points, translucent.
type Cloud struct {
	Series int
	Name   string // of a point, for the CSV; "" is "point"
	At     []Point
}

func (c *Cloud) look() look {
	return look{series: c.Series, depth: cloudDepth, marks: true, column: true}
}

func (c *Cloud) reach(r *reach) { r.points(c.At) }

func (c *Cloud) rows(put putRow) {
	put.points(cmp.Or(c.Name, "point"), c.At)
}

func (c *Cloud) draw(a *area) {
	radius, alpha := cloudStyle(a.panel.points())
	if a.panel.summarised(c.Series) {
		alpha *= 0.7 // the summary is what is looked at
	}
	m := marksItem{shape: seriesShape(c.Series), radius: radius, fill: translucent(seriesColour(c.Series), alpha)}
	shift, width := a.lane(c.Series)
	for k, q := range c.At {
		if a.figure.drawable(q) {
			place := a.place(q)
			place.X += shift + width*jitter(k)
			m.at = append(m.at, place)
		}
	}
	a.scene.marks(m)
}

func (p *Panel) hasCloud(series int) bool {
	return slices.ContainsFunc(p.Marks, func(m Mark) bool { return m.look().series == series && m.look().depth == cloudDepth })
}

func (p *Panel) points() int {
	n := 0
	for _, m := range p.Marks {
		if c, ok := m.(*Cloud); ok {
			n += len(c.At)
		}
	}
	return n
}

func (p *Panel) summarised(series int) bool {
	return slices.ContainsFunc(p.Marks, func(m Mark) bool {
		return m.look().series == series && (m.look().depth == lineDepth || m.look().depth == whiskerDepth)
	})
}

func cloudStyle(n int) (radius, alpha float64) {
	switch {
	case n <= 60:
		return 2.1, 0.75
	case n <= 300:
		return 1.8, 0.5
	case n <= 1500:
		return 1.5, 0.35
	default:
		return 1.2, 0.22
	}
}

// jitter spreads the k-th point evenly over (-1/2, 1/2): multiples of the golden ratio leave no clumps and need no chance.
func jitter(k int) float64 {
	_, frac := math.Modf(float64(k)*0.6180339887498949 + 0.5)
	return frac - 0.5
}

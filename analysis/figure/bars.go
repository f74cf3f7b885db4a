package figure

// Bars are bars from 0, those of several series side by side.
type Bars struct {
	Series int
	At     []Point
}

func (b *Bars) of() int { return b.Series }

func (*Bars) depth() depth { return lineDepth }

func (*Bars) key() key { return key{marks: true} }

func (b *Bars) places() []float64 { return along(b.At, func(p Point) float64 { return p.X }) }

func (b *Bars) reach(r *reach) {
	r.points(b.At)
	r.height(0)
}

func (b *Bars) rows(put func(string, float64, float64, float64, float64)) {
	putPoints(put, "bar", b.At)
}

func (b *Bars) draw(a *area) {
	c := seriesColour(b.Series)
	shift, width := a.columnOf(b.Series)
	half := min(0.45*width, 24)
	for _, p := range b.At {
		if !a.figure.drawable(p) {
			continue
		}
		x := a.left(p.X) + shift
		var bar path
		for _, q := range a.clipPolygon([]Point{{x - half, a.top(p.Y)}, {x + half, a.top(p.Y)}, {x + half, a.top(0)}, {x - half, a.top(0)}}) {
			bar.point(q.X, q.Y)
		}
		if len(bar.ops) > 2 {
			a.scene.fill(bar.close(), tint(c, 0.45))
			a.scene.stroke(bar.close(), darker(c, 0.35), 0.8, nil)
		}
	}
}

package figure

// Bars are bars from 0, those of several series side by side.
type Bars struct {
	Series int
	At     []Point
}

func (b *Bars) look() look {
	return look{series: b.Series, depth: lineDepth, marks: true, column: true}
}

func (b *Bars) reach(r *reach) {
	r.points(b.At)
	r.height(0)
}

func (b *Bars) rows(put putRow) {
	put.points("bar", b.At)
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
		if bar, some := a.cut(corners(x-half, a.top(p.Y), x+half, a.top(0))); some {
			a.scene.fill(bar, tint(c, 0.45))
			a.scene.stroke(bar, darker(c, 0.35), 0.8, nil)
		}
	}
}

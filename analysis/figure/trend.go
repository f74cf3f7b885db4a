package figure

// Trend is a straight or curved trendline.
type Trend struct {
	Series int
	At     []Point
}

func (t *Trend) of() int { return t.Series }

func (*Trend) depth() depth { return trendDepth }

func (*Trend) key() key { return key{line: true} }

func (t *Trend) reach(r *reach) {
	for _, q := range t.At {
		if r.figure.drawable(q) {
			r.x.add(q.X)
			r.y.add(q.Y)
		}
	}
}

func (t *Trend) rows(put func(string, float64, float64, float64, float64)) {
	putPoints(put, "trend", t.At)
}

func (t *Trend) draw(a *area) {
	ps := a.figure.sorted(t.At)
	places := make([]Point, len(ps))
	for i, p := range ps {
		places[i] = a.place(p)
	}
	overCloud := len(a.lanes) == 1 && a.panel.hasCloud(t.Series)
	c := seriesColour(t.Series)
	for _, p := range a.clipLine(places) {
		if overCloud {
			a.scene.stroke(p, translucent(white, 0.85), lineWidth+1.6, nil)
			c = darker(seriesColour(t.Series), 0.35)
		}
		a.scene.stroke(p, c, lineWidth+0.2, seriesDash(t.Series))
	}
}

package figure

// Log marks what the log itself has: a hollow diamond in the colour of the series at each place.
type Log struct {
	Series int
	At     []Point
}

func (l *Log) look() look { return look{series: l.Series, depth: referenceDepth, layer: "published"} }

func (l *Log) reach(r *reach) { r.points(l.At) }

func (l *Log) rows(put putRow) { put.points("log itself", l.At) }

func (l *Log) draw(a *area) {
	colour := darker(seriesColour(l.Series), 0.3)
	a.scene.marks(marksItem{shape: diamond, radius: 3.6, stroke: colour, width: 1.2, at: a.places(l.Series, l.At)})
}

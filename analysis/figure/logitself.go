package figure

// Log marks what the log itself has: a hollow diamond in the colour of the series at each place.
type Log struct {
	Series int
	At     []Point
}

func (l *Log) look() look { return look{series: l.Series, depth: referenceDepth} }

func (l *Log) reach(r *reach) { r.points(l.At) }

func (l *Log) rows(put putRow) { put.points("log itself", l.At) }

func (l *Log) draw(a *area) {
	shift, _ := a.lane(l.Series)
	m := marksItem{shape: diamond, radius: 3.6, stroke: darker(seriesColour(l.Series), 0.3), width: 1.2}
	for _, q := range l.At {
		if a.figure.drawable(q) {
			place := a.place(q)
			place.X += shift
			m.at = append(m.at, place)
		}
	}
	a.scene.marks(m)
}

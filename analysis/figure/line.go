package figure

import "cmp"

// Line is places joined by increasing X, each with its marker; on a category axis markers alone.
type Line struct {
	Series int
	Name   string // of a place, for the CSV; "" is "line"
	At     []Point
}

// mostMarks is the number of points of a line up to which each gets its marker.
const mostMarks = 45

func (l *Line) look() look { return look{series: l.Series, depth: lineDepth, line: true, marks: true} }

func (l *Line) reach(r *reach) { r.points(l.At) }

func (l *Line) rows(put putRow) {
	put.points(cmp.Or(l.Name, "line"), l.At)
}

func (l *Line) draw(a *area) {
	ps := a.figure.sorted(l.At)
	m := marksItem{shape: seriesShape(l.Series), radius: 2.1, fill: seriesColour(l.Series)}
	if len(a.figure.X.Categories) > 0 {
		m.radius = 2.4
	}
	if a.panel.hasCloud(l.Series) {
		m.fill = darker(m.fill, 0.3)
	}
	shift, _ := a.lane(l.Series)
	places := make([]Point, len(ps))
	for i, p := range ps {
		places[i] = a.place(p)
		places[i].X += shift
	}
	if len(a.figure.X.Categories) == 0 {
		a.stroke(places, m.fill, lineWidth, seriesDash(l.Series))
		if len(places) > mostMarks {
			return
		}
	}
	m.at = places
	a.scene.marks(m)
}

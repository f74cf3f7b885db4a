package figure

// legendEntry is a series in the legend strip.
type legendEntry struct {
	series      int
	name        string
	width       float64
	sample      float64 // width of the sample before the name
	line, marks bool
}

type legendRow []legendEntry

const (
	sampleW   = 20.0 // of the line before a name
	legendGap = 14.0 // between entries
)

// legendRows wraps the entries of the series into rows of the given width; none for a single series.
func (f *Figure) legendRows(width float64) []legendRow {
	if len(f.Series) < 2 {
		return nil
	}
	var rows []legendRow
	x := 0.0
	for i, name := range f.Series {
		if f.onlyReferred(i) {
			continue
		}
		e := legendEntry{series: i, name: shorten(name, width-sampleW-4, legendSz, false)}
		e.line, e.marks = f.uses(i)
		e.sample = sampleW
		if !e.line {
			e.sample = 5
		}
		e.width = e.sample + 4 + textWidth(e.name, legendSz, false)
		if len(rows) == 0 || x+e.width > width {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += e.width + legendGap
	}
	return rows
}

// uses tells whether a series shows a line and marks anywhere; one that shows nothing still has its mark in the legend.
func (f *Figure) uses(series int) (line, marks bool) {
	for i := range f.Panels {
		for _, l := range f.Panels[i].Layers {
			if l.Series == series {
				line = line || len(f.X.Categories) == 0 && len(l.Line) > 0 || len(l.Trend) > 0
				marks = marks || len(l.Points) > 0 || len(l.Line) > 0 || len(l.Beyond) > 0
			}
		}
	}
	return line, marks || !line
}

// onlyReferred tells whether a series is drawn nowhere but as a reference line, which bears its own label.
func (f *Figure) onlyReferred(series int) bool {
	referred := false
	for i := range f.Panels {
		for _, l := range f.Panels[i].Layers {
			if l.Series == series && len(l.Points)+len(l.Line)+len(l.Beyond)+len(l.Trend) > 0 {
				return false
			}
		}
		for _, r := range f.Panels[i].References {
			referred = referred || r.Label == f.Series[series]
		}
	}
	return referred
}

func (l *layout) drawLegend(s *scene) {
	y := l.legendTop
	for _, row := range l.legend {
		y += legendSz * 1.45
		total := -legendGap
		for _, e := range row {
			total += e.width + legendGap
		}
		x := (l.w - total) / 2
		for _, e := range row {
			c := seriesColour(e.series)
			middle := y - legendSz*0.36
			if e.line {
				var p path
				p.point(x, middle)
				p.point(x+e.sample, middle)
				s.stroke(p, c, lineWidth, seriesDash(e.series))
			}
			if e.marks {
				s.items = append(s.items, marksItem{shape: seriesShape(e.series), radius: 2.3, fill: c, stroke: white, width: 0.5, at: []Point{{x + e.sample/2, middle}}})
			}
			s.text(textItem{x: x + e.sample + 4, y: y, s: e.name, size: legendSz, colour: black})
			x += e.width + legendGap
		}
	}
}

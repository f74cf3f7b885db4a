package figure

type legendEntry struct {
	series      int // -1 for the title of all, and for a further line of a name
	name        string
	width       float64
	sample      float64 // width of the sample before the name
	line, marks bool
}

type legendRow []legendEntry

const (
	sampleW   = 20.0 // of the line before a name
	sampleGap = 4.0
	legendGap = 14.0 // between entries
)

// legendRows wraps the entries of the series into rows of the given width; none for a single series.
func (f *Figure) legendRows(width float64) []legendRow {
	if len(f.Series) < 2 {
		return nil
	}
	var rows []legendRow
	x := 0.0
	if f.SeriesTitle != "" {
		for _, line := range wrap(f.SeriesTitle+":", width, legendSz, false) {
			e := legendEntry{series: -1, name: line, width: textWidth(line, legendSz, false)}
			rows, x = append(rows, legendRow{e}), e.width+legendGap
		}
	}
	for i, name := range f.Series {
		line, marks, drawn := f.sample(i)
		if !drawn && f.Has(func(m Mark) bool { r, is := m.(*Reference); return is && r.Label == name }) {
			continue // its line bears its name
		}
		lines := wrap(f.written(name), width-sampleW-sampleGap, legendSz, false)
		if len(lines) == 0 {
			lines = []string{""}
		}
		e := legendEntry{series: i, name: lines[0], line: line && (len(f.X.Categories) == 0 || !marks), sample: sampleW}
		e.marks = marks || !e.line // a series that shows nothing still has its mark
		if !e.line {
			e.sample = 5
		}
		e.width = e.sample + sampleGap + textWidth(e.name, legendSz, false)
		if len(rows) == 0 || x+e.width > width {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += e.width + legendGap
		for _, line := range lines[1:] {
			rows, x = append(rows, legendRow{{series: -1, name: line, width: textWidth(line, legendSz, false)}}), width
		}
	}
	return rows
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
			if e.series < 0 {
				s.text(textItem{x: x, y: y, s: e.name, size: legendSz, colour: black})
				x += e.width + legendGap
				continue
			}
			if e.line {
				s.stroke(through(Point{x, middle}, Point{x + e.sample, middle}), c, lineWidth, seriesDash(e.series))
			}
			if e.marks {
				s.marks(marksItem{shape: seriesShape(e.series), radius: 2.3, fill: c, at: []Point{{x + e.sample/2, middle}}})
			}
			s.text(textItem{x: x + e.sample + sampleGap, y: y, s: e.name, size: legendSz, colour: black})
			x += e.width + legendGap
		}
	}
}

// header is the text above a plot area: the panel's title and its notes, wrapped to the width of the plot.
type header struct {
	title  []string
	notes  [][]Note // rows
	height float64
}

const (
	noteGap  = 8.0
	noteLine = noteSize * 1.3
)

func newHeader(title string, notes []Note, width float64) header {
	var h header
	if title != "" {
		h.title = wrap(title, width, panelSize, true)
		h.height += float64(len(h.title))*panelSize*lineGap + 1
	}
	x := 0.0
	for _, n := range notes {
		for _, line := range wrap(n.Text, width, noteSize, false) {
			w := textWidth(line, noteSize, false)
			if len(h.notes) == 0 || x+w > width {
				h.notes = append(h.notes, nil)
				x = 0
			}
			last := len(h.notes) - 1
			h.notes[last] = append(h.notes[last], Note{Series: n.Series, Text: line})
			x += w + noteGap
		}
	}
	if len(h.notes) > 0 {
		h.height += float64(len(h.notes))*noteLine + 1
	}
	h.height += 3
	return h
}

func (h *header) draw(s *scene, x, y, width float64) {
	for _, line := range h.title {
		y += panelSize * lineGap
		s.text(textItem{x: x + width/2, y: y - descent*panelSize, s: line, size: panelSize, bold: true, anchor: atMiddle, colour: black})
	}
	for _, row := range h.notes {
		y += noteLine
		at, total := x, -noteGap
		for _, n := range row {
			total += textWidth(n.Text, noteSize, false) + noteGap
		}
		at += (width - total) / 2
		for _, n := range row {
			c := black
			if n.Series >= 0 {
				c = darker(seriesColour(n.Series), 0.35)
			}
			s.text(textItem{x: at, y: y - descent*noteSize, s: n.Text, size: noteSize, colour: c})
			at += textWidth(n.Text, noteSize, false) + noteGap
		}
	}
}

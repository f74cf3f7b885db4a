package figure

// header is what stands above a plot area: the panel's title and its notes, wrapped to the width of the plot.
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

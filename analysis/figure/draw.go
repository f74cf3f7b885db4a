package figure

import (
	"cmp"
	"strings"
)

const lineWidth = 1.2

func (f *Figure) scene() (*scene, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	l := arrange(f)
	s := &scene{w: l.w, h: l.h}
	s.title, s.description = l.describe()
	s.fill(rectangle(0, 0, l.w, l.h), white)
	for i, line := range l.title {
		s.text(textItem{x: l.w / 2, y: margin + titleSize*(capHeight+lineGap*float64(i)), s: line, size: titleSize, bold: true, anchor: atMiddle,
			colour: black})
	}
	l.drawLegend(s)
	l.bar.draw(s, l.w, l.legendTop+4)
	for i := range f.Panels {
		l.drawPanel(s, i)
	}
	l.drawTitles(s)
	return s, nil
}

func (l *layout) drawPanel(s *scene, i int) {
	p := &l.figure.Panels[i]
	x, y, leftmost, lowest := l.plot(i)
	a := l.area(s, i)
	l.headers[i].draw(s, x, y-l.heads[i/l.columns], l.plotW)
	if last := (i+1)%l.columns == 0; last && l.rowNames {
		lines, size := shrunk(l.figure.written(p.Row), a.h, panelSize, panelSize, true)
		for i, line := range lines {
			s.text(textItem{x: x + l.plotW + panelSize*descent + size*(1+lineGap*float64(i)), y: y + a.h/2, s: line, size: size, bold: true,
				anchor: atMiddle, angle: 90, colour: black})
		}
	}
	if !l.figure.Bare {
		a.drawGrid()
	}
	a.drawMarks()
	if p.empty(l.figure) {
		s.text(textItem{x: x + l.plotW/2, y: y + a.h/2, s: "no data", size: labelSize, anchor: atMiddle, colour: faintGrey})
	}
	if l.figure.Bare {
		return
	}
	a.drawFrame()
	if leftmost {
		for _, t := range a.ys.ticks {
			s.text(textItem{x: x - tickMark - tickGap, y: a.top(t.at) + tickSize*capHeight/2, s: t.label, size: tickSize, anchor: atEnd,
				colour: black})
		}
	}
	if !lowest {
		return
	}
	below := y + a.h + tickMark + tickGap
	if len(l.x.names) > 0 {
		l.names.draw(s, &l.x, x, below, l.plotW)
		return
	}
	for _, t := range a.xs.ticks {
		s.text(textItem{x: a.left(t.at), y: below + tickSize*capHeight, s: t.label, size: tickSize, anchor: atMiddle, colour: black})
	}
}

func (l *layout) area(s *scene, i int) *area {
	x, y, _, _ := l.plot(i)
	a := &area{x: x, y: y, w: l.plotW, h: l.heightOf(i / l.columns), xs: &l.xs[i], ys: &l.ys[i], figure: l.figure, panel: &l.figure.Panels[i],
		scene: s, lanes: l.lanes, colours: &l.bar.scale}
	a.step = a.laneStep()
	return a
}

func (l *layout) drawTitles(s *scene) {
	for i, line := range l.xTitle {
		up := labelSize * (descent + lineGap*float64(len(l.xTitle)-1-i))
		s.text(textItem{x: l.centre(), y: l.foot - up, s: line, size: labelSize, anchor: atMiddle, colour: black})
	}
	for i, line := range l.caption {
		s.text(textItem{x: margin, y: l.foot + captionGap + noteSize*(capHeight+lineGap*float64(i)), s: line, size: noteSize,
			colour: captionGrey})
	}
	top, bottom := l.tops[0], l.tops[l.rows-1]+l.heightOf(l.rows-1)
	for i, line := range l.yTitle {
		half := textWidth(line, labelSize, false) / 2
		middle := max(min((top+bottom)/2, l.foot-half), margin+half)
		s.text(textItem{x: margin + labelSize*(capHeight+lineGap*float64(i)), y: middle, s: line, size: labelSize, anchor: atMiddle, angle: 90,
			colour: black})
	}
}

// describe gives the contents of the figure in a title and sentences, for readers who cannot see it.
func (l *layout) describe() (title, description string) {
	f := l.figure
	switch description = l.x.show.title + "."; {
	case f.Bare:
	case l.x.show.title == "":
		description = l.y.show.title + "."
	default:
		description = l.y.show.title + " against " + description
	}
	title = cmp.Or(f.Title, strings.TrimSuffix(description, "."))
	list := func(what string, names []string) {
		if len(names) > 1 {
			description += " " + what + ": " + strings.Join(names, ", ") + "."
		}
	}
	description += l.describeColours()
	list("Series", f.Series)
	var panels []string
	for i := range f.Panels {
		panels = append(panels, f.Panels[i].name())
		for _, m := range f.Panels[i].Marks {
			if r, ok := m.(*Ranks); ok {
				list(strings.TrimSpace("Ranks "+f.Panels[i].name()), r.said())
			}
		}
	}
	list("Panels", panels)
	return title, strings.TrimSpace(description + " " + f.Caption)
}

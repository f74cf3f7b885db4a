package figure

// drawReferences paints labelled horizontal lines. A label stands above its line at the right end, or at the left end
// where fewer marks and lines run through it.
func (a *area) drawReferences(s *scene, f *Figure, p *Panel) {
	for _, r := range p.References {
		if a.ys.log && r.Y <= 0 {
			continue
		}
		y := a.top(r.Y)
		if !(y >= a.y && y <= a.y+a.h) {
			continue
		}
		var line path
		line.point(a.x, y)
		line.point(a.x+a.w, y)
		text := shorten(r.Label, a.w-6, noteSize, false)
		base := y - 2
		if base-noteSize*capHeight < a.y+1 {
			base = y + 2 + noteSize*capHeight
		}
		width := textWidth(text, noteSize, false)
		top, bottom := base-noteSize*capHeight-1, base+noteSize*descent
		left := a.x + a.w - 5 - width
		if other := a.x + 1; a.traffic(f, p, other, other+width+4, top, bottom) < a.traffic(f, p, left, left+width+4, top, bottom) {
			left = other
		}
		var back path
		back.point(left+width+4, bottom)
		back.point(left, bottom)
		back.point(left, top)
		back.point(left+width+4, top)
		s.fill(back.close(), translucent(white, 0.75))
		s.stroke(line, black, 0.8, []float64{4, 2})
		s.text(textItem{x: left + 2, y: base, s: text, size: noteSize, colour: black})
	}
}

// traffic counts the marks, and the places of lines two points apart, that lie in a box.
func (a *area) traffic(f *Figure, p *Panel, left, right, top, bottom float64) int {
	n := 0
	count := func(q Point) {
		if q.X >= left && q.X <= right && q.Y >= top && q.Y <= bottom {
			n++
		}
	}
	for _, l := range p.Layers {
		for _, marks := range [][]Point{l.Points, l.Open} {
			for _, q := range f.sorted(marks) {
				count(a.place(q))
			}
		}
		for _, line := range [][]Point{l.Line, l.Trend} {
			ps := f.sorted(line)
			for i := 1; i < len(ps); i++ {
				from, to := a.place(ps[i-1]), a.place(ps[i])
				steps := max(abs(to.X-from.X), abs(to.Y-from.Y)) / 2
				if to.X < left || from.X > right || steps > 1e4 {
					continue
				}
				for k := 0.0; k < steps; k++ {
					count(Point{from.X + (to.X-from.X)*k/steps, from.Y + (to.Y-from.Y)*k/steps})
				}
			}
		}
	}
	return n
}

func abs(x float64) float64 { return max(x, -x) }

package figure

// drawReferences paints labelled horizontal lines. A label stands above or below its line at either end, where it covers
// the least; above at the right if nothing is in the way.
func (a *area) drawReferences(s *scene, f *Figure, p *Panel) {
	var placed []labelBox
	for _, r := range p.References {
		y := a.top(r.Y)
		if a.ys.log && r.Y <= 0 || !(y >= a.y && y <= a.y+a.h) {
			continue
		}
		text := shorten(r.Label, a.w-6, noteSize, false)
		best, least := labelBox{}, -1
		for _, b := range a.labelBoxes(y, textWidth(text, noteSize, false)) {
			if cost := a.cost(f, p, b, y, placed); least < 0 || cost < least {
				best, least = b, cost
			}
		}
		placed = append(placed, best)
		var line, back path
		line.point(a.x, y)
		line.point(a.x+a.w, y)
		back.point(best.left, best.top)
		back.point(best.right, best.top)
		back.point(best.right, best.bottom)
		back.point(best.left, best.bottom)
		s.fill(back.close(), translucent(white, 0.75))
		s.stroke(line, black, 0.8, []float64{4, 2})
		s.text(textItem{x: best.left + 2, y: best.bottom - noteSize*descent, s: text, size: noteSize, colour: black})
	}
}

// labelBox is the space of a label.
type labelBox struct{ left, right, top, bottom float64 }

// labelBoxes are the places for a label at a line, the best first; all lie in the plot area.
func (a *area) labelBoxes(y, width float64) []labelBox {
	var out []labelBox
	for _, base := range []float64{y - 1.6, y + 2 + noteSize*capHeight} {
		top, bottom := base-noteSize*capHeight-0.3, base+noteSize*descent
		if top < a.y || base < y && top < a.y+1 || bottom > a.y+a.h && base > y {
			continue
		}
		for _, left := range []float64{a.x + a.w - 5 - width, a.x + 1} {
			out = append(out, labelBox{left, left + width + 4, top, bottom})
		}
	}
	return out
}

// cost says how much a label at a line covers: other labels above all, then other lines, then marks and curves.
func (a *area) cost(f *Figure, p *Panel, b labelBox, own float64, placed []labelBox) int {
	n := a.traffic(f, p, b.left, b.right, b.top, b.bottom)
	for _, r := range p.References {
		if y := a.top(r.Y); y != own && y >= b.top && y <= b.bottom {
			n += 100
		}
	}
	for _, o := range placed {
		if b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom {
			n += 1000
		}
	}
	return n
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
		for _, q := range f.sorted(l.Points) {
			count(a.place(q))
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

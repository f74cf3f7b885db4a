package figure

import "math"

// Reference is a horizontal line across the panel with a label on it.
type Reference struct {
	Y     float64
	Label string
	N     int // the replications behind it; 0 for a bound
}

func (*Reference) look() look { return look{series: -1, depth: referenceDepth, layer: "reference"} }

func (r *Reference) reach(e *reach) { e.height(r.Y) }

func (r *Reference) rows(put putRow) {
	put("reference", math.NaN(), r.Y, math.NaN(), math.NaN(), r.N)
}

// draw places the label above or below the line where it covers the least; above at the right if nothing is in the way.
func (r *Reference) draw(a *area) {
	y := a.top(r.Y)
	if a.ys.log && r.Y <= 0 || !(y >= a.y && y <= a.y+a.h) {
		return
	}
	text := a.figure.written(r.Label)
	size := noteSize * min(1, (a.w-6)/textWidth(text, noteSize, false))
	best, least := labelBox{}, -1
	for _, b := range a.labelBoxes(y, textWidth(text, size, false)) {
		if cost := a.cost(b, y); least < 0 || cost < least {
			best, least = b, cost
		}
	}
	a.labels = append(a.labels, best)
	if least == 0 { // only the grid lies there
		a.scene.fill(rectangle(best.left, best.top, best.right, best.bottom), translucent(white, 0.75))
	}
	a.scene.stroke(through(Point{a.x, y}, Point{a.x + a.w, y}), black, 0.8, []float64{4, 2})
	a.scene.text(textItem{x: best.left + 2, y: best.bottom - noteSize*descent, s: text, size: size, colour: black})
}

type labelBox struct{ left, right, top, bottom float64 }

// labelBoxes are the places for a label at a line, the best first; all lie in the plot area.
func (a *area) labelBoxes(y, width float64) []labelBox {
	var out, within []labelBox
	for _, base := range []float64{y - 1.6, y + 2 + noteSize*capHeight} {
		top, bottom := base-noteSize*capHeight-0.3, base+noteSize*descent
		if top < a.y || base < y && top < a.y+1 || bottom > a.y+a.h && base > y {
			continue
		}
		for _, left := range []float64{a.x + a.w - 5 - width, a.x + 1} {
			out = append(out, labelBox{left, left + width + 4, top, bottom})
		}
		for left := a.x + a.w - 5 - 1.5*width; left > a.x+1; left -= max(width/2, 5) {
			within = append(within, labelBox{left, left + width + 4, top, bottom})
		}
	}
	return append(out, within...)
}

// cost measures the marks that a label at a line covers: other labels above all, then other lines, then marks and curves.
func (a *area) cost(b labelBox, own float64) int {
	n := a.traffic(b)
	for _, m := range a.panel.Marks {
		if r, ok := m.(*Reference); ok {
			if y := a.top(r.Y); y != own && y >= b.top && y <= b.bottom {
				n += 100
			}
		}
	}
	for _, o := range a.labels {
		if b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom {
			n += 1000
		}
	}
	return n
}

// traffic counts the places of lines, two points apart, that touch a box and have been painted. A mark counts as much as a line of
// 20 points, because a label must leave marks free first of all.
func (a *area) traffic(b labelBox) int {
	n := 0
	count := func(q Point, radius float64, weight int) {
		if q.X >= b.left-radius && q.X <= b.right+radius && q.Y >= b.top-radius && q.Y <= b.bottom+radius {
			n += weight
		}
	}
	for _, item := range a.scene.items[a.first:a.last] {
		switch it := item.(type) {
		case marksItem:
			for _, q := range it.at {
				count(q, it.radius, 10)
			}
		case shapeItem:
			if it.stroke.A < 0xFF {
				continue // the edge of a band, a halo
			}
			var from Point
			for _, o := range it.path.ops {
				to := o.p[0]
				if steps := math.Hypot(to.X-from.X, to.Y-from.Y) / 2; o.kind == lineTo && to.X >= b.left && from.X <= b.right {
					for k := 0.0; k < steps; k++ {
						count(Point{from.X + (to.X-from.X)*k/steps, from.Y + (to.Y-from.Y)*k/steps}, lineWidth/2, 1)
					}
				}
				from = to
			}
		}
	}
	return n
}

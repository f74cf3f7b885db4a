package figure

import "math"

// Blocks are rectangles with names on them, such as jobs on processors.
type Blocks struct{ Blocks []Block }

// Block is one rectangle in the units of the axes.
type Block struct {
	Left, Right, Low, High float64
	Label                  string
	Colour                 int  // its colour is that of the series of this number
	Thick                  bool // it has a thick edge
	// Grey is its darkness, in (0, 1], in place of a colour and an edge; 0 for a block with a colour.
	Grey float64
}

// thinnest is the extent in points below which a block has no edge, which would be all that is seen.
const thinnest = 1.6

func (b *Blocks) look() look { return look{depth: lineDepth, layer: "block"} }

func (b *Blocks) reach(r *reach) {
	for _, k := range b.Blocks {
		r.points([]Point{{k.Left, k.Low}, {k.Right, k.High}})
	}
}

func (b *Blocks) rows(put putRow) {
	for _, k := range b.Blocks {
		put("block "+k.Label+" from", k.Left, math.NaN(), k.Low, k.High, 0)
		put("block "+k.Label+" to", k.Right, math.NaN(), k.Low, k.High, 0)
	}
}

func (b *Blocks) draw(a *area) {
	for _, k := range b.Blocks {
		p, q := a.place(Point{k.Left, k.High}), a.place(Point{k.Right, k.Low})
		if !(p.X >= a.x-1 && q.X <= a.x+a.w+1 && p.Y >= a.y-1 && q.Y <= a.y+a.h+1) {
			continue
		}
		box := rectangle(p.X, p.Y, q.X, q.Y)
		if k.Grey > 0 {
			a.scene.fill(box, translucent(black, k.Grey))
			continue
		}
		if q.X-p.X < thinnest || q.Y-p.Y < thinnest {
			a.scene.fill(box, translucent(seriesColour(k.Colour), 0.8))
			continue
		}
		a.scene.fill(box, translucent(seriesColour(k.Colour), 0.45))
		width := 0.6
		if k.Thick {
			width = 1.8
		}
		a.scene.stroke(box, darker(seriesColour(k.Colour), 0.4), width, nil)
		if textWidth(k.Label, noteSize, false) <= q.X-p.X-2 && noteSize <= q.Y-p.Y {
			a.scene.text(textItem{x: (p.X + q.X) / 2, y: (p.Y+q.Y)/2 + noteSize*capHeight/2, s: k.Label, size: noteSize, anchor: atMiddle,
				colour: black})
		}
	}
}

// Rules are vertical lines through the panel, under all else.
type Rules struct{ X []float64 }

func (*Rules) look() look { return look{series: -1, depth: cloudDepth, layer: "rule"} }

func (u *Rules) reach(r *reach) { r.width(u.X...) }

func (u *Rules) rows(put putRow) {
	for _, x := range u.X {
		put("rule", x, math.NaN(), math.NaN(), math.NaN(), 0)
	}
}

func (u *Rules) draw(a *area) {
	for _, v := range u.X {
		a.upright(v, frameGrey, 0.6, []float64{1, 2})
	}
}

// Ties are dotted lines between things that belong together.
type Ties struct{ At [][2]Point }

func (*Ties) look() look { return look{series: -1, depth: trendDepth, layer: "tie"} }

func (*Ties) reach(*reach) {}

func (t *Ties) rows(put putRow) {
	for _, p := range t.At {
		put.points("tie", p[:])
	}
}

func (t *Ties) draw(a *area) {
	for _, p := range t.At {
		a.stroke([]Point{a.place(p[0]), a.place(p[1])}, black, 0.7, []float64{1, 1.5})
	}
}

// Stripe is a faint band across the panel, under all else.
type Stripe struct{ Low, High float64 }

func (*Stripe) look() look { return look{series: -1, depth: groundDepth, layer: "stripe"} }

func (*Stripe) reach(*reach) {}

func (s *Stripe) rows(put putRow) {
	put("stripe", math.NaN(), math.NaN(), s.Low, s.High, 0)
}

func (s *Stripe) draw(a *area) {
	if p, some := a.cut(corners(a.x, a.top(s.High), a.x+a.w, a.top(s.Low))); some {
		a.scene.fill(p, translucent(frameGrey, 0.14))
	}
}

package figure

import "math"

// Blocks are rectangles with names on them, such as jobs on processors.
type Blocks struct {
	Series int
	Blocks []Block
}

// Block is one rectangle in the units of the axes.
type Block struct {
	Left, Right, Low, High float64
	Label                  string
	Colour                 int  // its colour is that of the series of this number
	Thick                  bool // it has a thick edge
}

// thinnest is the extent in points below which a block has no edge, which would be all that is seen.
const thinnest = 1.6

func (b *Blocks) of() int { return b.Series }

func (*Blocks) depth() depth { return lineDepth }

func (*Blocks) key() key { return key{} }

func (b *Blocks) reach(r *reach) {
	for _, k := range b.Blocks {
		r.points([]Point{{k.Left, k.Low}, {k.Right, k.High}})
	}
}

func (b *Blocks) rows(put func(string, float64, float64, float64, float64)) {
	for _, k := range b.Blocks {
		put("block "+k.Label+" from", k.Left, math.NaN(), k.Low, k.High)
		put("block "+k.Label+" to", k.Right, math.NaN(), k.Low, k.High)
	}
}

func (b *Blocks) draw(a *area) {
	for _, k := range b.Blocks {
		p, q := a.place(Point{k.Left, k.High}), a.place(Point{k.Right, k.Low})
		if !(p.X >= a.x-1 && q.X <= a.x+a.w+1 && p.Y >= a.y-1 && q.Y <= a.y+a.h+1) {
			continue
		}
		var box path
		box.point(p.X, p.Y)
		box.point(q.X, p.Y)
		box.point(q.X, q.Y)
		box.point(p.X, q.Y)
		if q.X-p.X < thinnest || q.Y-p.Y < thinnest {
			a.scene.fill(box.close(), translucent(seriesColour(k.Colour), 0.8))
			continue
		}
		a.scene.fill(box.close(), translucent(seriesColour(k.Colour), 0.45))
		width := 0.6
		if k.Thick {
			width = 1.8
		}
		a.scene.stroke(box.close(), darker(seriesColour(k.Colour), 0.4), width, nil)
		if textWidth(k.Label, noteSize, false) <= q.X-p.X-2 && noteSize <= q.Y-p.Y {
			a.scene.text(textItem{x: (p.X + q.X) / 2, y: (p.Y+q.Y)/2 + noteSize*capHeight/2, s: k.Label, size: noteSize, anchor: atMiddle, colour: black})
		}
	}
}

// Rules are vertical lines through the panel, under all else.
type Rules struct{ X []float64 }

func (*Rules) of() int { return -1 }

func (*Rules) depth() depth { return cloudDepth }

func (*Rules) key() key { return key{} }

func (*Rules) reach(*reach) {}

func (u *Rules) rows(put func(string, float64, float64, float64, float64)) {
	for _, x := range u.X {
		put("rule", x, math.NaN(), math.NaN(), math.NaN())
	}
}

func (u *Rules) draw(a *area) {
	for _, v := range u.X {
		x := a.left(v)
		if !(x >= a.x && x <= a.x+a.w) {
			continue
		}
		var line path
		line.point(x, a.y)
		line.point(x, a.y+a.h)
		a.scene.stroke(line, frameGrey, 0.6, []float64{1, 2})
	}
}

// Ties are dotted lines between things that belong together.
type Ties struct{ At [][2]Point }

func (*Ties) of() int { return -1 }

func (*Ties) depth() depth { return trendDepth }

func (*Ties) key() key { return key{} }

func (*Ties) reach(*reach) {}

func (t *Ties) rows(put func(string, float64, float64, float64, float64)) {
	for _, p := range t.At {
		putPoints(put, "tie", p[:])
	}
}

func (t *Ties) draw(a *area) {
	for _, p := range t.At {
		for _, piece := range a.clipLine([]Point{a.place(p[0]), a.place(p[1])}) {
			a.scene.stroke(piece, black, 0.7, []float64{1, 1.5})
		}
	}
}

// Stripe is a faint band across the panel, under all else.
type Stripe struct{ Low, High float64 }

func (*Stripe) of() int { return -1 }

func (*Stripe) depth() depth { return groundDepth }

func (*Stripe) key() key { return key{} }

func (*Stripe) reach(*reach) {}

func (s *Stripe) rows(put func(string, float64, float64, float64, float64)) {
	put("stripe", math.NaN(), math.NaN(), s.Low, s.High)
}

func (s *Stripe) draw(a *area) {
	var p path
	for _, q := range a.clipPolygon([]Point{{a.x, a.top(s.High)}, {a.x + a.w, a.top(s.High)}, {a.x + a.w, a.top(s.Low)}, {a.x, a.top(s.Low)}}) {
		p.point(q.X, q.Y)
	}
	if len(p.ops) > 2 {
		a.scene.fill(p.close(), translucent(frameGrey, 0.14))
	}
}

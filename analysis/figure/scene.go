package figure

import "image/color"

// scene is a drawing in points, origin at the top left, y downwards. Items are painted in order.
type scene struct {
	title, description string
	w, h               float64
	items              []any // shapeItem, marksItem or textItem
}

// shapeItem is a path that is filled, stroked or both; a colour of alpha 0 does neither.
type shapeItem struct {
	path   path
	fill   color.NRGBA
	stroke color.NRGBA
	width  float64
	dash   []float64
}

// marksItem is one marker at many places. Each is painted on its own, so that translucent ones add up.
type marksItem struct {
	shape  shape
	radius float64
	fill   color.NRGBA
	stroke color.NRGBA
	width  float64
	at     []Point
}

// dots reports whether the marks are plain discs, which SVG and PDF can write as points of a round pen.
func (m marksItem) dots() bool { return m.shape == circle && m.stroke.A == 0 }

// textItem is a line of text; angle in degrees, counter-clockwise about its anchor on the baseline.
type textItem struct {
	x, y   float64
	s      string
	size   float64
	bold   bool
	anchor anchor
	angle  float64
	colour color.NRGBA
}

type anchor int

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

type canvas interface {
	shape(shapeItem)
	marks(marksItem)
	text(textItem)
}

func (s *scene) paint(to canvas) {
	for _, item := range s.items {
		switch it := item.(type) {
		case shapeItem:
			to.shape(it)
		case marksItem:
			to.marks(it)
		case textItem:
			to.text(it)
		}
	}
}

func (m marksItem) each(paint func(shapeItem)) {
	outline := m.shape.outline(m.radius)
	for _, at := range m.at {
		moved := outline.mapped(func(p Point) Point { return Point{p.X + at.X, p.Y + at.Y} })
		paint(shapeItem{path: moved, fill: m.fill, stroke: m.stroke, width: m.width})
	}
}

func (s *scene) fill(p path, c color.NRGBA) { s.items = append(s.items, shapeItem{path: p, fill: c}) }

func (s *scene) stroke(p path, c color.NRGBA, width float64, dash []float64) {
	if len(p.ops) > 0 {
		s.items = append(s.items, shapeItem{path: p, stroke: c, width: width, dash: dash})
	}
}

func (s *scene) marks(m marksItem) {
	if len(m.at) > 0 {
		s.items = append(s.items, m)
	}
}

func (s *scene) line(x1, y1, x2, y2 float64, c color.NRGBA, width float64) {
	s.stroke(through(Point{x1, y1}, Point{x2, y2}), c, width, nil)
}

func (s *scene) text(t textItem) {
	if t.s != "" {
		s.items = append(s.items, t)
	}
}

type path struct{ ops []op }

type opKind byte

const (
	moveTo opKind = iota
	lineTo
	quadTo
	cubicTo
	closePath
)

// op holds the end point last: 1, 2 or 3 points by kind.
type op struct {
	kind opKind
	p    [3]Point
}

func through(places ...Point) path {
	var p path
	for _, q := range places {
		p.point(q.X, q.Y)
	}
	return p
}

func corners(left, top, right, bottom float64) []Point {
	return []Point{{left, top}, {right, top}, {right, bottom}, {left, bottom}}
}

func rectangle(left, top, right, bottom float64) path {
	return through(corners(left, top, right, bottom)...).close()
}

// point moves to the first place and draws a line to every later one.
func (p *path) point(x, y float64) {
	kind := lineTo
	if len(p.ops) == 0 {
		kind = moveTo
	}
	p.ops = append(p.ops, op{kind: kind, p: [3]Point{{x, y}}})
}

func (p *path) move(x, y float64) {
	p.ops = append(p.ops, op{kind: moveTo, p: [3]Point{{x, y}}})
}

func (p *path) cubic(x1, y1, x2, y2, x, y float64) {
	p.ops = append(p.ops, op{kind: cubicTo, p: [3]Point{{x1, y1}, {x2, y2}, {x, y}}})
}

func (p path) close() path {
	p.ops = append(p.ops, op{kind: closePath})
	return p
}

func (p path) mapped(f func(Point) Point) path {
	out := path{ops: make([]op, len(p.ops))}
	for i, o := range p.ops {
		for k := range o.points() {
			o.p[k] = f(o.p[k])
		}
		out.ops[i] = o
	}
	return out
}

func (o op) points() int {
	return [...]int{moveTo: 1, lineTo: 1, quadTo: 2, cubicTo: 3, closePath: 0}[o.kind]
}

package figure

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sweep/text"
)

// Whiskers are vertical bars with caps from end to end of intervals. Ends that the axis cannot show, such as infinity and 0 on
// a logarithmic axis, are open: the bar ends at the frame and has no cap. An interval without bounds is not drawn.
type Whiskers struct {
	Series int
	Name   string // of an interval, for the CSV; "" is "whisker"
	Spans  []Span
	N      []int // the replications behind each; nil where they are not counted
}

func (w *Whiskers) look() look {
	return look{series: w.Series, depth: whiskerDepth, column: true, layer: "whisker"}
}

func (w *Whiskers) reach(r *reach) { r.spans = append(r.spans, w.Spans...) }

func (w *Whiskers) rows(put putRow) {
	put.spans(cmp.Or(w.Name, "whisker"), w.Spans, w.N)
}

func (w *Whiskers) draw(a *area) {
	c := darker(seriesColour(w.Series), 0.35) // also distinct from a mark that is larger
	shift, width := a.lane(w.Series)
	const thickness = lineWidth * 0.8
	cap := 3.6
	if width > 0 {
		cap = min(cap, 0.6*width)
	}
	for _, s := range w.Spans { // caps of one length, all inside the frame
		if x := a.left(s.X) + shift; x >= a.x && x <= a.x+a.w {
			cap = min(cap, x-a.x, a.x+a.w-x)
		}
	}
	for _, s := range w.Spans {
		x := a.left(s.X) + shift
		if s.Hidden(a.ys.log) || !(x >= a.x && x <= a.x+a.w) {
			continue
		}
		a.stroke([]Point{{x, a.top(s.High)}, {x, a.top(s.Low)}}, c, lineWidth, nil)
		var ends path
		for _, v := range []float64{s.High, s.Low} {
			if y := a.top(v); y >= a.y && y <= a.y+a.h {
				y = min(max(y, a.y+thickness/2), a.y+a.h-thickness/2)
				ends.move(x-cap, y)
				ends.ops = append(ends.ops, op{kind: lineTo, p: [3]Point{{x + cap, y}}})
			}
		}
		a.scene.stroke(ends, c, thickness, nil)
	}
}

// Band is the area between the ends of vertical intervals. Ends that the axis cannot show are open: the area reaches the frame
// and has no edge there. A gap (NaN) parts it. Beside gaps a single interval is a bar.
type Band struct {
	Series int
	Name   string // of an interval, for the CSV; "" is "band"
	Spans  []Span
	N      []int // the replications behind each; nil where they are not counted
	// Start is the interval at the left border, where its X does not matter; nil where the band begins at its first place.
	Start *Span
}

func (b *Band) look() look { return look{series: b.Series, depth: bandDepth, layer: "band"} }

func (b *Band) reach(r *reach) {
	if r.spans = append(r.spans, b.Spans...); b.Start != nil {
		r.spans = append(r.spans, *b.Start)
	}
}

func (b *Band) rows(put putRow) {
	put.spans(cmp.Or(b.Name, "band"), b.Spans, b.N)
}

func (b *Band) draw(a *area) {
	c := seriesColour(b.Series)
	spans := slices.Clone(b.Spans)
	slices.SortStableFunc(spans, func(p, q Span) int { return cmp.Compare(p.X, q.X) })
	if b.Start != nil && len(spans) > 0 && spans[0].X > a.xs.lo {
		spans = slices.Insert(spans, 0, Span{a.xs.lo, b.Start.Low, b.Start.High})
	}
	var run []Span
	paint := func() {
		if len(run) == 1 {
			x, s := a.left(run[0].X), run[0]
			a.stroke([]Point{{x, a.top(s.High)}, {x, a.top(s.Low)}}, translucent(c, 0.3), 2*lineWidth, nil)
		} else if len(run) > 1 {
			high, low := a.edge(run, func(s Span) float64 { return s.High }), a.edge(run, func(s Span) float64 { return s.Low })
			around := slices.Clone(low)
			slices.Reverse(around)
			if p, some := a.cut(append(slices.Clone(high), around...)); some {
				a.scene.fill(p, translucent(c, 0.15))
			}
			for side, edge := range [][]Point{high, low} { // thin edges tell overlapping bands apart
				from := 0
				for i := range len(run) + 1 {
					if i == len(run) || a.open([]float64{run[i].High, run[i].Low}[side]) {
						a.stroke(edge[from:i], translucent(c, 0.45), 0.4, nil)
						from = i + 1
					}
				}
			}
		}
		run = run[:0]
	}
	for _, s := range spans {
		if s.Hidden(a.ys.log) || math.IsNaN(s.X) || a.xs.log && s.X <= 0 { // it ends the band: beside it there is nothing to fill
			paint()
			continue
		}
		run = append(run, s)
	}
	paint()
}

// Hidden reports whether an axis cannot show the interval: it has no bounds on the axis, or lies below a logarithmic one.
func (s Span) Hidden(log bool) bool {
	unbounded := math.IsInf(s.High, 1) && (math.IsInf(s.Low, -1) || log && s.Low <= 0)
	return math.IsNaN(s.Low) || math.IsNaN(s.High) || unbounded || log && s.High <= 0
}

// edge is one side of a band.
func (a *area) edge(spans []Span, of func(Span) float64) []Point {
	return text.Each(spans, func(s Span) Point { return a.end(Point{s.X, of(s)}) })
}

// end is the place of an end of an interval, or of a point of a curve. One that the axis cannot show is just outside the frame: further
// away the curve would be a wall between its neighbours.
func (a *area) end(p Point) Point {
	out := a.place(p)
	if a.open(p.Y) {
		out.Y = min(max(out.Y, a.y-1), a.y+a.h+1)
	}
	return out
}

// open reports whether an end of an interval has no place on the vertical axis.
func (a *area) open(v float64) bool { return math.IsInf(v, 0) || a.ys.log && v <= 0 }

// Beyond is arrows at the upper edge, for values beyond any axis.
type Beyond struct {
	Series int
	Name   string // of an arrow, for the CSV; "" is "beyond"
	X      []float64
}

func (b *Beyond) look() look {
	return look{series: b.Series, depth: lineDepth, marks: true, layer: "beyond"}
}

func (b *Beyond) reach(r *reach) { r.width(b.X...) }

func (b *Beyond) rows(put putRow) {
	for _, x := range b.X {
		put(cmp.Or(b.Name, "beyond"), x, math.NaN(), math.NaN(), math.NaN(), 0)
	}
}

func (b *Beyond) draw(a *area) {
	const radius, shaft, head = 2.1, 9.0, 2.4
	shift, width := a.lane(b.Series)
	if width == 0 {
		shift = widestStep * (float64(slices.Index(a.lanes, b.Series)) - float64(len(a.lanes)-1)/2)
	}
	c := seriesColour(b.Series)
	m := marksItem{shape: seriesShape(b.Series), radius: radius, fill: c}
	var arrows path
	for _, x := range b.X {
		if !a.figure.X.accepts(x) {
			continue
		}
		at := Point{min(max(a.left(x)+shift, a.x+head), a.x+a.w-head), a.y + 1 + shaft + radius}
		m.at = append(m.at, at)
		arrows.move(at.X, at.Y)
		for _, p := range []Point{{at.X, a.y + 1.5}, {at.X - head, a.y + 1.5 + 1.4*head}, {at.X, a.y + 1.5},
			{at.X + head, a.y + 1.5 + 1.4*head}} {
			arrows.point(p.X, p.Y)
		}
	}
	a.scene.stroke(arrows, c, lineWidth*0.8, nil)
	a.scene.marks(m)
}

// Published are values to compare with: a black diamond at each place, or, where Y is NaN, a vertical line in the colour of
// the series.
type Published struct {
	Series int
	At     []Point
}

func (p *Published) look() look {
	return look{series: p.Series, depth: referenceDepth, layer: "published"}
}

func (p *Published) reach(r *reach) {
	for _, q := range p.At {
		if math.IsNaN(q.Y) {
			r.width(q.X)
			continue
		}
		r.points([]Point{q})
	}
}

func (p *Published) rows(put putRow) {
	put.points("published", p.At)
}

func (p *Published) draw(a *area) {
	for _, q := range p.At {
		if math.IsNaN(q.Y) {
			a.upright(q.X, darker(seriesColour(p.Series), 0.2), 0.9, []float64{2, 2})
		}
	}
	a.scene.marks(marksItem{shape: diamond, radius: 3.2, fill: black, at: a.places(p.Series, p.At)})
}

package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"
)

// drawLayers paints clouds first, then bands, then lines and trends, so that no series hides another's summary.
func (a *area) drawLayers(s *scene, f *Figure, p *Panel) {
	total := 0
	for i := range p.Layers {
		total += len(p.Layers[i].Points)
	}
	for i := range p.Layers {
		a.drawCloud(s, f, p, i, total)
	}
	for i := range p.Layers {
		l := &p.Layers[i]
		if len(f.X.Categories) == 0 {
			a.drawBand(s, l.Band, seriesColour(l.Series), 0.15)
		}
		a.drawBand(s, l.TrendBand, seriesColour(l.Series), 0.2)
	}
	for i := range p.Layers {
		a.drawTrend(s, f, &p.Layers[i], len(p.Layers) == 1 && len(p.Layers[i].Points) > 0)
	}
	for i := range p.Layers {
		l := &p.Layers[i]
		if len(f.X.Categories) > 0 {
			centre, width := dodge(p, i)
			a.drawCategoryMarks(s, f, l, centre, width)
		} else {
			a.drawLine(s, f, l)
			a.drawBeyond(s, f, l, 0)
		}
	}
}

// cloudStyle makes many points small and faint, few points large and clear.
func cloudStyle(n int) (radius, alpha float64) {
	switch {
	case n <= 60:
		return 2.1, 0.75
	case n <= 300:
		return 1.8, 0.5
	case n <= 1500:
		return 1.5, 0.35
	default:
		return 1.2, 0.22
	}
}

func (a *area) drawCloud(s *scene, f *Figure, p *Panel, i, total int) {
	l := &p.Layers[i]
	radius, alpha := cloudStyle(total)
	if len(l.Line) > 0 || len(f.X.Categories) > 0 && len(l.Band) > 0 {
		alpha *= 0.7 // the summary is what is looked at
	}
	m := marksItem{shape: seriesShape(l.Series), radius: radius, fill: translucent(seriesColour(l.Series), alpha)}
	centre, width := 0.0, 0.0
	if len(f.X.Categories) > 0 {
		centre, width = dodge(p, i)
	}
	for k, q := range l.Points {
		if !f.drawable(q) {
			continue
		}
		q.X += centre + width*jitter(k)
		m.at = append(m.at, a.place(q))
	}
	if len(m.at) > 0 {
		s.items = append(s.items, m)
	}
}

// dodge gives each layer of a panel its own lane within a category: its centre and the width for jitter.
func dodge(p *Panel, i int) (centre, width float64) {
	lane := 0.8 / float64(len(p.Layers))
	return -0.4 + lane*(float64(i)+0.5), lane * 0.7
}

// jitter spreads the k-th point evenly over (-1/2, 1/2): multiples of the golden ratio leave no clumps and need no chance.
func jitter(k int) float64 {
	_, frac := math.Modf(float64(k)*0.6180339887498949 + 0.5)
	return frac - 0.5
}

// drawBand paints the area between the ends of the spans. A gap (NaN) starts a new polygon.
func (a *area) drawBand(s *scene, band []Span, c color.NRGBA, alpha float64) {
	band = slices.Clone(band)
	slices.SortStableFunc(band, func(p, q Span) int { return cmp.Compare(p.X, q.X) })
	var run []Span
	paint := func() {
		if len(run) > 1 {
			corners := make([]Point, 0, 2*len(run))
			for _, b := range run {
				corners = append(corners, a.place(Point{b.X, b.High}))
			}
			for _, b := range slices.Backward(run) {
				corners = append(corners, a.place(Point{b.X, b.Low}))
			}
			var p path
			for _, q := range a.clipPolygon(corners) {
				p.point(q.X, q.Y)
			}
			if len(p.ops) > 2 {
				s.fill(p.close(), translucent(c, alpha))
			}
			// Thin edges tell overlapping bands apart.
			for _, edge := range [][]Point{corners[:len(run)], corners[len(run):]} {
				for _, piece := range a.clipLine(edge) {
					s.stroke(piece, translucent(c, 0.45), 0.4, nil)
				}
			}
		}
		run = run[:0]
	}
	for _, b := range band {
		if math.IsNaN(b.Low) || math.IsNaN(b.High) || math.IsNaN(b.X) || a.xs.log && b.X <= 0 {
			paint()
			continue
		}
		run = append(run, b)
	}
	paint()
}

func (a *area) drawTrend(s *scene, f *Figure, l *Layer, overCloud bool) {
	ps := f.sorted(l.Trend)
	places := make([]Point, len(ps))
	for i, p := range ps {
		places[i] = a.place(p)
	}
	c := seriesColour(l.Series)
	for _, p := range a.clipLine(places) {
		if overCloud {
			s.stroke(p, translucent(white, 0.85), lineWidth+1.6, nil)
			c = darker(seriesColour(l.Series), 0.35)
		}
		s.stroke(p, c, lineWidth+0.2, seriesDash(l.Series))
	}
}

// mostMarks is the number of points of a line up to which each gets its marker.
const mostMarks = 45

func (a *area) drawLine(s *scene, f *Figure, l *Layer) {
	ps := f.sorted(l.Line)
	places := make([]Point, len(ps))
	for i, p := range ps {
		places[i] = a.place(p)
	}
	c := seriesColour(l.Series)
	for _, p := range a.clipLine(places) {
		s.stroke(p, c, lineWidth, seriesDash(l.Series))
	}
	if len(places) > 0 && len(places) <= mostMarks {
		s.items = append(s.items, marksItem{shape: seriesShape(l.Series), radius: 2.1, fill: c, stroke: white, width: 0.5, at: places})
	}
}

// drawCategoryMarks paints a summary mark with a bar for its interval in the layer's lane of each category.
func (a *area) drawCategoryMarks(s *scene, f *Figure, l *Layer, centre, width float64) {
	c := darker(seriesColour(l.Series), 0.3)
	if len(l.Points) == 0 {
		c = seriesColour(l.Series)
	}
	for _, b := range l.Band {
		if math.IsNaN(b.Low) || math.IsNaN(b.High) {
			continue
		}
		x := a.left(b.X + centre)
		var bar, ends path
		for _, p := range a.clipLine([]Point{{x, a.top(b.High)}, {x, a.top(b.Low)}}) {
			bar = p
		}
		s.stroke(bar, c, lineWidth, nil)
		cap := min(3, width*a.w/float64(len(f.X.Categories))/2)
		for _, v := range []float64{b.High, b.Low} {
			if y := a.top(v); y >= a.y && y <= a.y+a.h {
				ends.move(x-cap, y)
				ends.ops = append(ends.ops, op{kind: lineTo, p: [3]Point{{x + cap, y}}})
			}
		}
		s.stroke(ends, c, lineWidth*0.8, nil)
	}
	m := marksItem{shape: seriesShape(l.Series), radius: 2.6, fill: c, stroke: white, width: 0.7}
	for _, p := range l.Line {
		if f.drawable(p) {
			p.X += centre
			m.at = append(m.at, a.place(p))
		}
	}
	if len(m.at) > 0 {
		s.items = append(s.items, m)
	}
	a.drawBeyond(s, f, l, centre)
}

// drawBeyond paints hollow marks at the upper edge.
func (a *area) drawBeyond(s *scene, f *Figure, l *Layer, centre float64) {
	const radius = 2.3
	m := marksItem{shape: seriesShape(l.Series), radius: radius, fill: translucent(white, 0), stroke: seriesColour(l.Series), width: 0.9}
	for _, x := range l.Beyond {
		if f.X.accepts(x) {
			m.at = append(m.at, Point{a.left(x + centre), a.y + 2*radius})
		}
	}
	if len(m.at) > 0 {
		s.items = append(s.items, m)
	}
}

func (f *Figure) sorted(points []Point) []Point {
	out := make([]Point, 0, len(points))
	for _, p := range points {
		if f.drawable(p) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(p, q Point) int { return cmp.Compare(p.X, q.X) })
	return out
}

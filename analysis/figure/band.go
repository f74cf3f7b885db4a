package figure

import (
	"cmp"
	"math"
	"slices"
)

// Band is the area between the ends of vertical intervals; infinite ends are cut at the panel, a gap (NaN) parts it.
type Band struct {
	Series int
	Name   string // of an interval, for the CSV; "" is "band"
	Spans  []Span
}

func (b *Band) of() int { return b.Series }

func (*Band) depth() depth { return bandDepth }

func (*Band) key() key { return key{} }

func (b *Band) reach(r *reach) { r.spans = append(r.spans, b.Spans...) }

func (b *Band) rows(put func(string, float64, float64, float64, float64)) {
	putSpans(put, named(b.Name, "band"), b.Spans)
}

func (b *Band) draw(a *area) {
	c := seriesColour(b.Series)
	spans := slices.Clone(b.Spans)
	slices.SortStableFunc(spans, func(p, q Span) int { return cmp.Compare(p.X, q.X) })
	var run []Span
	paint := func() {
		if len(run) > 1 {
			corners := make([]Point, 0, 2*len(run))
			for _, s := range run {
				corners = append(corners, a.place(Point{s.X, s.High}))
			}
			for _, s := range slices.Backward(run) {
				corners = append(corners, a.place(Point{s.X, s.Low}))
			}
			var p path
			for _, q := range a.clipPolygon(corners) {
				p.point(q.X, q.Y)
			}
			if len(p.ops) > 2 {
				a.scene.fill(p.close(), translucent(c, 0.15))
			}
			// Thin edges tell overlapping bands apart.
			for _, edge := range [][]Point{corners[:len(run)], corners[len(run):]} {
				for _, piece := range a.clipLine(edge) {
					a.scene.stroke(piece, translucent(c, 0.45), 0.4, nil)
				}
			}
		}
		run = run[:0]
	}
	for _, s := range spans {
		if math.IsNaN(s.Low) || math.IsNaN(s.High) || math.IsNaN(s.X) || a.xs.log && s.X <= 0 {
			paint()
			continue
		}
		run = append(run, s)
	}
	paint()
}

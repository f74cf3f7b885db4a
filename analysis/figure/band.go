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

func (b *Band) look() look { return look{series: b.Series, depth: bandDepth} }

func (b *Band) reach(r *reach) { r.spans = append(r.spans, b.Spans...) }

func (b *Band) rows(put putRow) {
	put.spans(cmp.Or(b.Name, "band"), b.Spans)
}

func (b *Band) draw(a *area) {
	c := seriesColour(b.Series)
	spans := slices.Clone(b.Spans)
	slices.SortStableFunc(spans, func(p, q Span) int { return cmp.Compare(p.X, q.X) })
	var run []Span
	paint := func() {
		if len(run) > 1 {
			edges := make([]Point, 0, 2*len(run))
			for _, s := range run {
				edges = append(edges, a.place(Point{s.X, s.High}))
			}
			for _, s := range slices.Backward(run) {
				edges = append(edges, a.place(Point{s.X, s.Low}))
			}
			if p, some := a.cut(edges); some {
				a.scene.fill(p, translucent(c, 0.15))
			}
			// Thin edges tell overlapping bands apart.
			a.stroke(edges[:len(run)], translucent(c, 0.45), 0.4, nil)
			a.stroke(edges[len(run):], translucent(c, 0.45), 0.4, nil)
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

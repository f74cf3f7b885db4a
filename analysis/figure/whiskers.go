package figure

import (
	"cmp"
	"math"
)

// Whiskers are vertical bars with caps from end to end of intervals; infinite ends are cut at the panel and have no cap.
type Whiskers struct {
	Series int
	Name   string // of an interval, for the CSV; "" is "whisker"
	Spans  []Span
}

func (w *Whiskers) look() look { return look{series: w.Series, depth: whiskerDepth, column: true} }

func (w *Whiskers) reach(r *reach) { r.spans = append(r.spans, w.Spans...) }

func (w *Whiskers) rows(put putRow) {
	put.spans(cmp.Or(w.Name, "whisker"), w.Spans)
}

func (w *Whiskers) draw(a *area) {
	c := darker(seriesColour(w.Series), 0.35) // also told from a mark that is larger
	shift, width := a.lane(w.Series)
	cap := 3.6
	if width > 0 {
		cap = min(cap, 0.6*width)
	}
	for _, s := range w.Spans {
		x := a.left(s.X) + shift
		if math.IsNaN(s.Low) || math.IsNaN(s.High) || !(x >= a.x && x <= a.x+a.w) {
			continue
		}
		a.stroke([]Point{{x, a.top(s.High)}, {x, a.top(s.Low)}}, c, lineWidth, nil)
		var ends path
		for _, v := range []float64{s.High, s.Low} {
			if y := a.top(v); y >= a.y && y <= a.y+a.h {
				ends.move(x-cap, y)
				ends.ops = append(ends.ops, op{kind: lineTo, p: [3]Point{{x + cap, y}}})
			}
		}
		a.scene.stroke(ends, c, lineWidth*0.8, nil)
	}
}

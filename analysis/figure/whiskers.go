package figure

import "math"

// Whiskers are vertical bars with caps from end to end of intervals; infinite ends are cut at the panel and have no cap.
type Whiskers struct {
	Series int
	Name   string // of an interval, for the CSV; "" is "whisker"
	Spans  []Span
}

func (w *Whiskers) of() int { return w.Series }

func (*Whiskers) depth() depth { return whiskerDepth }

func (*Whiskers) key() key { return key{} }

func (w *Whiskers) places() []float64 { return along(w.Spans, func(k Span) float64 { return k.X }) }

func (w *Whiskers) reach(r *reach) { r.spans = append(r.spans, w.Spans...) }

func (w *Whiskers) rows(put func(string, float64, float64, float64, float64)) {
	putSpans(put, named(w.Name, "whisker"), w.Spans)
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
		var bar, ends path
		for _, p := range a.clipLine([]Point{{x, a.top(s.High)}, {x, a.top(s.Low)}}) {
			bar = p
		}
		a.scene.stroke(bar, c, lineWidth, nil)
		for _, v := range []float64{s.High, s.Low} {
			if y := a.top(v); y >= a.y && y <= a.y+a.h {
				ends.move(x-cap, y)
				ends.ops = append(ends.ops, op{kind: lineTo, p: [3]Point{{x + cap, y}}})
			}
		}
		a.scene.stroke(ends, c, lineWidth*0.8, nil)
	}
}

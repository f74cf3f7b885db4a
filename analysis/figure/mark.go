package figure

import (
	"cmp"
	"slices"
)

// Mark is one thing that a panel shows: a cloud of points, a line, a band and so on. A new kind is one file, a type with
// these methods.
type Mark interface {
	// of is the series, which fixes colour, marker and dash; -1 for none.
	of() int
	// depth orders the painting: clouds lie under bands, those under lines, trends and whiskers, so that no
	// series hides another's summary.
	depth() depth
	// reach tells what the axes must show.
	reach(*reach)
	draw(*area)
	// rows puts what the mark shows into the CSV, in the units of the data; NaN leaves a cell empty.
	rows(put func(kind string, x, y, low, high float64))
	// key is how the mark looks in the legend.
	key() key
}

type depth int

const (
	groundDepth depth = iota
	cloudDepth
	bandDepth
	lineDepth
	trendDepth
	whiskerDepth
	referenceDepth
)

// key is the parts of a series' sample in the legend.
type key struct{ line, marks bool }

// painted is the marks in the order of painting.
func (p *Panel) painted() []Mark {
	marks := slices.Clone(p.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.depth(), b.depth()), cmp.Compare(a.of(), b.of()))
	})
	return marks
}

// key is what marks of a series look like in all panels; drawn tells whether there are any.
func (f *Figure) key(series int) (k key, drawn bool) {
	for i := range f.Panels {
		for _, m := range f.Panels[i].Marks {
			if m.of() == series {
				part := m.key()
				k.line, k.marks, drawn = k.line || part.line, k.marks || part.marks, true
			}
		}
	}
	return k, drawn
}

// reach is what axes must show.
type reach struct {
	figure *Figure
	x, y   extent
	colour extent
	spans  []Span // their ends widen the vertical range, within reason
	across []Span // the same of the horizontal range; X is the height
	lost   int    // points that cannot be shown
}

func (f *Figure) reach(panels ...Panel) *reach {
	r := &reach{figure: f, x: newExtent(), y: newExtent(), colour: newExtent()}
	for i := range panels {
		for _, m := range panels[i].Marks {
			m.reach(r)
		}
	}
	return r
}

// points adds places; those that cannot be shown are counted.
func (r *reach) points(ps []Point) {
	for _, q := range ps {
		if r.figure.drawable(q) {
			r.x.add(q.X)
			r.y.add(q.Y)
		} else {
			r.lost++
		}
	}
}

// height adds a value of the vertical axis only.
func (r *reach) height(y float64) {
	if r.figure.Y.accepts(y) {
		r.y.add(y)
	}
}

// NotDrawn counts the points and line points that cannot be shown: not finite (or beyond 1e300), or not
// positive on a logarithmic axis.
func (f *Figure) NotDrawn() int { return f.reach(f.Panels...).lost }

func (f *Figure) drawable(p Point) bool { return f.X.accepts(p.X) && f.Y.accepts(p.Y) }

// sorted is the points that can be shown by increasing X.
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

// empty reports whether a panel shows nothing but references.
func (p *Panel) empty(f *Figure) bool {
	for _, m := range p.Marks {
		if _, steps := m.(*Steps); steps || m.of() >= 0 {
			if r := f.reach(Panel{Marks: []Mark{m}}); !r.x.empty() {
				return false
			}
		}
	}
	return true
}

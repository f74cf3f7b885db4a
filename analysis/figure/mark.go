package figure

import (
	"cmp"
	"math"
	"slices"
)

// Mark is one thing that a panel shows: a cloud of points, a line, a band and so on. A new kind is one file, a type with
// these methods.
type Mark interface {
	look() look
	// reach returns the range that the axes must show.
	reach(*reach)
	draw(*area)
	// rows puts the values of the mark into the CSV.
	rows(putRow)
}

// look holds the common properties of marks of a kind.
type look struct {
	series      int // which fixes colour, marker and dash; -1 for none
	depth       depth
	line, marks bool   // the parts of the series' sample in the legend
	column      bool   // it takes width at the places of its rows, so that those of several series hide one another
	layer       string // of its rows in Vega-Lite
}

// depth orders the painting: clouds lie under bands, those under lines, trends and whiskers, so that no series hides
// another's summary.
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

func (p *Panel) painted() []Mark {
	marks := slices.Clone(p.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.look().depth, b.look().depth), cmp.Compare(level(a), level(b)), cmp.Compare(a.look().series, b.look().series))
	})
	return marks
}

// level puts lines with labels behind marks of the same depth, because a label must know what it would cover.
func level(m Mark) int {
	if _, line := m.(*Reference); line {
		return 1
	}
	return 0
}

// sample returns the look of the marks of a series in the legend; drawn reports whether there are any.
func (f *Figure) sample(series int) (line, marks, drawn bool) {
	for i := range f.Panels {
		for _, m := range f.Panels[i].Marks {
			if l := m.look(); l.series == series {
				line, marks, drawn = line || l.line, marks || l.marks, true
			}
		}
	}
	return line, marks, drawn
}

type reach struct {
	figure *Figure
	x, y   extent
	colour extent
	spans  []Span // their ends widen the vertical range, within reason
	across []Span // the same of the horizontal range; X is the height
	lost   int    // points that cannot be shown
	beyond int    // the ones of them that the limits of an axis leave out
	low    int    // the ones of them that are not positive on a logarithmic axis
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

func (r *reach) points(ps []Point) {
	for _, q := range ps {
		if r.figure.drawable(q) {
			r.x.add(q.X)
			r.y.add(q.Y)
		} else {
			r.lost++
			switch x, y := &r.figure.X, &r.figure.Y; {
			case x.Possible(q.X) && y.Possible(q.Y):
				r.beyond++
				r.width(q.X)
			case x.Log && q.X <= 0 || y.Log && q.Y <= 0:
				r.low++
				r.width(q.X) // as a place along x it has one
			}
		}
	}
}

func (r *reach) width(xs ...float64) {
	for _, x := range xs {
		if r.figure.X.accepts(x) {
			r.x.add(x)
		}
	}
}

func (r *reach) height(y float64) {
	if r.figure.Y.accepts(y) {
		r.y.add(y)
	}
}

// NotDrawn counts the points and line points that cannot be shown: not finite (or beyond 1e300), or not
// positive on a logarithmic axis.
func (f *Figure) NotDrawn() int { return f.reach(f.Panels...).lost }

func (f *Figure) drawable(p Point) bool { return f.X.accepts(p.X) && f.Y.accepts(p.Y) }

func (f *Figure) sorted(points []Point) []Point {
	return slices.DeleteFunc(f.course(points), func(p Point) bool { return !f.drawable(p) })
}

// course returns the points that a curve goes through, by X: also those beyond the frame, where it leaves the frame.
func (f *Figure) course(points []Point) []Point {
	out := slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return !(f.X.Possible(p.X) && math.Abs(p.Y) <= largest) })
	slices.SortStableFunc(out, func(p, q Point) int { return cmp.Compare(p.X, q.X) })
	return out
}

// parts divides the course of a curve at the places that have no value.
func (f *Figure) parts(points []Point) (parts [][]Point) {
	var gaps []float64
	for _, p := range points {
		if math.IsNaN(p.Y) {
			gaps = append(gaps, p.X)
		}
	}
	slices.Sort(gaps)
	rest := f.course(points)
	for _, x := range gaps {
		n := slices.IndexFunc(rest, func(p Point) bool { return p.X > x })
		if n < 0 {
			break
		}
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return append(parts, rest)
}

// empty reports whether a panel has nothing but references. Points beyond its frame are data.
func (p *Panel) empty(f *Figure) bool {
	return !slices.ContainsFunc(p.Marks, func(m Mark) bool {
		shows := m.look().series >= 0
		switch m := m.(type) {
		case *Steps:
			if m.N > 0 {
				return true // it has a height, even if none of its places is on the axis
			}
			shows = true // of no series, but data
		case *Tracks:
			shows = true
		}
		r := f.reach(Panel{Marks: []Mark{m}})
		return shows && (!r.x.empty() || r.beyond > 0)
	})
}

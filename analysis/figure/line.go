package figure

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"schedsweep/sweep/text"
)

// Line is places joined by increasing X, each with its marker; on a category axis markers alone. A gap (NaN, of no replication) parts it.
type Line struct {
	Series int
	Name   string // of a place, for the CSV; "" is "line"
	At     []Point
	N      []int // the replications behind each place; nil where they are not counted
}

// mostMarks is the number of points of a line up to which each gets its marker.
const mostMarks = 45

func (l *Line) look() look {
	return look{series: l.Series, depth: lineDepth, line: true, marks: true, layer: "line"}
}

// Places counts the places that are no gaps.
func (l *Line) Places() int { return len(l.places()) }

func (l *Line) places() []Point {
	var ps []Point
	for i, q := range l.At {
		if !math.IsNaN(q.Y) || len(l.N) == 0 || behind(l.N, i) > 0 {
			ps = append(ps, q)
		}
	}
	return ps
}

func (l *Line) reach(r *reach) { r.points(l.places()) }

func (l *Line) rows(put putRow) {
	put.points(cmp.Or(l.Name, "line"), l.At, l.N...)
}

func (l *Line) draw(a *area) {
	m := marksItem{shape: seriesShape(l.Series), radius: 2.1, fill: seriesColour(l.Series)}
	if len(a.figure.X.Categories) > 0 {
		m.radius = 2.4
	}
	if a.panel.shows(l.Series, cloudDepth) {
		m.fill = darker(m.fill, 0.3)
	}
	places := a.places(l.Series, a.figure.sorted(l.At))
	if len(a.figure.X.Categories) == 0 {
		shift, _ := a.lane(l.Series)
		var alone []Point
		for _, part := range a.figure.parts(l.At) {
			if len(part) == 1 {
				alone = append(alone, part...)
			}
			course := text.Each(part, func(q Point) Point { return Point{a.left(q.X) + shift, a.end(q).Y} })
			a.stroke(course, m.fill, lineWidth, seriesDash(l.Series))
		}
		if len(places) > mostMarks {
			places = a.places(l.Series, alone)
		}
	}
	m.at = places
	a.scene.marks(m)
}

// Steps is a line that keeps the height of each place up to the next. It comes from Start at the left border, or begins at the first
// place where Start is NaN. It leaves at the right border, or falls to 0 before.
type Steps struct {
	Series int
	Name   string // of a place, for the CSV; "" is "step"
	Start  float64
	// Fall is the place where it falls to 0, which a logarithmic axis does not have; 0 for nowhere.
	Fall float64
	At   []Point
	N    int  // the replications behind it
	Log  bool // of the log itself: thin and dotted
}

// Level returns its height at x.
func (s *Steps) Level(x float64) float64 {
	y := s.Start
	for _, p := range s.At {
		if p.X > x {
			break
		}
		y = p.Y
	}
	if s.Fall != 0 && x >= s.Fall {
		return 0
	}
	return y
}

func (s *Steps) look() look {
	return look{series: s.Series, depth: lineDepth, line: true, layer: "step"}
}

func (s *Steps) reach(r *reach) {
	start, at := s.from(r.figure)
	r.points(at)
	if len(at) > 0 {
		r.height(start)
	}
	if s.Fall > 0 {
		r.width(s.Fall)
	}
}

func (s *Steps) rows(put putRow) {
	put.points(cmp.Or(s.Name, "step"), s.At, s.N)
	if s.Fall > 0 {
		put(cmp.Or(s.Name, "step"), s.Fall, 0, math.NaN(), math.NaN(), s.N)
	}
}

// from returns the height at which the curve comes into the frame, and its steps from there on.
func (s *Steps) from(f *Figure) (start float64, at []Point) {
	start, at = s.Start, s.At
	for len(at) > 0 && (f.X.Log && at[0].X <= 0 || f.X.Limits != nil && at[0].X < f.X.Limits[0]) {
		if !math.IsNaN(at[0].Y) {
			start = at[0].Y
		}
		at = at[1:]
	}
	return start, at
}

func (s *Steps) draw(a *area) {
	start, at := s.from(a.figure)
	y := a.end(Point{Y: start}).Y
	places := []Point{{a.x, y}}
	for _, q := range a.figure.course(at) {
		p := a.end(q)
		places = append(places, Point{p.X, y}, p)
		y = p.Y
	}
	if math.IsNaN(start) {
		places = places[min(2, len(places)):]
	}
	if x := a.left(s.Fall); s.Fall > 0 {
		places = append(places, Point{x, y}, Point{x, a.y + a.h})
	} else if len(places) == 0 || places[len(places)-1].X < a.x+a.w {
		places = append(places, Point{a.x + a.w, y})
	}
	colour, width, dash := seriesColour(s.Series), lineWidth, seriesDash(s.Series)
	if s.Log {
		colour, width, dash = darker(colour, 0.3), lineWidth*0.7, []float64{1, 2}
	}
	a.stroke(places, colour, width, dash)
}

// Trend is a straight or curved trendline. It has no markers, and is thin where a mean line is beside it.
type Trend struct {
	Series int
	At     []Point
	N      int    // the replications behind it
	Slope  *Slope // printed above the panel in the units of the axes; may be nil
}

// Slope is that of a trendline with its interval, in units of the data.
type Slope struct {
	Value, Low, High float64
	R2               float64 // NaN where there is none
	Name             string  // of the slope; "" is "slope"
	More             string  // further text about the line
}

func (t *Trend) look() look {
	return look{series: t.Series, depth: trendDepth, line: true, layer: "trend"}
}

// reach takes the ends of a line that falls to 0 on a logarithmic axis as those of an interval: they are at any depth.
func (t *Trend) reach(r *reach) {
	highest := math.Inf(-1)
	for _, q := range t.At {
		if r.figure.drawable(q) {
			highest = max(highest, q.Y)
		}
	}
	for _, q := range t.At {
		switch {
		case !r.figure.drawable(q):
			continue
		case r.figure.Y.Log && q.Y < highest:
			r.spans = append(r.spans, Span{q.X, q.Y, q.Y})
		default:
			r.y.add(q.Y)
		}
		r.x.add(q.X)
	}
}

func (t *Trend) rows(put putRow) {
	put.points("trend", t.At, t.N)
}

func (t *Trend) draw(a *area) {
	ps := a.figure.course(t.At)
	var places []Point
	for i, p := range ps {
		if i > 0 && a.ys.log && (ps[i-1].Y < smallest) != (p.Y < smallest) { // it leaves the frame where it is 0
			q := ps[i-1]
			places = append(places, Point{a.left(q.X + (p.X-q.X)*q.Y/(q.Y-p.Y)), a.y + a.h + 1})
		}
		if a.figure.Y.Possible(p.Y) {
			places = append(places, a.place(p))
		}
	}
	c, width, dash := seriesColour(t.Series), lineWidth+0.2, seriesDash(t.Series)
	if a.panel.shows(t.Series, cloudDepth) {
		c = darker(c, 0.45)
	}
	if a.panel.shows(t.Series, lineDepth, whiskerDepth) {
		c, width, dash = darker(c, 0.6), 0.8, []float64{7, 2, 1, 2}
	}
	a.stroke(places, c, width, dash)
}

// notes are those of the panel and the slopes of its trends, in the units of axes that are displayed like that.
func (p *Panel) notes(x, y display, series int) []Note {
	notes := p.Notes
	for _, m := range p.Marks {
		if t, ok := m.(*Trend); ok && t.Slope != nil {
			of := t.Series
			if series < 2 {
				of = -1
			}
			notes = append(notes[:len(notes):len(notes)], Note{of, t.Slope.text(x, y)})
			if t.Slope.More != "" {
				notes = append(notes, Note{of, t.Slope.More})
			}
			if !math.IsNaN(t.Slope.R2) {
				notes = append(notes, Note{of, fmt.Sprintf("R² = %.2f", t.Slope.R2)})
			}
		}
	}
	return notes
}

// text prints a slope and its interval, such as "slope 1.15 [1.02, 1.28] days per 10⁶".
func (s *Slope) text(x, y display) string {
	if y.readable != "" {
		y.factor, y.unit = wholeUnit(s.Value * x.factor)
	}
	perTick := x.factor / y.factor
	exponent := 0
	if size := math.Abs(s.Value * perTick); size > 0 && (size >= 1e4 || size < 1e-2) {
		exponent = int(math.Floor(math.Log10(size)))
	}
	scale := perTick / math.Pow(10, float64(exponent))
	decimals := 2
	// An interval that is narrower than a billionth of the slope is rounding.
	if half := (s.High - s.Low) / 2 * scale; half > 1e-9*math.Abs(s.Value*scale) && !math.IsInf(half, 0) {
		decimals = min(max(0, 1-int(math.Floor(math.Log10(half)))), 12)
	}
	number := func(v float64) string {
		if math.IsInf(v, 0) {
			return plainNumber(v)
		}
		return strconv.FormatFloat(v*scale, 'f', decimals, 64)
	}
	exponent += y.power
	text := cmp.Or(s.Name, "slope") + " " + number(s.Value) + " [" + number(s.Low) + ", " + number(s.High) + "]"
	if exponent != 0 {
		text += "×10" + Superscript(exponent)
	}
	if y.unit != "" {
		text += " " + y.unit
	}
	per := x.unit
	if x.power != 0 {
		per = strings.TrimSpace("10" + Superscript(x.power) + " " + x.unit)
	}
	if per != "" {
		text += " per " + per
	}
	return strings.ReplaceAll(text, "-", "−")
}

package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Spot is a place of a drawn figure that a reader can point at: a value, with the interval around it where one is drawn.
type Spot struct {
	Panel, Series int       // their numbers in the figure
	Kind          string    // of mark, as in the CSV
	X, Y          float64   // in the units of the data
	Low, High     float64   // NaN without an interval
	Left, Top     float64   // from the top left of the drawing, as shares of its width and height
	Level         [2]string // axis and value, of a level of parallel coordinates
	Text          string    // panel, series, place and value as people read them
}

// mostSpots is the most spots of a figure that a reader can use.
const mostSpots = 5000

// Spots are the places of all values that the figure shows, panel by panel, series by series, from left to right. Trends, references
// and published values have none. Of too many, single instances are left out, and then the last; left is how many.
func (f *Figure) Spots() (spots []Spot, left int, err error) {
	if err := f.validate(); err != nil {
		return nil, 0, err
	}
	l := arrange(f)
	for i := range f.Panels {
		spots = append(spots, l.area(nil, i).spots(i)...)
	}
	slices.SortStableFunc(spots, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(a.Panel, b.Panel), cmp.Compare(a.Series, b.Series), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	if all := len(spots); all > mostSpots {
		spots = slices.DeleteFunc(spots, func(s Spot) bool { return s.Kind == InstanceKind })
		spots = spots[:min(len(spots), mostSpots)]
		left = all - len(spots)
	}
	for i := range spots {
		s := &spots[i]
		s.Left, s.Top = s.Left/l.w, s.Top/l.h
		if s.Text == "" {
			s.Text = f.textOf(s)
		}
	}
	return spots, left, nil
}

func (a *area) spots(panel int) []Spot {
	f := a.figure
	var out []Spot
	intervals := map[[2]float64]Span{} // by series and X
	for _, m := range a.panel.Marks {
		switch m := m.(type) {
		case *Coordinates:
			out = append(out, a.levels(panel, m)...)
			continue
		case *Heat:
			out = append(out, a.cells(panel, m)...)
			continue
		case *Tracks:
			continue
		}
		if m.look().series < 0 || m.look().depth == trendDepth || m.look().depth == referenceDepth {
			continue
		}
		series, k := m.look().series, 0
		shift, width := a.lane(series)
		if _, jittered := m.(*Cloud); !jittered {
			width = 0
		}
		m.rows(func(kind string, x, y, low, high float64, _ int) {
			switch p := (Point{x, y}); {
			case math.IsNaN(y) && low <= high:
				intervals[[2]float64{float64(series), x}] = Span{x, low, high}
			case m.look().depth != bandDepth && f.drawable(p):
				place := a.place(p)
				if place.Y < a.y-1 || place.Y > a.y+a.h+1 || place.X < a.x-1 || place.X > a.x+a.w+1 {
					break // a mark whose numbers are no places
				}
				out = append(out, Spot{Panel: panel, Series: series, Kind: kind, X: x, Y: y, Low: low, High: high, Left: place.X + shift +
					width*jitter(k), Top: place.Y})
			}
			k++
		})
	}
	for i := range out {
		s := &out[i]
		if span, ok := intervals[[2]float64{float64(s.Series), s.X}]; ok && !(s.Low <= s.High) && !s.Single() {
			s.Low, s.High = span.Low, span.High
		}
	}
	return out
}

func (a *area) cells(panel int, h *Heat) []Spot {
	f := a.figure
	between := func(x *Axis, from, to float64) string {
		return strings.TrimSpace(x.Label + " " + Brief(from, x.Unit) + " to " + Brief(to, x.Unit))
	}
	var out []Spot
	for _, c := range h.Cells {
		low, high := Point{c.Left, c.Low}, Point{c.Right, c.High}
		if math.IsNaN(c.Value) || !f.drawable(low) || !f.drawable(high) {
			continue
		}
		p, q := a.place(low), a.place(high)
		text := []string{between(&f.X, c.Left, c.Right), between(&f.Y, c.Low, c.High),
			fmt.Sprintf("%s: %s, of %d", f.Colour.Label, Brief(c.Value, f.Colour.Unit), c.Items)}
		if name := f.Panels[panel].name(); name != "" {
			text = append([]string{name}, text...)
		}
		out = append(out, Spot{Panel: panel, Kind: "value", X: c.Left, Y: c.Low, Low: math.NaN(), High: math.NaN(), Left: (p.X + q.X) / 2,
			Top: (p.Y + q.Y) / 2, Text: strings.Join(text, "; ")})
	}
	return out
}

// InstanceKind is the name of clouds whose points are instances, and beyondKind that of values beyond the whiskers of a box.
const InstanceKind, beyondKind = "instance", "beyond"

// Single reports whether the value is that of one instance or replication, which has no interval.
func (s *Spot) Single() bool { return s.Kind == InstanceKind || s.Kind == beyondKind }

func (f *Figure) textOf(s *Spot) string {
	var parts []string
	if name := f.Panels[s.Panel].name(); name != "" {
		parts = append(parts, name)
	}
	if len(f.Series) > 1 {
		name := f.Series[s.Series]
		if f.SeriesTitle != "" {
			name = f.SeriesTitle + " " + name
		}
		parts = append(parts, name)
	}
	at := f.category(s.X)
	if len(f.X.Categories) == 0 {
		at = Brief(s.X, f.X.Unit)
	}
	value := s.Kind + " " + Brief(s.Y, f.Y.Unit)
	if s.Low <= s.High {
		value += " [" + Brief(s.Low, f.Y.Unit) + ", " + Brief(s.High, f.Y.Unit) + "]"
	}
	return strings.Join(append(parts, strings.TrimSpace(f.X.Label+" "+at), strings.TrimSpace(f.Y.Label+": "+value)), "; ")
}

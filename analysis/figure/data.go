package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"

	"schedsweep/harness/store"
)

// CSV writes all that the figure shows, with full precision, in the units of the data (not those of the axes):
// panel, series, kind, x, y, low, high. A category's x is its name.
func (f *Figure) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	// The writer keeps its first error; Error below returns it.
	_ = c.Write([]string{"panel", "series", "kind", "x", "y", "low", "high"})
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, m := range p.Marks {
			series := f.seriesOf(m)
			m.rows(func(kind string, x, y, low, high float64) {
				_ = c.Write([]string{p.name(), series, kind, f.value(x), full(y), full(low), full(high)})
			})
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("figure %q: writing csv: %w", f.ID, err)
	}
	return nil
}

// seriesOf names the series of a mark, or a reference line.
func (f *Figure) seriesOf(m Mark) string {
	if r, ok := m.(*Reference); ok {
		return r.Label
	}
	if n := m.look().series; n >= 0 && n < len(f.Series) {
		return f.Series[n]
	}
	return ""
}

// putRow takes a row of the CSV, in the units of the data; NaN leaves a cell empty.
type putRow func(kind string, x, y, low, high float64)

func (put putRow) points(kind string, ps []Point) {
	for _, p := range ps {
		put(kind, p.X, p.Y, math.NaN(), math.NaN())
	}
}

func (put putRow) spans(kind string, ss []Span) {
	for _, s := range ss {
		put(kind, s.X, math.NaN(), s.Low, s.High)
	}
}

func (f *Figure) category(x float64) string {
	if i := int(x); len(f.X.Categories) > 0 && float64(i) == x && i >= 0 && i < len(f.X.Categories) {
		return f.X.Categories[i]
	}
	return full(x)
}

// value is the place x for programs: the number that a category means, or its name where it means none.
func (f *Figure) value(x float64) string {
	if i := int(x); len(f.X.Categories) > 0 && float64(i) == x && i >= 0 && i < len(f.X.Values) {
		return full(f.X.Values[i])
	}
	return f.category(x)
}

func full(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return string(store.AppendFloat(nil, v))
}

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
	put := func(panel, series, kind string, x float64, rest ...float64) {
		record := []string{panel, series, kind, f.category(x)}
		for _, v := range rest {
			record = append(record, full(v))
		}
		_ = c.Write(record)
	}
	_ = c.Write([]string{"panel", "series", "kind", "x", "y", "low", "high"})
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, m := range p.Marks {
			series := ""
			if r, ok := m.(*Reference); ok {
				series = r.Label
			} else if n := m.of(); n >= 0 && n < len(f.Series) {
				series = f.Series[n]
			}
			m.rows(func(kind string, x, y, low, high float64) { put(p.name(), series, kind, x, y, low, high) })
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("figure %q: writing csv: %w", f.ID, err)
	}
	return nil
}

func putPoints(put func(string, float64, float64, float64, float64), kind string, ps []Point) {
	for _, p := range ps {
		put(kind, p.X, p.Y, math.NaN(), math.NaN())
	}
}

func putSpans(put func(string, float64, float64, float64, float64), kind string, ss []Span) {
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

func full(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return string(store.AppendFloat(nil, v))
}

func named(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

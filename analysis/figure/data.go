package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
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
	nan := math.NaN()
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, l := range p.Layers {
			series := ""
			if l.Series < len(f.Series) {
				series = f.Series[l.Series]
			}
			for _, q := range l.Points {
				put(p.Title, series, named(l.PointsName, "point"), q.X, q.Y, nan, nan)
			}
			for _, q := range l.Line {
				put(p.Title, series, named(l.LineName, "line"), q.X, q.Y, nan, nan)
			}
			for _, x := range l.Beyond {
				put(p.Title, series, named(l.BeyondName, "beyond"), x, nan, nan, nan)
			}
			for _, b := range l.Band {
				put(p.Title, series, "band", b.X, nan, b.Low, b.High)
			}
			for _, q := range l.Trend {
				put(p.Title, series, "trend", q.X, q.Y, nan, nan)
			}
			for _, b := range l.TrendBand {
				put(p.Title, series, "trend band", b.X, nan, b.Low, b.High)
			}
		}
		for _, r := range p.References {
			put(p.Title, r.Label, "reference", nan, r.Y, nan, nan)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("figure %q: writing csv: %w", f.ID, err)
	}
	return nil
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
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func named(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

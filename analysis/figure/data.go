package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"schedsweep/harness/store"
)

// CSV writes all that the figure shows, with full precision, in the units of the data (not those of the axes):
// panel, series, kind, x, y, low, high, n, warnings. A category's x is its name. The replications behind a row, or the blocks of
// ranks, are n, empty where a row has none. Every row has all the figure's warnings.
func (f *Figure) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	// The writer keeps its first error; Error below returns it.
	_ = c.Write([]string{"panel", "series", "kind", "x", "y", "low", "high", "n", "warnings"})
	warnings := strings.Join(f.Warnings, "; ")
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, m := range p.Marks {
			series := f.seriesOf(m)
			m.rows(func(kind string, x, y, low, high float64, n int) {
				count := ""
				if n > 0 {
					count = strconv.Itoa(n)
				}
				_ = c.Write([]string{p.name(), series, kind, f.value(x), full(y), full(low), full(high), count, warnings})
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

// putRow takes a row of the CSV, in the units of the data, and the replications behind it; NaN and 0 leave a cell empty.
type putRow func(kind string, x, y, low, high float64, n int)

// points puts places with the replications behind each, the last of them behind all others; none are 0.
func (put putRow) points(kind string, ps []Point, n ...int) {
	for i, p := range ps {
		put(kind, p.X, p.Y, math.NaN(), math.NaN(), behind(n, i))
	}
}

func behind(n []int, i int) int {
	if len(n) == 0 {
		return 0
	}
	return n[min(i, len(n)-1)]
}

func (put putRow) spans(kind string, ss []Span, n []int) {
	for i, s := range ss {
		put(kind, s.X, math.NaN(), s.Low, s.High, behind(n, i))
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

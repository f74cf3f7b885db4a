package figure

import (
	"errors"
	"fmt"
	"math"
)

// Figure is one drawing: panels in a grid that share their axes.
type Figure struct {
	ID      string   // names the files; letters, digits, '-', '_' and '.'
	Title   string   // above everything; may be empty
	X, Y    Axis     // shared by all panels
	OwnX    bool     // each panel has its own range of X, numbers only
	Series  []string // names in the legend, by series number; one series needs no legend
	Panels  []Panel
	Columns int     // panels side by side; 0 chooses
	Width   float64 // of the whole drawing in points; 0 chooses 5 inches for one column, 7 for more
}

// Axis describes a shared axis.
type Axis struct {
	Label string
	// Unit of the values: s (shown as ms, min, hours or days by size), B, B/s, flop, flop/s (with SI prefixes), anything
	// else as it is, or "" for a plain number.
	Unit string
	Log  bool // logarithmic; values of 0 and below cannot be shown and are counted by [Figure.NotDrawn]
	Zero bool // the axis includes 0 whatever the data
	// Categories make a horizontal axis of names: a point's X is the index into them. Ignored on the vertical axis.
	Categories []string
}

// Panel is one plot of the grid.
type Panel struct {
	Title string
	Marks []Mark
	Notes []Note // printed under the title, such as the slope of a trend
}

// Point is a place in the units of the axes.
type Point struct{ X, Y float64 }

// Span is a vertical interval at X.
type Span struct{ X, Low, High float64 }

// Note is a remark in a panel's header, in the colour of a series (-1: black).
type Note struct {
	Series int
	Text   string
}

func (f *Figure) validate() error {
	var errs []error
	if len(f.Panels) == 0 {
		errs = append(errs, errors.New("has no panel"))
	}
	if f.X.Log && len(f.X.Categories) > 0 {
		errs = append(errs, errors.New("x is logarithmic and has categories: choose one"))
	}
	if f.OwnX && len(f.X.Categories) > 0 {
		errs = append(errs, errors.New("x has categories, which all panels share: it cannot have a range for each"))
	}
	if f.Columns < 0 || f.Width < 0 || math.IsNaN(f.Width) || f.Width > 7200 {
		errs = append(errs, fmt.Errorf("columns %d and width %g pt must be at least 0, the width at most 7200", f.Columns, f.Width))
	}
	for i, p := range f.Panels {
		for _, m := range p.Marks {
			if m.of() < -1 || m.of() >= max(1, len(f.Series)) {
				errs = append(errs, fmt.Errorf("panel %d (%q) uses series %d of %d", i, p.Title, m.of(), len(f.Series)))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("figure %q: %w", f.ID, err)
	}
	return nil
}

// Magnitudes beyond these would overflow or vanish in the arithmetic of an axis.
const (
	largest  = 1e300
	smallest = 1e-300
)

func (a *Axis) accepts(v float64) bool {
	return math.Abs(v) <= largest && (!a.Log || v >= smallest)
}

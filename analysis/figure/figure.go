// Package figure draws panels of points, lines, bands and trendlines to SVG, PNG and PDF for a paper.
//
// The pipeline: a [Figure] (plain data) is laid out into a scene, a list of filled paths, strokes, marks and texts in
// points (1/72 inch). [Figure.SVG], [Figure.PNG] and [Figure.PDF] write that one scene, and [Figure.CSV] the numbers in it.
//
// It embeds Liberation Sans and uses the colours of Okabe and Ito (2008, Color Universal Design). Every series has a marker and a
// dash pattern of its own. It gives the same bytes for the same figure: no clock, no fonts of the host. It computes no statistic:
// means, bands and trendlines reach it as coordinates.
package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Figure is one drawing: panels in a grid that share their axes.
type Figure struct {
	ID      string // names the files; letters, digits, '-', '_' and '.'
	Title   string // above everything; may be empty
	Caption string // below everything, with the meaning of marks; may be empty
	X, Y    Axis   // shared by all panels
	// OwnX and OwnY give each panel its own range; X of numbers only.
	OwnX, OwnY  bool
	Flat        bool     // rows of panels but the first have a third of its height
	Bare        bool     // panels have neither frame nor ticks: marks bring their own
	Colour      *Axis    // of the cells of heat maps, shared by all panels; nil for none
	SeriesTitle string   // before the names in the legend, such as the quantity whose values they are; may be empty
	Series      []string // names in the legend, by series number; one series needs no legend
	// Written maps names of series, categories, panels and references in the CSV to the names that people write; nil: as they are.
	Written map[string]string
	// Warnings are about the numbers that it shows; every row of the CSV has them.
	Warnings []string
	Panels   []Panel // row by row
	Columns  int     // panels side by side; 0 chooses
	// Width is that of the whole drawing in points; 0 chooses 5 inches for one column, 7 for more. Height is that of a
	// plot area; 0 chooses by the width.
	Width, Height float64
}

// Axis describes a shared axis.
type Axis struct {
	Label string
	// Unit of the values: s (shown as ms, min, hours or days by size), B, B/s, flop, flop/s (with SI prefixes), anything
	// else as it is, or "" for a plain number.
	Unit string
	Log  bool // logarithmic; values of 0 and below cannot be shown and are counted by [Figure.NotDrawn]
	Zero bool // the axis includes 0 for any data
	// Categories make a horizontal axis of names: a point's X is the index into them. Ignored on the vertical axis.
	Categories []string
	// Values are those of a sweep, ascending. Ticks stand at them where their labels fit. Of categories they are the numbers that
	// the names stand for, which [Figure.CSV] has; nil for texts.
	Values []float64
	// Limits are the ends of the axis in the unit of the data, nil where the data decide; what lies outside is counted by
	// [Figure.NotDrawn]. Ignored on an axis of categories.
	Limits *[2]float64
}

// Panel is one plot of the grid.
type Panel struct {
	Title string
	Row   string // names the row at its right; where panels have rows, titles stand above the first only
	Marks []Mark
	Notes []Note // printed under the title, such as the slope of a trend
}

func (p *Panel) name() string {
	if p.Row == "" || p.Title == "" {
		return p.Row + p.Title
	}
	return p.Row + ", " + p.Title
}

// written is a name as people write it.
func (f *Figure) written(name string) string { return cmp.Or(f.Written[name], name) }

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
	for i, p := range f.Panels {
		if f.Colour == nil && slices.ContainsFunc(p.Marks, func(m Mark) bool { _, heat := m.(*Heat); return heat }) {
			errs = append(errs, fmt.Errorf("panel %d (%q) is a heat map without an axis of colours", i, p.Title))
		}
	}
	errs = append(errs, f.X.validate(), f.Y.validate())
	if f.Height < 0 || math.IsNaN(f.Height) || f.Height > 7200 {
		errs = append(errs, fmt.Errorf("height %g pt must be from 0 to 7200", f.Height))
	}
	if f.Columns < 0 || f.Width < 0 || math.IsNaN(f.Width) || f.Width > 7200 {
		errs = append(errs, fmt.Errorf("columns %d and width %g pt must be at least 0, the width at most 7200", f.Columns, f.Width))
	}
	for i, p := range f.Panels {
		for _, m := range p.Marks {
			if m.look().series < -1 || m.look().series >= max(1, len(f.Series)) {
				errs = append(errs, fmt.Errorf("panel %d (%q) uses series %d of %d", i, p.Title, m.look().series, len(f.Series)))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("figure %q: %w", f.ID, err)
	}
	return nil
}

func (a *Axis) validate() error {
	if l := a.Limits; l != nil && !(l[0] < l[1] && (!a.Log || l[0] > 0)) {
		return fmt.Errorf("an axis from %g to %g: the limits must ascend, and be positive on a logarithmic axis", l[0], l[1])
	}
	return nil
}

// Magnitudes beyond these would overflow or vanish in the arithmetic of an axis.
const (
	largest  = 1e300
	smallest = 1e-300
)

func (a *Axis) accepts(v float64) bool {
	return a.Possible(v) && (a.Limits == nil || len(a.Categories) > 0 || v >= a.Limits[0] && v <= a.Limits[1])
}

// Possible reports whether an axis without limits could show v.
func (a *Axis) Possible(v float64) bool { return math.Abs(v) <= largest && (!a.Log || v >= smallest) }

// Form is a kind of file that figures are written to.
type Form struct {
	Ending, MIME string
	Write        func(*Figure, io.Writer) error
}

// Forms are all of them, in the order of writing.
var Forms = []Form{
	{".svg", "image/svg+xml", (*Figure).SVG}, {".png", "image/png", (*Figure).PNG}, {".pdf", "application/pdf", (*Figure).PDF},
	{".csv", "text/csv; charset=utf-8", (*Figure).CSV}, {".vl.json", "application/json", (*Figure).Vega},
}

// FormOf is the form with that ending; nil for none.
func FormOf(ending string) *Form {
	if i := slices.IndexFunc(Forms, func(f Form) bool { return f.Ending == ending }); i >= 0 {
		return &Forms[i]
	}
	return nil
}

// Package frame holds the rows of runs by column, says what the columns are, and selects, groups and counts rows.
package frame

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// Every lists all rows.
func Every(f *Frame) []int32 { return store.AllRows(f.Rows) }

// Frame is a table, by column. Build it with [NewFrame].
type Frame struct {
	Rows    int
	columns []Column
	index   map[string]int
	Stored  *stored // where the columns are that are not in memory
	Beside  Beside  // nil for none
	// IDs tells the id of the instance of a row, by its place as for Beside; nil where drawings need not tell which instances are
	// behind their points.
	IDs   func(row int32) string
	taken []int32 // the rows' places for Beside and IDs; nil for their own
}

// Column is a named column of numbers or of texts.
type Column struct {
	Name string
	Unit string // of the numbers, as in the dataset's schema ("s", "B/s", "")
	// Numbers has one value a row, NaN for null; nil for a column of texts, and for one that is packed or not in memory.
	Numbers []float64
	packed  *packed // in place of Numbers or Codes
	// Labels are the labels of some of the values, of numbers in their order of display; nil for none.
	Labels []Label
	// Codes index into Levels, -1 for null; nil for a column of numbers, and for one that is packed.
	Codes  []int32
	Levels []string // distinct
}

// NumberColumn makes a column of numbers; NaN is null. The slice is kept.
func NumberColumn(name, unit string, values []float64) Column {
	return Column{Name: name, Unit: unit, Numbers: values}
}

// TextColumn makes a column of texts without nulls.
func TextColumn(name string, values []string) Column {
	c := Column{Name: name, Codes: make([]int32, len(values))}
	seen := map[string]int32{}
	for i, v := range values {
		code, ok := seen[v]
		if !ok {
			code = int32(len(c.Levels))
			seen[v] = code
			c.Levels = append(c.Levels, v)
		}
		c.Codes[i] = code
	}
	return c
}

// IsText reports whether the column holds texts.
func (c *Column) IsText() bool {
	return c.Numbers == nil && c.Codes != nil || c.packed != nil && c.packed.text
}

func (c *Column) rows() int { return max(len(c.Numbers), len(c.Codes), c.packed.rows()) }

func (c *Column) At(i int) Value {
	if c.IsText() {
		code := c.Code(int32(i))
		if code < 0 {
			return Null()
		}
		return c.Labelled(Text(c.Levels[code]))
	}
	return c.Labelled(Number(c.Number(int32(i))))
}

// NewFrame joins columns of equal length; names must differ.
func NewFrame(columns ...Column) (*Frame, error) {
	f := &Frame{columns: columns, index: make(map[string]int, len(columns))}
	for i := range columns {
		c := &columns[i]
		if i == 0 {
			f.Rows = c.rows()
		}
		if c.rows() != f.Rows {
			return nil, fmt.Errorf("column %q has %d rows, column %q has %d: all must have the same number", c.Name, c.rows(), columns[0].Name,
				f.Rows)
		}
		if _, ok := f.index[c.Name]; ok {
			return nil, fmt.Errorf("column %q occurs twice: names must differ", c.Name)
		}
		for row, code := range c.Codes {
			if code < -1 || int(code) >= len(c.Levels) {
				return nil, fmt.Errorf("column %q row %d: code %d is outside its %d levels", c.Name, row, code, len(c.Levels))
			}
		}
		f.index[c.Name] = i
	}
	if int64(f.Rows) > math.MaxInt32 {
		return nil, fmt.Errorf("a frame of %d rows is too long: the limit is %d; split the dataset by an axis", f.Rows, math.MaxInt32)
	}
	return f, nil
}

// Column returns the named column, or nil. One that is not in memory is read, and kept. One that is packed is unpacked.
func (f *Frame) Column(name string) *Column {
	c := f.Held(name)
	switch {
	case c == nil || c.packed == nil:
	case c.packed.text:
		c.Codes, c.packed = valuesOf(Every(f), c.Code), nil
	default:
		c.Numbers, c.packed = c.packed.all(), nil
	}
	return c
}

// Held returns the named column, or nil. It may be packed, so read it by [Column.Number], [Column.Code] or [Column.At].
func (f *Frame) Held(name string) *Column {
	c := f.Head(name)
	if c != nil && !c.held() {
		f.hold([]string{name})
	}
	return c
}

// hold takes these columns into memory, as far as the frame has them and does not hold them. One call reads each file once.
func (f *Frame) hold(names []string) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { c := f.Head(name); return c == nil || c.held() })
	for i, numbers := range f.Stored.whole(names, Every(f)) {
		f.Head(names[i]).Numbers = numbers
	}
}

// Columns are those of these names.
func (f *Frame) Columns(names []string) []*Column { return text.Each(names, f.Held) }

// ID is that of the instance of row i, where the frame has IDs.
func (f *Frame) ID(i int32) string {
	if f.taken != nil {
		i = f.taken[i]
	}
	return f.IDs(i)
}

// Head is Column for callers that need only name, unit and kind.
func (f *Frame) Head(name string) *Column {
	if i, ok := f.index[name]; ok {
		return &f.columns[i]
	}
	return nil
}

// Forget drops the columns that are in memory. The frame then has their heads, and the columns that stay in the dataset.
func (f *Frame) Forget() {
	for i := range f.columns {
		c := &f.columns[i]
		f.columns[i] = Column{Name: c.Name, Unit: c.Unit, Labels: c.Labels}
	}
}

func (f *Frame) Names() []string {
	return text.Each(f.columns, func(c Column) string { return c.Name })
}

func (f *Frame) lacks(what, name string) error {
	names := f.Names()
	slices.Sort(names)
	return fmt.Errorf("%s %q: no such column; there are %s", what, name, strings.Join(names, ", "))
}

// NeedNumbers returns the named column of numbers, see [Frame.Held].
func (f *Frame) NeedNumbers(what, name string) (*Column, error) {
	if err := f.HasNumbers(what, name); err != nil {
		return nil, err
	}
	return f.Held(name), nil
}

// HasNumbers is NeedNumbers of a column that need not be in memory.
func (f *Frame) HasNumbers(what, name string) error {
	switch c := f.Head(name); {
	case c == nil:
		return f.lacks(what, name)
	case c.IsText():
		return fmt.Errorf("%s %q: the column holds texts, numbers are needed", what, name)
	}
	return nil
}

// Take is the rows given, in their order.
func (f *Frame) Take(rows []int32) *Frame {
	out := &Frame{Rows: len(rows), index: f.index, columns: slices.Clone(f.columns), Stored: f.Stored.take(rows), Beside: f.Beside,
		IDs: f.IDs, taken: rows}
	if f.taken != nil {
		out.taken = store.Pick(f.taken, rows)
	}
	for i := range out.columns {
		c := &out.columns[i]
		switch {
		case c.IsText():
			c.Codes, c.packed = valuesOf(rows, c.Code), nil
		case c.held():
			c.Numbers, c.packed = valuesOf(rows, c.Number), nil
		}
	}
	return out
}

package store

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Row is a reusable buffer for one row. Cells are null until they are set; no
// setter allocates. A misuse (text into a number column, a value out of range)
// is remembered and returned by the next Append. So the setters need no error handling at every
// call.
type Row struct {
	schema  Schema
	cells   []Cell
	err     error
	checked *columnBuffers // the buffers this row's schema was last compared with
}

// Cell is a value of a row, or none where it is not Set.
type Cell struct {
	Bits uint64 // of a number or truth value
	Text string
	Set  bool
}

func (s Schema) NewRow() *Row { return &Row{schema: s, cells: make([]Cell, len(s))} }

// Reset makes every cell null and forgets a remembered misuse.
func (r *Row) Reset() {
	clear(r.cells)
	r.err = nil
}

// SetFloat sets cell i of a Float64 column. NaN and infinities are values.
func (r *Row) SetFloat(i int, v float64) {
	if r.schema[i].Type != Float64 {
		r.misuse(i, "a float64")
		return
	}
	r.cells[i] = Cell{Bits: math.Float64bits(v), Set: true}
}

// SetInt sets cell i of an Int64 or Int32 column.
func (r *Row) SetInt(i int, v int64) {
	switch r.schema[i].Type {
	case Int64:
	case Int32:
		if v < math.MinInt32 || v > math.MaxInt32 {
			r.remember(fmt.Errorf("store: column %q is int32 and %d is outside [%d, %d]: declare it int64", r.schema[i].Name, v, math.MinInt32,
				math.MaxInt32))
			return
		}
	default:
		r.misuse(i, "a whole number")
		return
	}
	r.cells[i] = Cell{Bits: uint64(v), Set: true}
}

// SetBool sets cell i of a Bool column.
func (r *Row) SetBool(i int, v bool) {
	if r.schema[i].Type != Bool {
		r.misuse(i, "a bool")
		return
	}
	c := Cell{Set: true}
	if v {
		c.Bits = 1
	}
	r.cells[i] = c
}

// SetString sets cell i of a String or Category column. Parquet text is UTF-8:
// each run of invalid bytes is stored as U+FFFD, so that a strange error
// message never costs the row.
func (r *Row) SetString(i int, s string) {
	if !r.schema[i].Type.isText() {
		r.misuse(i, "text")
		return
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	r.cells[i] = Cell{Text: s, Set: true}
}

// Float is cell i of a Float64 column; false where it is null.
func (r *Row) Float(i int) (float64, bool) {
	return math.Float64frombits(r.cells[i].Bits), r.cells[i].Set
}

// Int is cell i of an Int64 or Int32 column; false where it is null.
func (r *Row) Int(i int) (int64, bool) { return int64(r.cells[i].Bits), r.cells[i].Set }

// Text is cell i of a String or Category column; false where it is null.
func (r *Row) Text(i int) (string, bool) { return r.cells[i].Text, r.cells[i].Set }

func (r *Row) misuse(i int, what string) {
	r.remember(fmt.Errorf("store: column %q is %v and was given %s", r.schema[i].Name, r.schema[i].Type, what))
}

func (r *Row) remember(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Cells are the row as another process of the same program can take it; they are the row's until it changes.
func (r *Row) Cells() []Cell { return r.cells }

// SetCells sets all cells to those of a row of the same schema.
func (r *Row) SetCells(cells []Cell) error {
	if len(cells) != len(r.cells) {
		return fmt.Errorf("store: a row of %d cells for %d columns", len(cells), len(r.cells))
	}
	copy(r.cells, cells)
	return nil
}

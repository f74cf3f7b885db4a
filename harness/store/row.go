package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Row is a reusable buffer for one row. Cells are null until they are set; no
// setter allocates. A misuse (text into a number column, a value out of range)
// is remembered and returned by the next Append, so that the setters need no
// error handling at every call.
type Row struct {
	schema  Schema
	cells   []cell
	err     error
	checked *columnBuffers // the buffers this row's schema was last compared with
}

type cell struct {
	bits uint64
	text string
	set  bool
}

func (s Schema) NewRow() *Row { return &Row{schema: s, cells: make([]cell, len(s))} }

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
	r.cells[i] = cell{bits: math.Float64bits(v), set: true}
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
	r.cells[i] = cell{bits: uint64(v), set: true}
}

// SetBool sets cell i of a Bool column.
func (r *Row) SetBool(i int, v bool) {
	if r.schema[i].Type != Bool {
		r.misuse(i, "a bool")
		return
	}
	c := cell{set: true}
	if v {
		c.bits = 1
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
	r.cells[i] = cell{text: s, set: true}
}

// Float is cell i of a Float64 column; false where it is null.
func (r *Row) Float(i int) (float64, bool) {
	return math.Float64frombits(r.cells[i].bits), r.cells[i].set
}

// Int is cell i of an Int64 or Int32 column; false where it is null.
func (r *Row) Int(i int) (int64, bool) { return int64(r.cells[i].bits), r.cells[i].set }

// Text is cell i of a String or Category column; false where it is null.
func (r *Row) Text(i int) (string, bool) { return r.cells[i].text, r.cells[i].set }

func (r *Row) misuse(i int, what string) {
	r.remember(fmt.Errorf("store: column %q is %v and was given %s", r.schema[i].Name, r.schema[i].Type, what))
}

func (r *Row) remember(err error) {
	if r.err == nil {
		r.err = err
	}
}

// AppendBytes appends the cells to b, for a process of the same program.
func (r *Row) AppendBytes(b []byte) []byte {
	for i := range r.cells {
		switch c := &r.cells[i]; {
		case !c.set:
			b = append(b, 0)
		case r.schema[i].Type.isText():
			b = binary.AppendUvarint(append(b, 1), uint64(len(c.text)))
			b = append(b, c.text...)
		default:
			b = binary.LittleEndian.AppendUint64(append(b, 1), c.bits)
		}
	}
	return b
}

// FromBytes sets the cells to those of a row of the same schema that b begins with, and
// returns the rest of b.
func (r *Row) FromBytes(b []byte) ([]byte, error) {
	r.Reset()
	for i := range r.cells {
		if len(b) > 0 && b[0] == 0 {
			b = b[1:]
			continue
		}
		n, k := uint64(8), 1
		if r.schema[i].Type.isText() {
			text, read := binary.Uvarint(b[min(1, len(b)):])
			if n, k = text, 1+read; read <= 0 {
				k = len(b) + 1
			}
		}
		if k > len(b) || n > uint64(len(b)-k) {
			return nil, fmt.Errorf("store: a row breaks off in column %q", r.schema[i].Name)
		}
		if v := b[k : k+int(n)]; r.schema[i].Type.isText() {
			r.cells[i] = cell{text: string(v), set: true}
		} else {
			r.cells[i] = cell{bits: binary.LittleEndian.Uint64(v), set: true}
		}
		b = b[k+int(n):]
	}
	return b, nil
}

package store

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// columnBuffers holds rows by column as the Parquet encoders take them: the
// values that are not null, and for nullable columns a definition level (0 or
// 1) for each row. The memory is used again after each part. Appending is
// amortised O(columns) and allocates only while the buffers grow.
type columnBuffers struct {
	schema Schema
	cols   []columnBuffer
	texts  []parquet.ByteArray // scratch of writeColumn
	rows   int
	text   int // bytes of text held
}

type columnBuffer struct {
	defs    []int16 // nullable columns only
	floats  []float64
	longs   []int64
	ints    []int32 // Int32 values, or Category codes
	bools   []bool
	offsets []int32 // String: value i is text[offsets[i]:offsets[i+1]]; Category: the same of code i
	text    []byte
	codes   map[string]int32 // Category
}

func newColumnBuffers(s Schema) *columnBuffers {
	b := &columnBuffers{schema: s, cols: make([]columnBuffer, len(s))}
	for i := range b.cols {
		if s[i].Type.isText() {
			b.cols[i].offsets = append(b.cols[i].offsets, 0)
		}
		if s[i].Type == Category {
			b.cols[i].codes = make(map[string]int32)
		}
	}
	return b
}

func (b *columnBuffers) reset() {
	for i := range b.cols {
		c := &b.cols[i]
		c.defs, c.floats, c.longs, c.ints = c.defs[:0], c.floats[:0], c.longs[:0], c.ints[:0]
		c.bools, c.text = c.bools[:0], c.text[:0]
		if c.offsets != nil {
			c.offsets = c.offsets[:1]
		}
		clear(c.codes)
	}
	b.rows, b.text = 0, 0
}

func (b *columnBuffers) accept(r *Row) error {
	if r.err != nil {
		return r.err
	}
	if r.checked != b {
		if len(r.schema) != len(b.schema) {
			return fmt.Errorf("store: row has %d columns, the dataset has %d: make the row from the dataset's schema", len(r.schema), len(b.schema))
		}
		for i := range r.schema {
			if r.schema[i].Name != b.schema[i].Name || r.schema[i].Type != b.schema[i].Type {
				return fmt.Errorf("store: row column %d is %s %v, the dataset's is %s %v: make the row from the dataset's schema",
					i, r.schema[i].Name, r.schema[i].Type, b.schema[i].Name, b.schema[i].Type)
			}
		}
		r.checked = b
	}
	for i := range r.cells {
		if !r.cells[i].Set && !b.schema[i].Nullable {
			return fmt.Errorf("store: column %q must have a value: set it, or declare it nullable", b.schema[i].Name)
		}
		if n := len(r.cells[i].Text); n > maxText {
			return fmt.Errorf("store: column %q holds %d bytes of text in one row, at most %d are possible: shorten it", b.schema[i].Name, n,
				maxText)
		} else if len(b.cols[i].text)+n > math.MaxInt32 {
			return fmt.Errorf("store: column %q holds %d bytes that no part could take: write the buffered rows first", b.schema[i].Name,
				len(b.cols[i].text))
		}
	}
	return nil
}

const maxText = 1 << 24

// append copies the row. The row must have passed accept.
func (b *columnBuffers) append(r *Row) {
	for i := range r.cells {
		b.appendCell(i, &r.cells[i])
	}
	b.rows++
}

func (b *columnBuffers) appendCell(i int, v *Cell) {
	c := &b.cols[i]
	if b.schema[i].Nullable {
		if !v.Set {
			c.defs = append(c.defs, 0)
			return
		}
		c.defs = append(c.defs, 1)
	}
	switch b.schema[i].Type {
	case Float64:
		c.floats = append(c.floats, math.Float64frombits(v.Bits))
	case Int64:
		c.longs = append(c.longs, int64(v.Bits))
	case Int32:
		c.ints = append(c.ints, int32(v.Bits))
	case Bool:
		c.bools = append(c.bools, v.Bits != 0)
	case String:
		c.text = append(c.text, v.Text...)
		c.offsets = append(c.offsets, int32(len(c.text)))
		b.text += len(v.Text)
	case Category:
		c.ints = append(c.ints, b.code(c, v.Text))
	}
}

func (b *columnBuffers) appendAll(from *columnBuffers) {
	for i := range b.cols {
		c, f := &b.cols[i], &from.cols[i]
		c.defs, c.floats = append(c.defs, f.defs...), append(c.floats, f.floats...)
		c.longs, c.bools = append(c.longs, f.longs...), append(c.bools, f.bools...)
		switch b.schema[i].Type {
		case Int32:
			c.ints = append(c.ints, f.ints...)
		case String:
			base := int32(len(c.text))
			c.text = append(c.text, f.text...)
			for _, end := range f.offsets[1:] {
				c.offsets = append(c.offsets, base+end)
			}
			b.text += len(f.text)
		case Category:
			recode := make([]int32, len(f.offsets)-1)
			for k := range recode {
				recode[k] = b.code(c, string(f.text[f.offsets[k]:f.offsets[k+1]]))
			}
			for _, code := range f.ints {
				c.ints = append(c.ints, recode[code])
			}
		}
	}
	b.rows += from.rows
}

func (b *columnBuffers) code(c *columnBuffer, s string) int32 {
	if code, ok := c.codes[s]; ok {
		return code
	}
	code := int32(len(c.codes))
	c.codes[s] = code
	c.text = append(c.text, s...)
	c.offsets = append(c.offsets, int32(len(c.text)))
	b.text += len(s)
	return code
}

// writeColumn writes rows [from, to) of column i, whose values begin at value
// number first, and returns the number of the value after them.
func (b *columnBuffers) writeColumn(w file.ColumnChunkWriter, i, from, to, first int) (next int, err error) {
	c := &b.cols[i]
	var defs []int16
	next = first + to - from
	if b.schema[i].Nullable {
		defs = c.defs[from:to]
		next = first + countPresent(defs, len(defs))
	}
	switch w := w.(type) {
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(c.floats[first:next], defs, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(c.longs[first:next], defs, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(c.ints[first:next], defs, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(c.bools[first:next], defs, nil)
	case *file.ByteArrayColumnChunkWriter:
		b.texts = b.texts[:0]
		for k := first; k < next; k++ {
			at := k
			if b.schema[i].Type == Category {
				at = int(c.ints[k])
			}
			b.texts = append(b.texts, c.text[c.offsets[at]:c.offsets[at+1]])
		}
		_, err = w.WriteBatch(b.texts, defs, nil)
	default:
		err = fmt.Errorf("unexpected column writer %T", w)
	}
	return next, err
}

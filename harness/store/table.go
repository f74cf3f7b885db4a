package store

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Table is a dataset in memory, by column.
type Table struct {
	Columns []Vector
	Rows    int
}

// Vector is one column of a Table. Of Floats, Ints, Bools, Strings and Codes
// exactly the one of the column's type has a value for each row: Ints for Int64
// and Int32, Codes (with Dict) for Category. Values of null rows are zero.
type Vector struct {
	Column
	Floats  []float64
	Ints    []int64
	Bools   []bool
	Strings []string
	Codes   []int32  // Dict[Codes[i]] is the text of row i
	Dict    []string // distinct, in the order of first appearance in the files
	Nulls   []bool   // nil when no row is null

	codes map[string]int32 // of the texts in Dict, for SetString; nil where none was set
}

// Column returns the named column, or nil. O(columns).
func (t *Table) Column(name string) *Vector {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Schema returns the columns' descriptions.
func (t *Table) Schema() Schema {
	s := make(Schema, len(t.Columns))
	for i := range t.Columns {
		s[i] = t.Columns[i].Column
	}
	return s
}

// IsNull reports whether row i has no value.
func (v *Vector) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// Float returns row i as a number; a whole number is converted, a bool is 0 or
// 1. It is false for null and for text.
func (v *Vector) Float(i int) (float64, bool) {
	if v.IsNull(i) {
		return 0, false
	}
	switch v.Type {
	case Float64:
		return v.Floats[i], true
	case Int64, Int32:
		return float64(v.Ints[i]), true
	case Bool:
		if v.Bools[i] {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// Text returns row i as text: numbers in the shortest form that reads back
// exactly, null as the empty string.
func (v *Vector) Text(i int) string { return v.text(v.cell(i)) }

func (v *Vector) cell(i int) (c Cell) {
	if v.IsNull(i) {
		return c
	}
	c.Set = true
	switch v.Type {
	case Float64:
		c.Bits = math.Float64bits(v.Floats[i])
	case Int64, Int32:
		c.Bits = uint64(v.Ints[i])
	case Bool:
		if v.Bools[i] {
			c.Bits = 1
		}
	case String:
		c.Text = v.Strings[i]
	case Category:
		c.Text = v.Dict[v.Codes[i]]
	}
	return c
}

func (c *Column) text(of Cell) string {
	switch {
	case !of.Set || c.Type.isText():
		return of.Text
	case c.Type == Float64:
		return string(AppendFloat(nil, math.Float64frombits(of.Bits)))
	case c.Type == Bool:
		return strconv.FormatBool(of.Bits == 1)
	}
	return strconv.FormatInt(int64(of.Bits), 10)
}

// Take is the rows given, in their order; a row may come several times.
func (t *Table) Take(rows []int32) *Table {
	out := &Table{Rows: len(rows)}
	for i := range t.Columns {
		v := &t.Columns[i]
		out.Columns = append(out.Columns, Vector{Column: v.Column, Floats: Pick(v.Floats, rows), Ints: Pick(v.Ints, rows),
			Bools: Pick(v.Bools, rows), Strings: Pick(v.Strings, rows), Codes: Pick(v.Codes, rows), Dict: v.Dict, Nulls: Pick(v.Nulls, rows)})
	}
	return out
}

// Pick returns the values at some places; nil where there are no values.
func Pick[T any](from []T, rows []int32) []T {
	if from == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, row := range rows {
		out[i] = from[row]
	}
	return out
}

func newVector(c Column, n int) Vector {
	v := Vector{Column: c, Nulls: slices.Repeat([]bool{true}, n)}
	switch c.Type {
	case Float64:
		v.Floats = make([]float64, n)
	case Int64, Int32:
		v.Ints = make([]int64, n)
	case Bool:
		v.Bools = make([]bool, n)
	case String:
		v.Strings = make([]string, n)
	case Category:
		v.Codes = make([]int32, n)
	}
	return v
}

// clear makes every cell null, in the memory that the table has.
func (t *Table) clear() {
	for c := range t.Columns {
		v := &t.Columns[c]
		clear(v.Floats)
		clear(v.Ints)
		clear(v.Bools)
		clear(v.Strings)
		clear(v.Codes)
		v.Dict, v.codes = nil, nil
		for i := range v.Nulls {
			v.Nulls[i] = true
		}
	}
}

func (v *Vector) settle() {
	if !slices.Contains(v.Nulls, true) {
		v.Nulls = nil
	}
}

// EachRow calls fn with one row after another, laid out by the schema; columns that
// the table lacks are null. The row is fn's until it returns.
func (t *Table) EachRow(s Schema, fn func(*Row) error) error {
	columns := make([]int, len(s))
	for j, c := range s {
		columns[j] = t.Schema().Index(c.Name)
		if at := columns[j]; at >= 0 && columnTypes[t.Columns[at].Type].physical != columnTypes[c.Type].physical {
			return fmt.Errorf("store: column %q is %v and was given %v", c.Name, c.Type, t.Columns[at].Type)
		}
	}
	row := s.NewRow()
	for i := range t.Rows {
		t.setCells(row, i, columns)
		if err := fn(row); err != nil {
			return err
		}
	}
	return nil
}

// setCells copies row i of the table into r, whose schema is columns.
// columns[j] is the table's column for cell j, or -1 for null.
func (t *Table) setCells(r *Row, i int, columns []int) {
	for j, c := range columns {
		r.cells[j] = Cell{}
		if c >= 0 {
			r.cells[j] = t.Columns[c].cell(i)
		}
	}
}

// NewTable returns a table of null rows, to be filled by column.
func NewTable(s Schema, rows int) *Table {
	t := &Table{Rows: rows}
	for _, c := range s {
		t.Columns = append(t.Columns, newVector(c, rows))
	}
	return t
}

// Settle ends the filling: columns without nulls need not say so row by row.
func (t *Table) Settle() {
	for i := range t.Columns {
		t.Columns[i].settle()
	}
}

// SetFloat sets row i of a column of floats.
func (v *Vector) SetFloat(i int, x float64) { v.Floats[i], v.Nulls[i] = x, false }

// SetInt sets row i of a column of whole numbers.
func (v *Vector) SetInt(i int, x int64) { v.Ints[i], v.Nulls[i] = x, false }

// SetBool sets row i of a column of truth values.
func (v *Vector) SetBool(i int, x bool) { v.Bools[i], v.Nulls[i] = x, false }

// SetString sets row i of a column of text. The first call numbers the texts in the Dict of a Category, which
// takes time in its size.
func (v *Vector) SetString(i int, x string) {
	v.Nulls[i] = false
	if v.Type == String {
		v.Strings[i] = x
		return
	}
	d := dictionary{v.codes, v.Dict}
	v.Codes[i] = d.code([]byte(x))
	v.codes, v.Dict = d.codes, d.texts
}

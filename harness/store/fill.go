package store

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

// SetString sets row i of a column of text. The first time, numbering what is in the Dict
// of a Category takes time in its size.
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

package frame

import (
	"fmt"
	"math"

	"schedsweep/harness/store"
)

// FromTable makes a frame of a dataset. Numbers become numbers (whole ones beyond 2^53 are rounded), texts and bools texts,
// nulls null. The frame takes the memory of the table's columns where their form allows: do not use the table afterwards.
func FromTable(t *store.Table) (*Frame, error) {
	columns := make([]Column, 0, len(t.Columns))
	for i := range t.Columns {
		v := &t.Columns[i]
		c := Column{Name: v.Name, Unit: unitOf(v.Column)}
		switch v.Type {
		case store.Float64, store.Int64, store.Int32:
			c.Numbers = numbersOf(v)
		case store.Category:
			c.Levels, c.Codes = v.Dict, withNulls(v, v.Codes)
		case store.Bool, store.String:
			texts := make([]string, t.Rows)
			for row := range texts {
				texts[row] = v.Text(row)
			}
			c = TextColumn(v.Name, texts)
			c.Codes = withNulls(v, c.Codes)
		default:
			return nil, fmt.Errorf("column %q has the unknown type %v", v.Name, v.Type)
		}
		columns = append(columns, c)
		*v = store.Vector{} // numbers of another form are garbage now
	}
	f, err := NewFrame(columns...)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return f, nil
}

// unitOf is the unit of a column; "1" is the dataset's mark of a pure number.
func unitOf(c store.Column) string {
	if c.Unit == "1" {
		return ""
	}
	return c.Unit
}

// numbersOf takes the memory of the column where its form allows.
func numbersOf(v *store.Vector) []float64 {
	numbers := v.Floats
	if v.Type != store.Float64 {
		numbers = make([]float64, len(v.Ints))
		for row, n := range v.Ints {
			numbers[row] = float64(n)
		}
	}
	for row, null := range v.Nulls {
		if null {
			numbers[row] = math.NaN()
		}
	}
	return numbers
}

func withNulls(v *store.Vector, codes []int32) []int32 {
	for row, null := range v.Nulls {
		if null {
			codes[row] = -1
		}
	}
	return codes
}

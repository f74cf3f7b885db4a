package analysis

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
		c := Column{Name: v.Name, Unit: v.Unit}
		if c.Unit == "1" {
			c.Unit = "" // the dataset's mark of a pure number
		}
		switch v.Type {
		case store.Float64:
			c.Numbers = floats(v)
		case store.Int64, store.Int32:
			c.Numbers = make([]float64, t.Rows)
			for row := range c.Numbers {
				c.Numbers[row] = math.NaN()
				if !v.IsNull(row) {
					c.Numbers[row] = float64(v.Ints[row])
				}
			}
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
	}
	f, err := NewFrame(columns...)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return f, nil
}

func floats(v *store.Vector) []float64 {
	for row, null := range v.Nulls {
		if null {
			v.Floats[row] = math.NaN()
		}
	}
	return v.Floats
}

func withNulls(v *store.Vector, codes []int32) []int32 {
	for row, null := range v.Nulls {
		if null {
			codes[row] = -1
		}
	}
	return codes
}

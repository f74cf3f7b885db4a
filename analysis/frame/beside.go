package frame

import "errors"

// Beside is a dataset of which each row of the frame has many rows, such as its jobs. What it says is named
// DATASET.QUANTITY, such as jobs.wait_time.
type Beside interface {
	// Unit is that of a quantity; known is false where it is none.
	Unit(name string) (unit string, known bool)
	// Quantities calls what begin returns with values of quantities of one dataset, by quantity: one block of rows[i] after
	// the other, one i after the other, in no order of i; the values are valid during the call only. Where it must begin anew
	// it calls begin again. lacking counts the rows of which the dataset has nothing.
	Quantities(names []string, rows []int32, begin func() func(i int, values [][]float64)) (lacking int, err error)
}

// Quantity returns the column's head of a quantity beside the rows, or nil.
func (f *Frame) Quantity(name string) *Column {
	if f.Beside != nil {
		if unit, known := f.Beside.Unit(name); known {
			return &Column{Name: name, Unit: unit}
		}
	}
	return nil
}

// Quantities reads them, see [Beside], of some rows of the frame.
func (f *Frame) Quantities(names []string, rows []int32, begin func() func(i int, values [][]float64)) (lacking int, err error) {
	if f.Beside == nil {
		return 0, errors.New("there is no dataset beside the rows")
	}
	if f.taken != nil {
		rows = pick(f.taken, rows)
	}
	return f.Beside.Quantities(names, rows, begin)
}

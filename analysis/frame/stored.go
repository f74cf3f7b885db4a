package frame

import (
	"fmt"

	"schedsweep/harness/store"
)

// Source reads columns of some rows of a dataset, which are named by their places: row i of the table is rows[i].
type Source func(columns []string, rows []int32) (*store.Table, error)

// stored is where a frame's columns are that are not in memory.
type stored struct {
	Read Source
	rows []int32 // of the dataset; nil for all
	err  *error  // the first of a whole column
	// atOnce is how many numbers are read at once for statistics, where no column has more in one group.
	AtOnce int
}

// Later adds columns of numbers that stay in the dataset until they are asked for. Names that the frame has are passed over.
func (f *Frame) Later(columns store.Schema, read Source) {
	f.Stored = &stored{Read: read, err: new(error), AtOnce: 1 << 20}
	for _, c := range columns {
		if _, ok := f.index[c.Name]; !ok && (c.Type == store.Float64 || c.Type == store.Int64 || c.Type == store.Int32) {
			f.index[c.Name] = len(f.columns)
			f.columns = append(f.columns, Column{Name: c.Name, Unit: unitOf(c)})
		}
	}
}

// Err is the first error of reading a column that was not in memory; what was computed with it is wrong.
func (f *Frame) Err() error {
	if f.Stored == nil {
		return nil
	}
	return *f.Stored.err
}

func (s *stored) take(rows []int32) *stored {
	if s == nil {
		return nil
	}
	if s.rows != nil {
		rows = pick(s.rows, rows)
	}
	return &stored{s.Read, rows, s.err, s.AtOnce}
}

// numbers are the values of some rows, of one column after the other.
func (s *stored) numbers(names []string, rows []int32) ([][]float64, error) {
	if s.rows != nil {
		rows = pick(s.rows, rows)
	}
	t, err := s.Read(names, rows)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(names))
	for i, name := range names {
		out[i] = numbersOf(t.Column(name))
	}
	return out, nil
}

func (s *stored) whole(name string, rows []int32) []float64 {
	if s == nil {
		return nil
	}
	values, err := s.numbers([]string{name}, rows)
	if err != nil {
		if *s.err == nil {
			*s.err = fmt.Errorf("column %q: %w", name, err)
		}
		return make([]float64, len(rows))
	}
	return values[0]
}

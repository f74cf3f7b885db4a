package rows

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Answers reads metrics of all rows of a run folder, whichever manifest's they are. The
// function gives those of an instance, in the order of the names, NaN where it has none,
// and reports whether there is a row. It is an error when the folder holds two answers for
// one instance.
func Answers(dir string, metrics []string) (of func(sweep.ID) (values []float64, there bool), err error) {
	of = func(sweep.ID) ([]float64, bool) { return nil, false }
	err = store.WithIndex(filepath.Join(dir, folder.Instances), Instances, func(x *store.Index) error {
		if x.Len() == 0 {
			return nil
		}
		schema := x.Schema()
		var have []string
		for _, name := range metrics {
			if schema.Index(name) >= 0 {
				have = append(have, name)
			}
		}
		t, err := x.Read(have, store.AllRows(x.Len()))
		if err != nil {
			return err
		}
		of = func(id sweep.ID) ([]float64, bool) {
			record, there := x.Find(id.String())
			if !there {
				return nil, false
			}
			values := make([]float64, len(metrics))
			for i, name := range metrics {
				values[i] = math.NaN()
				if c := t.Column(name); c != nil && x.Answered(record) {
					if v, ok := c.Float(record); ok {
						values[i] = v
					}
				}
			}
			return values, true
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return of, err
}

// Stored finds the rows of a run folder, one an instance, of any manifest and program: an instance is known by the values of
// its axes, not by an id that another version would give it. Rows of logs themselves are not among them.
type Stored struct {
	index *store.Index // without logs themselves; records are in the order of the files
}

// WithStored calls fn with the rows of the folder. Where a merge takes files away meanwhile it calls it again. Memory: 8
// bytes a row, and 45 before fn is called.
func WithStored(dir string, fn func(*Stored) error) error {
	var own error // of fn
	err := store.WithIndex(filepath.Join(dir, folder.Instances), Instances, func(x *store.Index) error {
		if x.Len() == 0 {
			return ErrNone
		}
		order := x.Ordered()
		t, err := x.Read([]string{replicationColumn}, order)
		if err != nil {
			return err
		}
		kept := make([]int32, 0, len(order))
		for i, replication := range t.Column(replicationColumn).Ints {
			if replication != sweep.LogItself {
				kept = append(kept, order[i])
			}
		}
		if len(kept) == 0 {
			return ErrNone
		}
		x.Keep(kept)
		own = fn(&Stored{x})
		return own
	})
	if err != nil && !errors.Is(err, own) {
		return fmt.Errorf("rows of %s: %w", dir, err)
	}
	return err
}

// Schema has all columns of the files.
func (s *Stored) Schema() store.Schema { return s.index.Schema() }

// Axes are the columns that varied.
func (s *Stored) Axes() (axes []string) {
	for _, c := range s.Schema() {
		if IsAxis(c) {
			axes = append(axes, c.Name)
		}
	}
	return axes
}

// Table has those of the named columns that there are, of all rows.
func (s *Stored) Table(columns ...string) (*store.Table, error) {
	columns = slices.Compact(slices.Sorted(slices.Values(columns)))
	columns = slices.DeleteFunc(columns, func(name string) bool { return s.Schema().Index(name) < 0 })
	return s.index.Read(columns, store.AllRows(s.index.Len()))
}

// Read is columns of the rows that have these places in Table.
func (s *Stored) Read(columns []string, rows []int32) (*store.Table, error) {
	return s.index.Read(columns, rows)
}

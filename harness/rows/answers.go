package rows

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Answers reads metrics of all rows of a run folder, whichever manifest's they are. The
// function gives those of an instance, in the order of the names, NaN where it has none,
// and tells whether there is a row. It is an error when the folder holds two answers for
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

// Stored is the rows of a run folder as they lie, one an instance, whatever manifest
// and program they are of: an instance is known by the values of its axes, not by an
// id that another version would give it. axes are the columns that varied. Rows of logs themselves are not among them.
func Stored(dir string) (t *store.Table, axes []string, err error) {
	if t, err = store.Scan(filepath.Join(dir, folder.Instances), store.ScanOptions{Records: Instances}); err != nil {
		return nil, nil, fmt.Errorf("rows of %s: %w", dir, err)
	}
	var kept []int32
	for i, replication := range t.Column(replicationColumn).Ints {
		if replication != sweep.LogItself {
			kept = append(kept, int32(i))
		}
	}
	if len(kept) < t.Rows {
		t = t.Take(kept)
	}
	if t.Rows == 0 {
		return nil, nil, fmt.Errorf("rows of %s: %w", dir, ErrNone)
	}
	for i := range t.Columns {
		if IsAxis(t.Columns[i].Column) {
			axes = append(axes, t.Columns[i].Name)
		}
	}
	return t, axes, nil
}

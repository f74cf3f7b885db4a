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
	"schedsweep/sweep/text"
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
		have := text.Those(metrics, func(name string) bool { return schema.Index(name) >= 0 })
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

// Stored has the rows of a run folder for a comparison with another, one an instance and without logs themselves. They are those of the
// folder's manifest. Where it lacks some, and the folder has rows that no manifest of it has, these may be the answers of another program,
// which gives the instances other ids. Then it has all rows, and an instance is known by the values of its axes in the files.
type Stored interface {
	Schema() store.Schema // all columns of the rows
	// Table has those of the named columns that there are, of all rows.
	Table(columns ...string) (*store.Table, error)
	// Read is columns of the rows that have these places in Table.
	Read(columns []string, rows []int32) (*store.Table, error)
}

// every is all rows, without logs themselves, in the order of the files.
type every struct{ *store.Index }

func (x every) Table(columns ...string) (*store.Table, error) {
	columns = slices.Compact(slices.Sorted(slices.Values(columns)))
	columns = slices.DeleteFunc(columns, func(name string) bool { return x.Schema().Index(name) < 0 })
	return x.Read(columns, store.AllRows(x.Len()))
}

// WithStored calls fn with the rows of the folder of m; earlier returns the manifests that the folder had before. Where a merge takes
// files away meanwhile it calls fn again. Memory: 16 bytes a row, and 45 before fn is called.
func WithStored(m *sweep.Manifest, dir string, earlier func() []*sweep.Manifest, fn func(Stored) error) error {
	plan, err := m.Plan()
	if err != nil {
		return err
	}
	var own error // of fn
	err = store.WithIndex(filepath.Join(dir, folder.Instances), Instances, func(x *store.Index) error {
		if x.Len() == 0 {
			return ErrNone
		}
		r := rowsOf(x, dir, plan)
		if r.Lacking() == 0 || len(r.plan) > 0 && ofManifests(x, append(earlier(), m)) {
			x.Keep(nil)
			own = fn(r)
			return own
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
		own = fn(every{x})
		return own
	})
	if err != nil && !errors.Is(err, own) {
		return fmt.Errorf("rows of %s: %w", dir, err)
	}
	return err
}

// ofManifests reports whether each row is an instance of one of the manifests.
func ofManifests(x *store.Index, all []*sweep.Manifest) bool {
	find, known := x.Finder(), map[int]bool{}
	for _, m := range all {
		if plan, err := m.WithLogs().Plan(); err == nil {
			for _, inst := range plan.All() {
				if record, ok := find(inst.ID); ok {
					known[record] = true
				}
			}
		}
	}
	return len(known) == x.Len()
}

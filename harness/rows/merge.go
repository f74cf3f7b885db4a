package rows

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Merged describes a merge.
type Merged struct {
	store.MergeResult
	// Unfilled rows moved without a value of an axis that other rows of the folder
	// have: the manifest has their instances no more.
	Unfilled int
	// Sides are the other datasets that the folder has, by name.
	Sides map[string]store.MergeResult
}

// Merge makes few part files of many. Rows that ran before an axis was added to
// the manifest get the value of the axis with which they ran, which the plan
// knows. It is an error when the folder holds two answers for one instance. lock says
// what to do while another merge is running. In the other datasets, parts with rows that
// do not count (yet) stay as they are: their process may be writing, and the next run removes
// what a killed one left.
func Merge(m *sweep.Manifest, dir string, lock store.LockOptions) (out Merged, err error) {
	plan, err := m.WithLogs().Plan()
	if err != nil {
		return out, err
	}
	folder := filepath.Join(dir, folder.Instances)
	var f *filling
	lacking := false
	if err := store.WithIndex(folder, Instances, func(x *store.Index) (err error) {
		f = &filling{plan: plan, index: x, layout: LayoutOf(plan)}
		lacking, err = f.lacking()
		return err
	}); err != nil {
		return out, err
	}
	out.MergeResult, err = store.Merge(folder, store.MergeOptions{Fill: f.fill, All: lacking, Lock: lock})
	out.Unfilled = f.unknown
	if err != nil {
		return out, err
	}
	out.Sides = map[string]store.MergeResult{}
	for _, d := range beside {
		folder := filepath.Join(dir, d.Name)
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := withSets(dir, d, func(_ *store.Index, s *store.Sets) error {
			out.Sides[d.Name], err = store.Merge(folder, store.MergeOptions{Only: s.Settled, Lock: lock})
			return err
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// filling gives rows the values of axes that their files lack.
type filling struct {
	plan    *sweep.Plan
	index   *store.Index
	layout  Layout
	numbers []int32 // record -> instance of the plan + 1; made when a row needs it
	unknown int
}

// lacking reports whether fill has values to add, also to rows that a merge with an older manifest left without one.
func (f *filling) lacking() (bool, error) {
	var inst sweep.Instance
	for k, c := range f.layout.schema[f.layout.axes:f.layout.replication] {
		if at := f.index.Schema().Index(c.Name); at < 0 || f.index.Schema()[at].Type != c.Type {
			continue
		}
		t, err := f.index.Read([]string{c.Name}, store.AllRows(f.index.Len()))
		if err != nil {
			return false, err
		}
		for record := range t.Rows {
			if !t.Columns[0].IsNull(record) {
				continue
			}
			if i, ok := f.number(record); ok {
				if f.plan.At(i, &inst); !inst.Values[k].Null {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

func (f *filling) fill(t *store.Table) error {
	axes := make([]int, len(t.Columns)) // column -> axis, or -1
	for c := range t.Columns {
		axes[c] = f.layout.schema.Index(t.Columns[c].Name) - f.layout.axes
		if k := axes[c]; k < 0 || k >= f.layout.replication-f.layout.axes || f.layout.schema[f.layout.axes+k].Type != t.Columns[c].Type {
			axes[c] = -1
		}
	}
	ids := t.Column("id")
	var inst sweep.Instance
	for row := range t.Rows {
		looked, known := false, false
		for c, k := range axes {
			if k < 0 || !t.Columns[c].IsNull(row) {
				continue
			}
			if !looked {
				looked = true
				if record, there := f.index.Find(ids.Text(row)); there { // else a run has added it since, with all values
					var i int
					if i, known = f.number(record); known {
						f.plan.At(i, &inst)
					} else {
						f.unknown++
					}
				}
			}
			if known {
				setValue(&t.Columns[c], row, inst.Values[k])
			}
		}
	}
	return nil
}

// number returns the instance of the plan that a record is of.
func (f *filling) number(record int) (int, bool) {
	if f.numbers == nil {
		f.numbers = make([]int32, f.index.Len())
		for i, inst := range f.plan.All() {
			if record, ok := f.index.Find(inst.ID.String()); ok {
				f.numbers[record] = int32(i) + 1
			}
		}
	}
	return int(f.numbers[record]) - 1, f.numbers[record] != 0
}

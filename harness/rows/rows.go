// Package rows says what the rows of a run folder are, of instances and in the datasets
// beside them: columns, and how runs write, read, repeat, merge and export them.
package rows

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim/metrics"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// ErrNone reports that no instance of a run folder has ended yet.
var ErrNone = errors.New("no instance has a row yet")

// Read reads the rows of a run folder that are instances of the manifest, in the
// order of the plan: the named columns, in the order of the dataset, or all. Names
// of columns that there are not are passed over. A folder may hold other rows, of
// the same study with other values of an axis: they are left out and counted. It
// is an error when it holds none but others, and when it holds two answers for
// one instance.
//
// The columns of axes come from the plan and not from the files: an instance is known by its parameters, and not by the
// names of labels and axes in the manifest when it ran. Memory: the table, and about 30 bytes a row of the folder.
func Read(m *sweep.Manifest, dir string, columns ...string) (t *store.Table, foreign int, err error) {
	err = With(m, dir, func(r *Rows) error {
		foreign = r.Foreign()
		t, err = r.Table(columns...)
		return err
	})
	return t, foreign, err
}

// Rows finds the rows of a run's instances.
type Rows struct {
	dir    string // of the run
	index  *store.Index
	of     *sweep.Plan
	layout Layout
	plan   []int32 // instances that have a row, by their numbers in the plan
	record []int32 // of each of these its record in the index
	// repeats reports that several may have one record.
	repeats bool
	// Logs are the rows of the log itself, one for each point whose replications are parts of it; several may be one row of the
	// folder. They are in nothing else that Rows gives. Nil where the manifest has none.
	Logs *Rows
}

// With calls fn with the rows of the run folder; fn reads what it needs; see [Read]. Where a merge takes files
// away meanwhile it calls it again.
func With(m *sweep.Manifest, dir string, fn func(*Rows) error) error {
	plan, err := m.Plan()
	if err != nil {
		return err
	}
	err = store.WithIndex(filepath.Join(dir, folder.Instances), Instances, func(x *store.Index) error {
		if x.Len() == 0 {
			return fmt.Errorf("%w: run the manifest first, or wait for it", ErrNone)
		}
		r := rowsOf(x, dir, plan)
		if len(r.plan) == 0 {
			return fmt.Errorf("%w: it has %s, and none is an instance of %q as it is now: run it to another folder with --out", folder.ErrOther,
				text.Counted(x.Len(), "row"), m.Name)
		}
		if logs := m.Logs(); logs != nil {
			of, err := logs.Plan()
			if err != nil {
				return err
			}
			r.Logs = rowsOf(x, dir, of)
			r.Logs.repeats = true
		}
		x.Keep(nil)
		return fn(r)
	})
	if err != nil {
		return fmt.Errorf("rows of %s: %w", dir, err)
	}
	return nil
}

func rowsOf(x *store.Index, dir string, plan *sweep.Plan) *Rows {
	most := min(x.Len(), plan.Len())
	r := &Rows{dir: dir, index: x, of: plan, layout: LayoutOf(plan), plan: make([]int32, 0, most), record: make([]int32, 0, most)}
	find := x.Finder()
	for i, inst := range plan.All() {
		if record, ok := find(inst.ID); ok {
			r.plan, r.record = append(r.plan, int32(i)), append(r.record, int32(record))
		}
	}
	return r
}

// Foreign returns the number of rows of the folder that are neither instances of the manifest nor logs themselves.
func (r *Rows) Foreign() int {
	n := r.index.Len() - len(r.plan)
	if r.Logs != nil {
		n -= len(slices.Compact(slices.Sorted(slices.Values(r.Logs.record))))
	}
	return n
}

// Lacking returns the number of instances of the plan without a row.
func (r *Rows) Lacking() int { return r.of.Len() - len(r.plan) }

// Planned returns the number of instances of the plan.
func (r *Rows) Planned() int { return r.of.Len() }

func (r *Rows) Table(columns ...string) (*store.Table, error) {
	var wanted func(string) bool
	if len(columns) > 0 {
		wanted = func(name string) bool { return slices.Contains(columns, name) }
	}
	return r.read(0, len(r.plan), wanted)
}

// Numbers are those of the instances in the plan that have these places in Table; nil: of all.
func (r *Rows) Numbers(rows []int32) []int32 {
	if rows == nil {
		return r.plan
	}
	return store.Pick(r.plan, rows)
}

// ID is that of the instance that has this place in Table.
func (r *Rows) ID(row int32) string {
	var inst sweep.Instance
	r.of.At(int(r.plan[row]), &inst)
	return inst.ID.String()
}

// Has reports whether the instance of that number in the plan has a row.
func (r *Rows) Has(number int32) bool {
	_, ok := slices.BinarySearch(r.plan, number)
	return ok
}

func (r *Rows) Answered() (numbers []int32, err error) {
	t, err := r.Read([]string{Instances.Status}, store.AllRows(len(r.plan)))
	if err != nil {
		return nil, err
	}
	for i, number := range r.plan {
		if t.Columns[0].Text(i) == Instances.Answered {
			numbers = append(numbers, number)
		}
	}
	return numbers, nil
}

// Schema is that of Table without choice.
func (r *Rows) Schema() store.Schema {
	have := r.index.Schema()
	var s store.Schema
	for i, c := range r.layout.schema {
		if isAxis := i >= r.layout.axes && i < r.layout.replication; isAxis || metrics.IsByClass(c.Doc) || have.Index(c.Name) >= 0 {
			s = append(s, c)
		}
	}
	return s
}

// Read is columns that are no axes, of the rows that have these places in Table.
func (r *Rows) Read(columns []string, rows []int32) (*store.Table, error) {
	return r.stored(columns, store.Pick(r.record, rows))
}

// read is the rows [from, to) in the order of the plan, laid out as a run of the
// plan would; wanted chooses the columns, nil all.
func (r *Rows) read(from, to int, wanted func(name string) bool) (*store.Table, error) {
	l := &r.layout
	have := r.index.Schema()
	var stored []string
	axes := make([]bool, len(l.schema))
	for i, c := range l.schema {
		if wanted != nil && !wanted(c.Name) {
			continue
		}
		if axes[i] = i >= l.axes && i < l.replication; !axes[i] && (metrics.IsByClass(c.Doc) || have.Index(c.Name) >= 0) {
			stored = append(stored, c.Name)
		}
	}
	t, err := r.stored(stored, r.record[from:to])
	if err != nil {
		return nil, err
	}
	planned := r.axes(from, to, axes[l.axes:l.replication])
	out := &store.Table{Rows: to - from}
	for i, c := range l.schema {
		switch {
		case axes[i]:
			out.Columns = append(out.Columns, planned[0])
			planned = planned[1:]
		case slices.Contains(stored, c.Name):
			out.Columns = append(out.Columns, *t.Column(c.Name))
		}
	}
	return out, nil
}

// axes are the columns of the chosen axes for the rows [from, to).
func (r *Rows) axes(from, to int, chosen []bool) []store.Vector {
	var schema store.Schema
	var which []int
	for k, c := range r.layout.schema[r.layout.axes:r.layout.replication] {
		if chosen[k] {
			schema, which = append(schema, c), append(which, k)
		}
	}
	if len(schema) == 0 {
		return nil
	}
	t := store.NewTable(schema, to-from)
	var inst sweep.Instance
	for row, i := range r.plan[from:to] {
		r.of.Locate(int(i), &inst)
		for c, k := range which {
			setValue(&t.Columns[c], row, inst.Values[k])
		}
	}
	t.Settle()
	return t.Columns
}

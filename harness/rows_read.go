package harness

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// ErrNoRows says that no instance of a run folder has ended yet.
var ErrNoRows = errors.New("no instance has a row yet")

// Rows reads the rows of a run folder that are instances of the manifest: a
// folder may hold others, of the same study with other values of an axis, and
// they are left out. It is an error when it holds none but others.
//
// The columns of axes come from the plan and not from the files: an instance is
// known by its parameters, whatever the labels and axes were called in the
// manifest when it ran.
func Rows(m *sweep.Manifest, dir string) (*store.Table, error) {
	t, _, err := numberedRows(m, dir)
	return t, err
}

// numberedRows is Rows with the number of each row's instance in the plan.
func numberedRows(m *sweep.Manifest, dir string) (*store.Table, []int, error) {
	plan, err := m.Plan()
	if err != nil {
		return nil, nil, err
	}
	t, err := store.Scan(filepath.Join(dir, InstancesDir), store.ScanOptions{Key: "id"})
	if err != nil {
		return nil, nil, fmt.Errorf("rows of %s: %w", dir, err)
	}
	if t.Rows == 0 {
		return nil, nil, fmt.Errorf("%w in %s: run the manifest first, or wait for it", ErrNoRows, dir)
	}
	ids := t.Column("id")
	rows := make(map[sweep.ID]int, t.Rows)
	for row := range t.Rows {
		id, err := sweep.ParseID(ids.Text(row))
		if err != nil {
			return nil, nil, fmt.Errorf("rows of %s: %w", dir, err)
		}
		rows[id] = row
	}
	const foreign = -1
	index := make([]int, t.Rows) // row -> instance of the plan
	for row := range index {
		index[row] = foreign
	}
	for i, inst := range plan.All() {
		if row, ok := rows[inst.ID]; ok {
			index[row] = i
		}
	}
	mine := t.Filter(func(row int) bool { return index[row] != foreign })
	if mine.Rows == 0 {
		return nil, nil, fmt.Errorf("%w: none of the %d rows of %s is an instance of %q as it is now: run it to another folder with --out", ErrOtherManifest, t.Rows, dir, m.Name)
	}
	index = slices.DeleteFunc(index, func(i int) bool { return i == foreign })
	return planned(plan, mine, index), index, nil
}

// planned lays the table of a plan's rows out as a run of the plan would. index
// has the number of each row's instance in the plan.
func planned(plan *sweep.Plan, t *store.Table, index []int) *store.Table {
	l := newLayout(plan.Axes(), measures(plan))
	axes := store.NewTable(l.schema[l.axes:l.replication], t.Rows)
	codes := make([]map[string]int32, len(axes.Columns))
	for k := range codes {
		codes[k] = map[string]int32{}
	}
	var inst sweep.Instance
	for row, i := range index {
		plan.At(i, &inst)
		for k, v := range inst.Values {
			c := &axes.Columns[k]
			switch {
			case v.Null:
			case v.Kind == sweep.Float:
				c.SetFloat(row, v.F)
			case v.Kind == sweep.Int:
				c.SetInt(row, v.I)
			case v.Kind == sweep.Bool:
				c.SetBool(row, v.B)
			default:
				c.SetCategory(row, v.S, codes[k])
			}
		}
	}
	axes.Settle()
	out := &store.Table{Rows: t.Rows}
	for i, c := range l.schema {
		if i >= l.axes && i < l.replication {
			out.Columns = append(out.Columns, axes.Columns[i-l.axes])
		} else if v := t.Column(c.Name); v != nil {
			out.Columns = append(out.Columns, *v)
		}
	}
	return out
}

package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// dataset is one beside instances: of each instance it holds a set of rows, all of
// them or none. A set counts where its instance has an answer.
type dataset struct {
	name, doc string // name is that of its folder too
	schema    store.Schema
	observer  func(*table) sim.Observer
	// quantities are the numbers of its rows that figures can be of.
	quantities []quantity
}

// datasets are those that a manifest can ask for.
var datasets = []dataset{
	{"jobs", "one row a job, in the order in which jobs end, where datasets: asks for it; simulate --jobs writes the same columns", jobsSchema, newJobRows, jobQuantities},
	{"series", "one row for each change of the machine or of the load of a link, where datasets: asks for it", seriesSchema, newSeriesRows, seriesQuantities},
}

// instanceColumn says whose a row is.
const (
	instanceColumn = "instance"
	instanceDoc    = "id of the instance in instances"
)

// DatasetNames are the names of the datasets beside instances.
func DatasetNames() []string {
	return text.Names(datasets, func(d dataset) string { return d.name })
}

// asked are the datasets that the manifest asks for.
func asked(m *sweep.Manifest) []dataset {
	return slices.DeleteFunc(slices.Clone(datasets), func(d dataset) bool { return !slices.Contains(m.Datasets, d.name) })
}

// appender takes rows; a Batch and a FileWriter do.
type appender interface{ Append(*store.Row) error }

// table is rows on their way.
type table struct {
	to  appender
	row *store.Row
	id  string // of the instance, where rows have a column for it
	err error
}

func newTable(to appender, s store.Schema) *table { return &table{to: to, row: s.NewRow()} }

// append adds the row that set fills in. After an error it does nothing.
func (t *table) append(set func(r *store.Row)) {
	if t.err == nil {
		t.row.Reset()
		set(t.row)
		t.err = t.to.Append(t.row)
	}
}

// beginner is an observer that must know what it is about to observe.
type beginner interface {
	begin(*sweep.Instance, sim.Progress)
}

// Side is what a run folder holds of a dataset beside instances.
type Side struct {
	Name string
	// Instances of the plan that have their rows, and how many rows these are.
	Instances, Rows int
	// Lacking are the instances of the plan that have an answer and no rows.
	Lacking []int
	// Uncounted sets are of instances that have no answer (yet), as a killed run leaves them
	// until the next; Repeated are there once more.
	Uncounted, Repeated int
}

// Sides looks through the datasets beside instances that the manifest asks for or
// that the run folder has.
func Sides(m *sweep.Manifest, dir string) (sides []Side, err error) {
	plan, err := m.Plan()
	if err != nil {
		return nil, err
	}
	for _, d := range datasets {
		_, absent := os.Stat(filepath.Join(dir, d.name))
		if absent != nil && !slices.Contains(m.Datasets, d.name) {
			continue
		}
		err := withSets(dir, d, func(x *store.Index, sets *store.Sets) error {
			s, _ := side(plan, d, x, sets)
			sides = append(sides, s)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return sides, nil
}

// CheckFolder reads every value of every part file of the run folder, and says what is
// wrong with them, and which instances have other than so many rows in jobs as jobs.
func CheckFolder(dir string) (err error) {
	for _, name := range append([]string{InstancesDir}, DatasetNames()...) {
		if _, absent := os.Stat(filepath.Join(dir, name)); name != InstancesDir && absent != nil {
			continue
		}
		for _, problem := range store.Check(filepath.Join(dir, name)) {
			err = errors.Join(err, problem)
		}
	}
	if err != nil {
		return err
	}
	return withSets(dir, datasets[0], func(x *store.Index, sets *store.Sets) error {
		if sets.Len() == 0 {
			return nil
		}
		t, err := x.Read([]string{"id", "jobs"}, store.AllRows(x.Len()))
		if err != nil {
			return err
		}
		for i := range t.Rows {
			id := t.Columns[0].Text(i)
			n, ok := sets.Find(id)
			if jobs, _ := t.Columns[1].Float(i); ok && sets.Rows(n) != int(jobs) {
				return fmt.Errorf("instance %s has %.0f jobs and %d rows: move the folder away and run the sweep again", id, jobs, sets.Rows(n))
			}
		}
		return nil
	})
}

// side is what there is of a dataset, and the sets of the plan's instances in its order.
func side(plan *sweep.Plan, d dataset, x *store.Index, sets *store.Sets) (s Side, wanted []int) {
	s = Side{Name: d.name, Uncounted: sets.Uncounted, Repeated: sets.Repeated}
	for i, inst := range plan.All() {
		id := inst.ID.String()
		if record, ok := x.Find(id); !ok || !x.Answered(record) {
			continue
		}
		n, ok := sets.Find(id)
		if !ok {
			s.Lacking = append(s.Lacking, i)
			continue
		}
		wanted = append(wanted, n)
		s.Instances++
		s.Rows += sets.Rows(n)
	}
	return s, wanted
}

// withSets calls fn with the sets of a dataset that count and with the instances;
// folders that do not exist hold none.
func withSets(dir string, d dataset, fn func(*store.Index, *store.Sets) error) error {
	folder := filepath.Join(dir, InstancesDir)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return fn(&store.Index{}, &store.Sets{})
	}
	err := store.WithIndex(folder, Instances, func(x *store.Index) error {
		counts := func(id string) bool {
			record, ok := x.Find(id)
			return ok && x.Answered(record)
		}
		return setsOf(dir, d, counts, func(s *store.Sets) error { return fn(x, s) })
	})
	if err != nil {
		return fmt.Errorf("%s of %s: %w", d.name, dir, err)
	}
	return nil
}

// setsOf calls fn with the sets of a dataset of instances that count.
func setsOf(dir string, d dataset, counts func(id string) bool, fn func(*store.Sets) error) error {
	folder := filepath.Join(dir, d.name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return fn(&store.Sets{})
	}
	return store.WithSets(folder, instanceColumn, counts, fn)
}

// missing says which instances have no rows in a dataset, and how to get them; "" for none.
func missing(name string, numbers []int, of int) string {
	return lacking("have no rows in "+name, numbers, of)
}

// lacking says which instances lack something, and how to get it; "" for none.
func lacking(what string, numbers []int, of int) string {
	if len(numbers) == 0 {
		return ""
	}
	const shown = 8
	var spans []sim.Span
	for _, i := range numbers {
		if n := len(spans); n > 0 && int(spans[n-1].Hi)+1 == i {
			spans[n-1].Hi = int32(i)
		} else {
			spans = append(spans, sim.Span{Lo: int32(i), Hi: int32(i)})
		}
	}
	more := ""
	if len(spans) > shown {
		spans, more = spans[:shown], " ..."
	}
	return fmt.Sprintf("%d of the %d instances that have an answer %s (instances %s%s): run --complete runs them again", len(numbers), of, what, sim.AppendSpans(nil, spans), more)
}

// Missing says which instances have no rows, and how to get them; "" for none.
func (s *Side) Missing() string {
	return missing(s.Name, s.Lacking, s.Instances+len(s.Lacking))
}

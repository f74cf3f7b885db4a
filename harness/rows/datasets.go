package rows

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// Dataset is a kind of rows. One beside instances holds of each instance a set of
// rows, all of them or none, which counts where its instance has an answer.
type Dataset struct {
	Name, Doc string // Name is that of its folder too
	Columns   store.Schema
	observer  func(*table) sim.Observer
	// quantities are the numbers of its rows that figures can be of.
	quantities []quantity
}

// beside are the datasets beside instances, which a manifest can request.
var beside = []Dataset{
	{"jobs", "one row a job, in the order in which jobs end, where datasets: asks for it; simulate --jobs writes the same columns", jobsSchema,
		func(t *table) sim.Observer { return &jobRows{table: t} }, jobQuantities},
	{"series", "one row for each change of the machine, of a link's load or of a node class's power, where datasets: asks for it",
		seriesSchema, func(t *table) sim.Observer { return &seriesRows{table: t} }, seriesQuantities},
}

// Figures can be of every column of numbers too, by its name; an id of a job is a name.
func init() {
	for i := range beside {
		d := &beside[i]
		for _, c := range d.Columns {
			number := c.Type == store.Float64 || c.Type == store.Int32
			if number && !slices.ContainsFunc(d.quantities, func(q quantity) bool { return q.name == c.Name }) {
				d.quantities = append(d.quantities, plain(c.Name, c.Unit, c.Doc))
			}
		}
	}
}

// Record makes rows of the observations and appends them.
func (d *Dataset) Record(to Appender) *Recording {
	t := &table{to: to, row: d.Columns.NewRow()}
	return &Recording{d.observer(t), t}
}

// Recording makes rows of the runs that its observer watches.
type Recording struct {
	Observer sim.Observer
	table    *table
}

// Err returns the error that has ended the recording.
func (r *Recording) Err() error { return r.table.err }

// instanceColumn names the instance of a row.
const (
	instanceColumn = "instance"
	instanceDoc    = "id of the instance in instances"
)

func DatasetNames() []string {
	return text.Each(beside, func(d Dataset) string { return d.Name })
}

// Asked are the datasets beside instances that the manifest requests.
func Asked(m *sweep.Manifest) []Dataset {
	return slices.DeleteFunc(slices.Clone(beside), func(d Dataset) bool { return !slices.Contains(m.Datasets, d.Name) })
}

// Appender takes rows; a Batch and a FileWriter do.
type Appender interface{ Append(*store.Row) error }

type table struct {
	to  Appender
	row *store.Row
	id  string // of the instance, where rows have a column for it
	err error
}

// append adds the row that set fills in. After an error it does nothing.
func (t *table) append(set func(r *store.Row)) {
	if t.err == nil {
		t.row.Reset()
		set(t.row)
		t.err = t.to.Append(t.row)
	}
}

// Beginner is an observer that must know the run before it begins.
type Beginner interface {
	Begin(*sweep.Instance, sim.Progress)
}

// Side is a dataset of a run folder beside instances.
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
	for _, d := range beside {
		_, absent := os.Stat(filepath.Join(dir, d.Name))
		if absent != nil && !slices.Contains(m.Datasets, d.Name) {
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

// Check reads every value of every part file of the run folder, and reports their faults. It also names an
// instance that has more or fewer rows in jobs than jobs.
func Check(dir string) (err error) {
	for _, name := range append([]string{folder.Instances}, DatasetNames()...) {
		if _, absent := os.Stat(filepath.Join(dir, name)); name != folder.Instances && absent != nil {
			continue
		}
		for _, problem := range store.Check(filepath.Join(dir, name)) {
			err = errors.Join(err, problem)
		}
	}
	if err != nil {
		return err
	}
	for _, d := range beside {
		if err := withSets(dir, d, d.countJobs); err != nil {
			return err
		}
	}
	return nil
}

// countJobs names an instance whose number of rows in jobs is not its number of jobs.
func (d Dataset) countJobs(x *store.Index, sets *store.Sets) error {
	if d.Name != "jobs" || sets.Len() == 0 {
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
			return fmt.Errorf("instance %s has %s and %s: move the folder away and run the sweep again", id,
				text.Counted(int(jobs), "job"), text.Counted(sets.Rows(n), "row"))
		}
	}
	return nil
}

// side returns the stored part of a dataset, and the sets of the plan's instances in its order.
func side(plan *sweep.Plan, d Dataset, x *store.Index, sets *store.Sets) (s Side, wanted []int) {
	s = Side{Name: d.Name, Uncounted: sets.Uncounted, Repeated: sets.Repeated}
	if x.Len() == 0 {
		return s, nil // ids take time
	}
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
func withSets(dir string, d Dataset, fn func(*store.Index, *store.Sets) error) error {
	folder := filepath.Join(dir, folder.Instances)
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
		return fmt.Errorf("%s of %s: %w", d.Name, dir, err)
	}
	return nil
}

func setsOf(dir string, d Dataset, counts func(id string) bool, fn func(*store.Sets) error) error {
	folder := filepath.Join(dir, d.Name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return fn(&store.Sets{})
	}
	return store.WithSets(folder, instanceColumn, d.Columns[1].Name, counts, fn)
}

func missing(name string, numbers []int, of int) string {
	return lacking("have no rows in "+name, numbers, of)
}

// lacking names the instances that lack something, and how to get it; "" for none.
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
	return fmt.Sprintf("%d of the %d instances that have an answer %s (instances %s%s): run --complete runs them again", len(numbers), of,
		what, sim.AppendSpans(nil, spans), more)
}

// Missing names the instances without rows, and how to get them; "" for none.
func (s *Side) Missing() string {
	return missing(s.Name, s.Lacking, s.Instances+len(s.Lacking))
}

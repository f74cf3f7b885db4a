package rows

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sweep/manifest"
)

// ClassesOf makes the manifest's classes of jobs, for one observer.
func ClassesOf(classes []manifest.Class) []metrics.Class {
	var out []metrics.Class
	for i := range classes {
		c := metrics.Class{Is: classes[i].Is()}
		for _, tests := range classes[i].Any {
			var all []metrics.Test
			for _, t := range tests {
				f := slices.IndexFunc(metrics.JobFields, func(f metrics.JobField) bool { return f.Name == t.Field })
				all = append(all, metrics.Test{Field: &metrics.JobFields[f], Op: t.Op, Number: t.Number, Text: t.Text})
			}
			c.Any = append(c.Any, all)
		}
		out = append(out, c)
	}
	return out
}

// ClassColumn with the name of a class, by [manifest.ByClass], is the column that says which
// jobs are in it.
const ClassColumn = metrics.ClassText

// ClassMetrics are the metrics of the classes, in the order in which their observer
// gives them.
func ClassMetrics(classes []manifest.Class, wanted func(metric string) bool) []sim.Metric {
	var all []sim.Metric
	for i := range classes {
		for _, m := range metrics.ClassCatalog(wanted) {
			m.Name = manifest.ByClass(m.Name, classes[i].Name)
			all = append(all, m)
		}
	}
	return all
}

func missingClasses(numbers []int, of int) string {
	return lacking("ran without the classes of jobs that the manifest has now, so that these columns are empty", numbers, of)
}

// ClassNotes say which instances have rows without classes of jobs, and which classes have no jobs.
func (r *Rows) ClassNotes() (notes []string, err error) {
	classes := r.of.Classes()
	if len(classes) == 0 {
		return nil, nil
	}
	columns := []string{Instances.Status}
	for i := range classes {
		columns = append(columns, manifest.ByClass("jobs", classes[i].Name))
	}
	t, err := r.Table(columns...)
	if err != nil {
		return nil, err
	}
	var numbers []int
	of := 0
	for row := range t.Rows {
		if t.Column(Instances.Status).Text(row) != Instances.Answered {
			continue
		}
		if of++; slices.ContainsFunc(columns, func(name string) bool { return t.Column(name).IsNull(row) }) {
			numbers = append(numbers, int(r.plan[row]))
		}
	}
	if note := missingClasses(numbers, of); note != "" {
		notes = append(notes, note)
	}
	for i, name := range columns[1:] {
		if of > len(numbers) && slices.Max(t.Column(name).Floats) == 0 {
			notes = append(notes, fmt.Sprintf("no instance has a job of the class %s (%s), and all its metrics but the counts are empty",
				classes[i].Name, classes[i].Is()))
		}
	}
	return notes, nil
}

// stored returns columns of records of the index. A column by a class is empty where the row is of another class
// of the name, or was made without the class.
func (r *Rows) stored(columns []string, records []int32) (*store.Table, error) {
	have := r.index.Schema()
	var wanted []string
	want := func(name string) {
		if have.Index(name) >= 0 && !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	for _, name := range columns {
		c := r.classOf(name)
		if c != nil {
			want(manifest.ByClass(ClassColumn, c.Name))
		}
		if c == nil && have.Index(name) < 0 {
			wanted = append(wanted, name) // the index says what there is
		}
		want(name)
	}
	once, at := records, []int32(nil)
	if r.repeats { // which the index does not read twice
		once = slices.Compact(slices.Sorted(slices.Values(records)))
		for _, record := range records {
			i, _ := slices.BinarySearch(once, record)
			at = append(at, int32(i))
		}
	}
	t, err := r.index.Read(wanted, once)
	if err != nil {
		return nil, err
	}
	if r.repeats {
		t = t.Take(at)
	}
	out := &store.Table{Rows: t.Rows}
	for _, name := range columns {
		c := r.classOf(name)
		if c == nil {
			out.Columns = append(out.Columns, *t.Column(name))
			continue
		}
		one := store.NewTable(store.Schema{r.layout.schema[r.layout.schema.Index(name)]}, t.Rows)
		if from, is := t.Column(name), t.Column(manifest.ByClass(ClassColumn, c.Name)); from != nil && is != nil {
			now := c.Is()
			fillWhere(&one.Columns[0], from, func(row int) bool { return is.Text(row) == now })
		}
		one.Settle()
		out.Columns = append(out.Columns, one.Columns[0])
	}
	return out, nil
}

func fillWhere(to, from *store.Vector, row func(int) bool) {
	for i := range to.Nulls {
		switch {
		case from.IsNull(i) || !row(i):
		case to.Type == store.Category:
			to.SetString(i, from.Text(i))
		default:
			to.SetFloat(i, from.Floats[i])
		}
	}
}

// classOf returns the class of jobs that the column is about, nil for other columns.
func (r *Rows) classOf(column string) *manifest.Class {
	classes := r.of.Classes()
	for i := range classes {
		if strings.HasSuffix(column, manifest.ByClass("", classes[i].Name)) {
			return &classes[i]
		}
	}
	return nil
}

// unclassedRows tells of each record whether its row is without one of the classes, or has it by another condition.
func unclassedRows(x *store.Index, classes []manifest.Class) (func(record int) bool, error) {
	var columns, is []string
	for i := range classes {
		name := manifest.ByClass(ClassColumn, classes[i].Name)
		if x.Schema().Index(name) < 0 {
			return func(int) bool { return true }, nil
		}
		columns, is = append(columns, name), append(is, classes[i].Is())
	}
	if columns == nil {
		return func(int) bool { return false }, nil
	}
	t, err := x.Read(columns, store.AllRows(x.Len()))
	if err != nil {
		return nil, err
	}
	return func(record int) bool {
		for i := range is {
			if t.Columns[i].Text(record) != is[i] {
				return true
			}
		}
		return false
	}, nil
}

func (r *Rows) inClass(name string) quantity {
	classes := r.of.Classes()
	c := classes[slices.IndexFunc(classes, func(c manifest.Class) bool { return c.Name == name })]
	q := quantity{name: manifest.JobsOf(name)}
	for _, tests := range c.Any {
		for _, t := range tests {
			q.columns = append(q.columns, t.Field)
		}
	}
	any := ClassesOf([]manifest.Class{c})[0].Any
	q.of = func(t *store.Table, _ float64) func(int) float64 {
		return func(row int) float64 {
			if slices.ContainsFunc(any, func(tests []metrics.Test) bool {
				return !slices.ContainsFunc(tests, func(x metrics.Test) bool { return !passes(&x, t.Column(x.Field.Name), row) })
			}) {
				return 1
			}
			return 0
		}
	}
	return q
}

func passes(x *metrics.Test, c *store.Vector, row int) bool {
	if x.Field.Named() {
		return !c.IsNull(row) && (c.Text(row) == x.Text) == (x.Op == "==")
	}
	v, known := c.Float(row)
	return known && x.Passes(v)
}

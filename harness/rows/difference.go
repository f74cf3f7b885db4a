package rows

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim/metrics"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/text"
)

// compared reports whether a repetition must give the value in the column.
func compared(c store.Column) bool {
	return c.Name == Instances.Status || Instances.Answer(c) || metrics.IsByClass(c.Doc)
}

func (r *Rows) compared() (names []string) {
	for _, c := range r.Schema() {
		if compared(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Difference is the first column in which an instance does not repeat its row, with the old and the
// new value.
type Difference struct {
	Column, Row, Now string
	Others           []string // columns that differ too; not of a dataset beside instances
	// Part is the row's file, and Program who wrote it; of a dataset beside instances its folder, and no section.
	Part, Program string
}

// String says it in a sentence; "" of nil.
func (d *Difference) String() string {
	if d == nil {
		return ""
	}
	if d.Program == "" {
		return fmt.Sprintf("%s: %s (%s), and %s now", d.Column, d.Row, d.Part, d.Now)
	}
	others := ""
	if d.Others != nil {
		others = "; " + text.FirstOf(d.Others, 5, "column") + text.Either(len(d.Others), " differs", " differ") + " too"
	}
	return fmt.Sprintf("%s is %s in its row (%s, written by %s) and %s now%s", d.Column, d.Row, d.Part, d.Program, d.Now, others)
}

// Comparison compares rows of some instances with their results now.
type Comparison struct {
	rows   *Rows
	places []int32 // in the order of the plan
	table  *store.Table
}

// Compare reads the rows of instances, by their numbers in the plan.
func (r *Rows) Compare(numbers []int32) (*Comparison, error) {
	c := &Comparison{rows: r, places: make([]int32, len(numbers))}
	for i, number := range numbers {
		at, ok := slices.BinarySearch(r.plan, number)
		if !ok {
			return nil, fmt.Errorf("instance %d had a row and has none any more", number)
		}
		c.places[i] = int32(at)
	}
	var err error
	columns := r.compared()
	if r.index.Schema().Index(computedColumn) >= 0 {
		columns = append(columns, computedColumn)
	}
	c.table, err = r.Read(columns, c.places)
	return c, err
}

// Answered reports whether the i-th of the instances has an answer.
func (c *Comparison) Answered(i int) bool {
	return c.table.Column(Instances.Status).Text(i) == Instances.Answered
}

// NewRow makes room for the row of an instance.
func (c *Comparison) NewRow() *store.Row { return c.rows.layout.schema.NewRow() }

// Difference compares the row of the i-th of the instances with its result now; scratch is of NewRow.
func (c *Comparison) Difference(i int, inst *sweep.Instance, now *Report, scratch *store.Row) *Difference {
	r := c.rows
	r.layout.Fill(scratch, inst, now)
	part := r.index.Source(r.record[c.places[i]])
	computed := c.table.Column(computedColumn)
	columns := []string{Instances.Status} // says more than the metrics that are missing thereby
	for _, name := range r.compared() {
		if computed != nil && !computed.IsNull(i) && c.table.Column(name).IsNull(i) && !slices.Contains(strings.Fields(computed.Text(i)), name) {
			continue // not requested then
		}
		if of := r.classOf(name); of != nil && c.table.Column(manifest.ByClass(ClassColumn, of.Name)).IsNull(i) {
			continue // the row is not by the class
		}
		if name != Instances.Status && part.Schema.Index(name) >= 0 {
			columns = append(columns, name)
		}
	}
	if d := c.table.Differs(i, scratch, columns); d != nil {
		return &Difference{d.Column, d.A, d.B, d.Others, part.Path, strings.ReplaceAll(part.Meta[folder.MetaProgram], "\n", " or ")}
	}
	return nil
}

// NewColumns are columns that a repetition gives and no row has: of a metric that came later.
func (r *Rows) NewColumns() (names []string) {
	for _, c := range r.layout.schema {
		if compared(c) && r.index.Schema().Index(c.Name) < 0 && (!metrics.IsByClass(c.Doc) || c.Type == store.Category) { // one for each class
			names = append(names, c.Name)
		}
	}
	return names
}

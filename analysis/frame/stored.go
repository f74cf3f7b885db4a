package frame

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// Source reads columns of some rows of a dataset, which are named by their places: row i of the table is rows[i].
type Source func(columns []string, rows []int32) (*store.Table, error)

type stored struct {
	Read Source
	rows []int32 // of the dataset; nil for all
	err  *error  // the first of a whole column
	// atOnce is the number of values that are read at once for statistics, where no column has more in one group.
	AtOnce int
}

const storedAtOnce = 1 << 20

// Later adds columns of numbers that stay in the dataset until they are read. Names that the frame has are passed over.
func (f *Frame) Later(columns store.Schema, read Source) {
	f.Stored = &stored{Read: read, err: new(error), AtOnce: storedAtOnce}
	for _, c := range columns {
		if _, ok := f.index[c.Name]; !ok && (c.Type == store.Float64 || c.Type == store.Int64 || c.Type == store.Int32) {
			f.index[c.Name] = len(f.columns)
			f.columns = append(f.columns, Column{Name: c.Name, Unit: unitOf(c)})
		}
	}
}

// Apart returns the frame for another goroutine: it shares values in memory, and reads other columns and keeps errors by itself.
func (f *Frame) Apart() *Frame {
	if f == nil {
		return nil
	}
	out := *f
	out.columns = slices.Clone(f.columns)
	if f.Stored != nil {
		out.Stored = &stored{f.Stored.Read, f.Stored.rows, new(error), f.Stored.AtOnce}
	}
	return &out
}

// Err returns the first error of reading a column that was not in memory. All results computed with the column are wrong.
func (f *Frame) Err() error {
	if f.Stored == nil {
		return nil
	}
	return *f.Stored.err
}

func (s *stored) take(rows []int32) *stored {
	if s == nil {
		return nil
	}
	if s.rows != nil {
		rows = store.Pick(s.rows, rows)
	}
	return &stored{s.Read, rows, s.err, s.AtOnce}
}

func (s *stored) numbers(names []string, rows []int32) ([][]float64, error) {
	if s.rows != nil {
		rows = store.Pick(s.rows, rows)
	}
	t, err := s.Read(names, rows)
	if err != nil {
		return nil, err
	}
	return text.Each(names, func(name string) []float64 { return numbersOf(t.Column(name)) }), nil
}

func (s *stored) whole(names []string, rows []int32) [][]float64 {
	if s == nil || len(names) == 0 {
		return nil
	}
	values, err := s.numbers(names, rows)
	if err != nil {
		if *s.err == nil {
			*s.err = fmt.Errorf("columns %s: %w", strings.Join(names, ", "), err)
		}
		return text.Each(names, func(string) []float64 { return make([]float64, len(rows)) })
	}
	return values
}

// Beside is a dataset with many rows for each row of the frame, such as its jobs. What it says is named
// DATASET.QUANTITY, such as jobs.wait_time.
type Beside interface {
	// Unit is that of a quantity; known is false where it is none.
	Unit(name string) (unit string, known bool)
	// Values are the names of the values from 0 of a quantity that counts some, such as hours; nil for others.
	Values(name string) []string
	// Quantities calls what begin returns with values of quantities of one dataset, by quantity: one block of rows[i] after
	// the other, one i after the other, in no order of i; the values are valid during the call only. Where it must begin anew
	// it calls begin again. lacking counts the rows without data in the dataset.
	Quantities(names []string, rows []int32, begin func() func(i int, values [][]float64)) (lacking int, err error)
}

// Quantity returns the column's head of a quantity beside the rows, with labels of what it counts, or nil.
func (f *Frame) Quantity(name string) *Column {
	if f.Beside != nil {
		if unit, known := f.Beside.Unit(name); known {
			c := &Column{Name: name, Unit: unit}
			for i, text := range f.Beside.Values(name) {
				c.Labels = append(c.Labels, Label{Number(float64(i)), text})
			}
			return c
		}
	}
	return nil
}

// Quantities reads them, see [Beside], of some rows of the frame.
func (f *Frame) Quantities(names []string, rows []int32, begin func() func(i int, values [][]float64)) (lacking int, err error) {
	if f.Beside == nil {
		return 0, errors.New("there is no dataset beside the rows")
	}
	if f.taken != nil {
		rows = store.Pick(f.taken, rows)
	}
	return f.Beside.Quantities(names, rows, begin)
}

// ValuesOf are the numbers of a column, given by its place in the list of columns wanted, of the rows of a group. The caller may
// change them, and asks for each once.
type ValuesOf func(k int) []float64

// EachGroup calls fn with one group of rows after the other and what the columns have there. Memory beside that of columns
// that are in memory: [stored.atOnce] numbers. The columns from seldom on are read one by one, where fn asks for them.
func (f *Frame) EachGroup(groups []Group, columns []string, seldom int, fn func(*Group, ValuesOf)) error {
	var later []string // columns not in memory
	often := 0
	at := make([]int, len(columns))
	for k, name := range columns {
		if at[k] = -1; !f.Head(name).held() && f.Stored != nil {
			at[k] = len(later)
			if later = append(later, name); k < seldom {
				often = len(later)
			}
		}
	}
	for len(groups) > 0 {
		some := groups
		if later != nil {
			some = together(groups, f.Stored.AtOnce/len(later))
		}
		b := block{from: f.Stored, columns: later, often: often, groups: some, read: make([][]float64, len(later))}
		for i := range some {
			g := &some[i]
			fn(g, func(k int) []float64 {
				if at[k] < 0 {
					return valuesOf(g.Rows, f.Head(columns[k]).Number)
				}
				return b.values(at[k], i)
			})
		}
		if b.err != nil {
			return b.err
		}
		groups = groups[len(some):]
	}
	return nil
}

// together are the groups from the first on that have at most this number of rows, or the first alone.
func together(groups []Group, most int) []Group {
	rows := 0
	for i := range groups {
		if rows += len(groups[i].Rows); i > 0 && rows > most {
			return groups[:i]
		}
	}
	return groups
}

// block is columns of groups: all of them, or some of a group that is long.
type block struct {
	from    *stored
	columns []string
	often   int // columns that are read together
	groups  []Group
	rows    []int32     // of all groups; nil before the first is read
	starts  []int       // of each group among them
	read    [][]float64 // by column
	held    int         // columns that are read
	err     error       // the first of reading; values are then 0
}

func (b *block) values(column, group int) []float64 {
	if b.rows == nil {
		for i := range b.groups {
			b.starts = append(b.starts, len(b.rows))
			b.rows = append(b.rows, b.groups[i].Rows...)
		}
	}
	if b.read[column] == nil {
		most := max(1, b.from.AtOnce/len(b.rows))
		n := min(most, max(1, b.often-column))
		if b.held+n > most {
			clear(b.read)
			b.held = 0
		}
		read, err := b.from.numbers(b.columns[column:column+n], b.rows)
		if err != nil && b.err == nil {
			b.err = err
		}
		b.held += copy(b.read[column:], read)
	}
	n := len(b.groups[group].Rows)
	if b.err != nil {
		return make([]float64, n)
	}
	return b.read[column][b.starts[group]:][:n]
}

// Tables reads columns of all rows of a dataset.
type Tables func(columns ...string) (*store.Table, error)

// Frame makes a frame of the named columns that the dataset has, as [FromTable] does. It reads some of them at once and packs them,
// so that not all are in memory as the dataset has them.
func (read Tables) Frame(has store.Schema, columns []string) (*Frame, error) {
	var names []string
	for _, c := range has {
		if slices.Contains(columns, c.Name) {
			names = append(names, c.Name)
		}
	}
	var all []Column
	for n := 1; len(names) > 0; {
		n = min(n, len(names))
		t, err := read(names[:n]...)
		if err != nil {
			return nil, err
		}
		f, err := FromTable(t)
		if err != nil {
			return nil, err
		}
		all, names = append(all, f.columns...), names[n:]
		n = max(1, storedAtOnce/max(1, t.Rows))
	}
	f, err := NewFrame(all...)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return f, nil
}

// FromTable makes a frame of a dataset. Numbers become numbers (whole ones beyond 2^53 are rounded), texts and bools texts,
// nulls null. The frame takes the memory of the table's columns where their form allows: do not use the table afterwards.
func FromTable(t *store.Table) (*Frame, error) {
	columns := make([]Column, 0, len(t.Columns))
	for i := range t.Columns {
		v := &t.Columns[i]
		c := Column{Name: v.Name, Unit: unitOf(v.Column)}
		switch v.Type {
		case store.Float64, store.Int64, store.Int32:
			p := newPacker(t.Rows)
			for _, n := range numbersOf(v) {
				p.add(n)
			}
			p.into(&c, false)
		case store.Category:
			c.Levels, c.Codes = v.Dict, withNulls(v, v.Codes)
			c.pack()
		case store.Bool, store.String:
			texts := make([]string, t.Rows)
			for row := range texts {
				texts[row] = v.Text(row)
			}
			c = TextColumn(v.Name, texts)
			c.Codes = withNulls(v, c.Codes)
			c.pack()
		default:
			return nil, fmt.Errorf("column %q has the unknown type %v", v.Name, v.Type)
		}
		columns = append(columns, c)
		*v = store.Vector{} // numbers of another form are garbage now
	}
	f, err := NewFrame(columns...)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return f, nil
}

// unitOf is the unit of a column; "1" is the dataset's mark of a pure number.
func unitOf(c store.Column) string {
	if c.Unit == "1" {
		return ""
	}
	return c.Unit
}

// numbersOf takes the memory of the column where its form allows.
func numbersOf(v *store.Vector) []float64 {
	numbers := v.Floats
	if v.Type != store.Float64 {
		numbers = make([]float64, len(v.Ints))
		for row, n := range v.Ints {
			numbers[row] = float64(n)
		}
	}
	for row, null := range v.Nulls {
		if null {
			numbers[row] = math.NaN()
		}
	}
	return numbers
}

func withNulls(v *store.Vector, codes []int32) []int32 {
	for row, null := range v.Nulls {
		if null {
			codes[row] = -1
		}
	}
	return codes
}

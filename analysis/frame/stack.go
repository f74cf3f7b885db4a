package frame

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// Stack puts frames under one another, with a column that says by a text from which each row comes. A column that a frame
// has not is null in its rows; one that holds numbers in one frame and texts in another is an error. A column that is in memory
// in none of them stays where it is.
func Stack(column string, names []string, frames ...*Frame) (*Frame, error) {
	rows := 0
	held := map[string]bool{}
	for _, f := range frames {
		rows += f.Rows
		for i := range f.columns {
			held[f.columns[i].Name] = held[f.columns[i].Name] || f.columns[i].rows() == f.Rows
		}
	}
	from, runs := Column{Name: column}, newPacker(rows)
	var later []Column
	var out []*stacked
	at := map[string]*stacked{}
	start := 0
	for k, f := range frames {
		if f.Rows > 0 {
			runs.pad(start+f.Rows, float64(len(from.Levels)))
			from.Levels = append(from.Levels, names[k])
		}
		for i := range f.columns {
			if !held[f.columns[i].Name] {
				later = append(later, Column{Name: f.columns[i].Name, Unit: f.columns[i].Unit})
				continue
			}
			c := f.Held(f.columns[i].Name)
			to := at[c.Name]
			if to == nil {
				to = &stacked{Column{Name: c.Name, Unit: c.Unit}, c.IsText(), newPacker(rows), map[string]int32{}}
				at[c.Name] = to
				out = append(out, to)
			}
			if to.text != c.IsText() {
				return nil, fmt.Errorf("column %q holds numbers in one run and texts in another", c.Name)
			}
			to.pad(start)
			to.add(c)
		}
		start += f.Rows
	}
	runs.into(&from, true)
	columns := []Column{from}
	for _, to := range out {
		to.pad(rows)
		to.values.into(&to.Column, to.text)
		columns = append(columns, to.Column)
	}
	all, err := NewFrame(columns...)
	if err != nil || len(later) == 0 {
		return all, err
	}
	all.Stored = &stored{Read: readStacked(frames), err: new(error), AtOnce: storedAtOnce}
	for _, c := range later {
		if _, ok := all.index[c.Name]; !ok {
			all.index[c.Name] = len(all.columns)
			all.columns = append(all.columns, c)
		}
	}
	return all, nil
}

// stacked is a column of all frames.
type stacked struct {
	Column
	text   bool
	values *packer          // the numbers, or the codes of the texts
	known  map[string]int32 // the codes of Levels
}

// pad adds nulls until the column has that number of rows.
func (s *stacked) pad(rows int) {
	null := math.NaN()
	if s.text {
		null = -1
	}
	s.values.pad(rows, null)
}

// add puts a frame's column under the others.
func (s *stacked) add(c *Column) {
	if !s.text {
		for row := range int32(c.rows()) {
			s.values.add(c.Number(row))
		}
		return
	}
	to := slices.Repeat([]int32{-1}, len(c.Levels)) // the codes of its levels
	for row := range int32(c.rows()) {
		code := c.Code(row)
		if code >= 0 && to[code] < 0 {
			text := c.Levels[code]
			if _, seen := s.known[text]; !seen {
				s.known[text] = int32(len(s.Levels))
				s.Levels = append(s.Levels, text)
			}
			to[code] = s.known[text]
		}
		if code >= 0 {
			code = to[code]
		}
		s.values.add(float64(code))
	}
}

// readStacked reads columns of numbers of frames under one another; a frame without a column has nulls.
func readStacked(frames []*Frame) Source {
	return func(columns []string, rows []int32) (*store.Table, error) {
		number := func(name string) store.Column { return store.Column{Name: name, Type: store.Float64, Nullable: true} }
		t := store.NewTable(text.Each(columns, number), len(rows))
		start := int32(0)
		for _, f := range frames {
			var own, places []int32
			for i, row := range rows {
				if row >= start && row < start+int32(f.Rows) {
					own, places = append(own, row-start), append(places, int32(i))
				}
			}
			start += int32(f.Rows)
			have := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return f.Head(name) == nil })
			if len(own) == 0 || len(have) == 0 {
				continue
			}
			values, err := f.Stored.numbers(have, own)
			if err != nil {
				return nil, err
			}
			for k, name := range have {
				to := t.Column(name)
				for i, at := range places {
					to.SetFloat(int(at), values[k][i])
				}
			}
		}
		return t, nil
	}
}

// Melted has the rows once for each of some names, under one another, and a column with the name of each. A column
// of is, in the rows of a name, the one that called gives. Columns that are in neither and not in memory are left out. The
// places of its rows in this frame are [Frame.Origin].
func (f *Frame) Melted(column string, names, of []string, called func(name, of string) string) (*Frame, error) {
	var frames []*Frame
	var taken []int32
	for _, name := range names {
		columns := slices.DeleteFunc(slices.Clone(f.columns), func(c Column) bool { return c.rows() != f.Rows || slices.Contains(of, c.Name) })
		for _, metric := range of {
			c, err := f.NeedNumbers("by "+column, called(metric, name))
			if err != nil {
				return nil, err
			}
			own := *c
			own.Name = metric
			columns = append(columns, own)
		}
		one, err := NewFrame(columns...)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", column, name, err)
		}
		frames = append(frames, one)
		taken = append(taken, Every(f)...)
	}
	out, err := Stack(column, names, frames...)
	if err != nil {
		return nil, err
	}
	out.Beside, out.IDs, out.taken = f.Beside, f.IDs, taken
	return out, nil
}

// Origin are the places that some rows have in the frame that this one was melted from.
func (f *Frame) Origin(rows []int32) []int32 { return store.Pick(f.taken, rows) }

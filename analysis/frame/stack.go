package frame

import (
	"fmt"
	"math"
	"slices"
)

// Stack puts frames under one another, with a column that says by a text from which each row comes. A column that a frame
// has not is null in its rows; one that holds numbers in one frame and texts in another is an error. All columns must be in
// memory.
func Stack(column string, names []string, frames ...*Frame) (*Frame, error) {
	rows := 0
	for _, f := range frames {
		rows += f.Rows
	}
	var from []string
	var out []Column
	at := map[string]int{}
	var known []map[string]int32 // of each column, the codes of its levels
	start := 0
	for k, f := range frames {
		for range f.Rows {
			from = append(from, names[k])
		}
		for i := range f.columns {
			c := &f.columns[i]
			j, before := at[c.Name]
			if !before {
				j = len(out)
				at[c.Name] = j
				out, known = append(out, empty(c, rows)), append(known, map[string]int32{})
			}
			to := &out[j]
			if to.IsText() != c.IsText() {
				return nil, fmt.Errorf("column %q holds numbers in one run and texts in another", c.Name)
			}
			copy(to.Numbers[min(start, len(to.Numbers)):], c.Numbers)
			for row, code := range c.Codes {
				if code < 0 {
					continue
				}
				text := c.Levels[code]
				if _, seen := known[j][text]; !seen {
					known[j][text] = int32(len(to.Levels))
					to.Levels = append(to.Levels, text)
				}
				to.Codes[start+row] = known[j][text]
			}
		}
		start += f.Rows
	}
	return NewFrame(append([]Column{TextColumn(column, from)}, out...)...)
}

func empty(c *Column, rows int) Column {
	e := Column{Name: c.Name, Unit: c.Unit}
	if c.IsText() {
		e.Codes = slices.Repeat([]int32{-1}, rows)
	} else {
		e.Numbers = slices.Repeat([]float64{math.NaN()}, rows)
	}
	return e
}

// Melted has the rows once for each of some names, under one another, and a column that says of which name each is. A column
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
	out.Beside, out.taken = f.Beside, taken
	return out, nil
}

// Origin are the places that some rows have in the frame that this one was melted from.
func (f *Frame) Origin(rows []int32) []int32 { return pick(f.taken, rows) }

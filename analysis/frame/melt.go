package frame

import (
	"fmt"
	"slices"
)

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

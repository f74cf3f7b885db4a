package frame

// ValuesOf are the numbers of a column, given by its place among those asked for, of the rows of a group. The caller may
// change them, and asks for one column after the other.
type ValuesOf func(k int) []float64

// EachGroup calls fn with one group of rows after the other and what the columns have there. Memory beside that of columns
// that are in memory: [stored.atOnce] numbers.
func (f *Frame) EachGroup(groups []Group, columns []string, fn func(*Group, ValuesOf)) error {
	var later []string // those that are not in memory
	at := make([]int, len(columns))
	for k, name := range columns {
		if at[k] = -1; f.Head(name).Numbers == nil && f.Stored != nil {
			at[k] = len(later)
			later = append(later, name)
		}
	}
	for len(groups) > 0 {
		some := groups
		if later != nil {
			some = together(groups, f.Stored.AtOnce/len(later))
		}
		b := block{from: f.Stored, columns: later, groups: some}
		for i := range some {
			g := &some[i]
			fn(g, func(k int) []float64 {
				if at[k] < 0 {
					return pick(f.Head(columns[k]).Numbers, g.Rows)
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

// together are the groups from the first on that have at most so many rows, or the first alone.
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
	groups  []Group
	rows    []int32 // of all groups; nil before the first is read
	starts  []int   // of each group among them
	first   int     // column that is read
	read    [][]float64
	err     error // the first of reading; values are then 0
}

// values are those of a column in a group.
func (b *block) values(column, group int) []float64 {
	if b.rows == nil {
		for i := range b.groups {
			b.starts = append(b.starts, len(b.rows))
			b.rows = append(b.rows, b.groups[i].Rows...)
		}
	}
	if column < b.first || column >= b.first+len(b.read) {
		n := min(max(1, b.from.AtOnce/len(b.rows)), len(b.columns)-column)
		read, err := b.from.numbers(b.columns[column:column+n], b.rows)
		if err != nil && b.err == nil {
			b.err = err
		}
		b.first, b.read = column, read
	}
	n := len(b.groups[group].Rows)
	if b.err != nil {
		return make([]float64, n)
	}
	return b.read[column-b.first][b.starts[group]:][:n]
}

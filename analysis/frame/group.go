package frame

import (
	"fmt"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Grouping splits the rows by the values of some columns.
type Grouping struct {
	Groups []Group
	Of     []int32 // the group of each row
}

// Group is a set of rows that agree in the grouped columns; rows ascend.
type Group struct {
	Key   []Value
	codes []int32 // the levels of key, in their order of display
	Rows  []int32
}

// GroupBy splits all rows of the frame; groups come in the order of their values, first column slowest. Without columns all
// rows are one group. O(rows x columns) plus the sort of the groups.
func GroupBy(f *Frame, by []string, order map[string][]string) Grouping {
	ls := make([]Levels, len(by))
	of, n := make([]int32, f.Rows), int32(min(f.Rows, 1))
	for i, name := range by {
		ls[i] = LevelsOf(f.Held(name), order[name])
		n = refine(of, n, ls[i])
	}
	g := Grouping{Groups: make([]Group, n), Of: of}
	counts := make([]int32, n)
	for _, id := range of {
		counts[id]++
	}
	rows, used := make([]int32, f.Rows), int32(0)
	for id, c := range counts {
		g.Groups[id].Rows = rows[used : used : used+c]
		used += c
	}
	for row, id := range of {
		g.Groups[id].Rows = append(g.Groups[id].Rows, int32(row))
	}
	for id := range g.Groups {
		gr := &g.Groups[id]
		gr.Key, gr.codes = make([]Value, len(ls)), make([]int32, len(ls))
		for i, l := range ls {
			gr.codes[i] = l.Codes[gr.Rows[0]]
			gr.Key[i] = l.Values[gr.codes[i]]
		}
	}
	g.Groups = inOrder(g.Groups, of, func(a, b *Group) int { return slices.Compare(a.codes, b.codes) })
	return g
}

// CodesBy numbers the combinations of values of some columns, in no order; of has that of each row.
func CodesBy(f *Frame, by []string) (of []int32, n int) {
	of, groups := make([]int32, f.Rows), int32(min(f.Rows, 1))
	for _, name := range by {
		groups = refine(of, groups, LevelsOf(f.Held(name), nil))
	}
	return of, int(groups)
}

// refine splits n groups by a further column and returns how many there are then.
func refine(of []int32, n int32, l Levels) int32 {
	width := uint64(len(l.Values))
	next := int32(0)
	if size := uint64(n) * width; size <= uint64(4*len(of)+1024) {
		to := make([]int32, size)
		for row, id := range of {
			slot := &to[uint64(id)*width+uint64(l.Codes[row])]
			if *slot == 0 {
				next++
				*slot = next
			}
			of[row] = *slot - 1
		}
		return next
	}
	to := map[uint64]int32{}
	for row, id := range of {
		key := uint64(id)*width + uint64(l.Codes[row])
		at, ok := to[key]
		if !ok {
			at = next
			to[key] = at
			next++
		}
		of[row] = at
	}
	return next
}

// inOrder sorts the levels that rows have codes of, and changes the codes with them.
func inOrder[T any](values []T, codes []int32, compare func(a, b *T) int) (sorted []T) {
	rank := store.AllRows(len(values))
	slices.SortFunc(rank, func(a, b int32) int { return compare(&values[a], &values[b]) })
	to := make([]int32, len(rank))
	for i, from := range rank {
		to[from] = int32(i)
	}
	for row, code := range codes {
		codes[row] = to[code]
	}
	return store.Pick(values, rank)
}

// Term restricts a column.
type Term struct {
	Path     string
	Values   []Value
	Ranged   bool
	from, to float64
}

// TermsOf makes the terms of a manifest ones of values as rows hold them.
func TermsOf(from []study.Term) []Term {
	return text.Each(from, func(t study.Term) Term {
		return Term{Path: t.Path, Ranged: t.Range, from: t.From, to: t.To, Values: text.Each(t.Values, ValueOf)}
	})
}

// Has reports whether the term lets a value pass.
func (t *Term) Has(v Value) bool {
	if t.Ranged {
		return v.Number >= t.from && v.Number <= t.to
	}
	return slices.ContainsFunc(t.Values, v.Is)
}

// MatchingRows lists the rows that meet all terms; its reason names a missing column.
func MatchingRows(f *Frame, terms []Term) (rows []int32, reason string) {
	return NewFinder(f).Rows(terms)
}

// Finder is [MatchingRows] for many selections of a frame: it keeps the levels of the columns that terms name, and from the second
// use on the rows of each level. A selection by one level then takes a step for each of its rows.
type Finder struct {
	frame   *Frame
	columns map[string]*leveled
}

type leveled struct {
	Levels
	rows [][]int32 // of each level, ascending; nil at first
}

// NewFinder finds rows of a frame that changes no more.
func NewFinder(f *Frame) *Finder { return &Finder{f, map[string]*leveled{}} }

func (f *Finder) column(name string) *leveled {
	c := f.columns[name]
	if c == nil {
		c = &leveled{Levels: LevelsOf(f.frame.Held(name), nil)}
		f.columns[name] = c
	} else if c.rows == nil {
		c.rows = make([][]int32, len(c.Values))
		for row, code := range c.Codes {
			c.rows[code] = append(c.rows[code], int32(row))
		}
	}
	return c
}

// Rows lists the rows that meet all terms; its reason names a missing column.
func (f *Finder) Rows(terms []Term) (rows []int32, reason string) {
	for _, t := range terms {
		if f.frame.Held(t.Path) == nil {
			return nil, fmt.Sprintf("there is no axis %s", t.Path)
		}
	}
	among, out := []int32(nil), make([][]bool, len(terms)) // out are the levels that fail a term
	columns := make([]*leveled, len(terms))
	for i := range terms {
		c, level, n := f.column(terms[i].Path), 0, 0
		out[i], columns[i] = make([]bool, len(c.Values)), c
		for k, v := range c.Values {
			if terms[i].Has(v) {
				level, n = k, n+1
			} else {
				out[i][k] = true
			}
		}
		if n == 1 && c.rows != nil && (among == nil || len(c.rows[level]) < len(among)) {
			among = c.rows[level]
		}
	}
	if among == nil {
		among = store.AllRows(f.frame.Rows)
	}
	fails := func(row int32) bool {
		for i, c := range columns {
			if out[i][c.Codes[row]] {
				return true
			}
		}
		return false
	}
	left := text.Count(among, func(row int32) bool { return !fails(row) })
	rows = make([]int32, 0, left) // no longer than it is: several are kept at once
	for _, row := range among {
		if !fails(row) {
			rows = append(rows, row)
		}
	}
	return rows, ""
}

// DescribeTerms writes a selection as a person would.
func DescribeTerms(terms []Term) string {
	if len(terms) == 0 {
		return "all"
	}
	return List(text.Each(terms, func(t Term) string {
		if t.Ranged {
			return fmt.Sprintf("%s from %s to %s", t.Path, Number(t.from), Number(t.to))
		}
		return t.Path + " = " + List(Printed(t.Values))
	}))
}

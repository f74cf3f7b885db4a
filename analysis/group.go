package analysis

import (
	"cmp"
	"slices"
)

// grouping splits the rows by the values of some columns.
type grouping struct {
	by     []string
	groups []group
	of     []int32 // the group of each row
}

// group is a set of rows that agree in the grouped columns; rows ascend.
type group struct {
	key   []Value
	codes []int32 // the levels of key, in their order of display
	rows  []int32
}

// groupBy splits all rows of the frame; groups come in the order of their values, first column slowest. Without columns all
// rows are one group. O(rows x columns) plus the sort of the groups.
func groupBy(f *Frame, by []string, order map[string][]string) grouping {
	ls := make([]levels, len(by))
	for i, name := range by {
		ls[i] = levelsOf(f.Column(name), order[name])
	}
	of, n := make([]int32, f.Rows), int32(min(f.Rows, 1))
	for _, l := range ls {
		n = refine(of, n, l)
	}
	g := grouping{by: by, groups: make([]group, n), of: of}
	counts := make([]int32, n)
	for _, id := range of {
		counts[id]++
	}
	rows, used := make([]int32, f.Rows), int32(0)
	for id, c := range counts {
		g.groups[id].rows = rows[used : used : used+c]
		used += c
	}
	for row, id := range of {
		g.groups[id].rows = append(g.groups[id].rows, int32(row))
	}
	for id := range g.groups {
		gr := &g.groups[id]
		gr.key, gr.codes = make([]Value, len(ls)), make([]int32, len(ls))
		for i, l := range ls {
			gr.codes[i] = l.codes[gr.rows[0]]
			gr.key[i] = l.values[gr.codes[i]]
		}
	}
	g.sort()
	return g
}

// refine splits n groups by a further column and returns how many there are then.
func refine(of []int32, n int32, l levels) int32 {
	width := uint64(len(l.values))
	next := int32(0)
	if size := uint64(n) * width; size <= uint64(4*len(of)+1024) {
		to := make([]int32, size)
		for row, id := range of {
			slot := &to[uint64(id)*width+uint64(l.codes[row])]
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
		key := uint64(id)*width + uint64(l.codes[row])
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

func (g *grouping) sort() {
	rank := make([]int32, len(g.groups))
	for i := range rank {
		rank[i] = int32(i)
	}
	slices.SortFunc(rank, func(a, b int32) int {
		return slices.CompareFunc(g.groups[a].codes, g.groups[b].codes, cmp.Compare[int32])
	})
	sorted, to := make([]group, len(rank)), make([]int32, len(rank))
	for i, from := range rank {
		sorted[i] = g.groups[from]
		to[from] = int32(i)
	}
	g.groups = sorted
	for row, id := range g.of {
		g.of[row] = to[id]
	}
}

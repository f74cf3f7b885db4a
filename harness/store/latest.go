package store

import (
	"fmt"
	"slices"
)

// run is a segment of a part and where its rows are in the table.
type run struct {
	segment
	path  string
	start int
}

// runsOf returns the segments of the parts in scan order.
func runsOf(parts []*part) []run {
	var runs []run
	at := 0
	for _, p := range parts {
		for _, s := range p.segments {
			runs = append(runs, run{s, p.path, at})
			at += s.Rows
		}
	}
	// Stable: what compares equal (one writer's segment written in two goes)
	// stays in file order.
	slices.SortStableFunc(runs, func(a, b run) int { return a.compare(b.segment) })
	return runs
}

// chooseRows returns the positions of the rows that stay, in scan order, or nil
// when all stay where they are. O(rows), plus the sort of the segments.
func chooseRows(t *Table, parts []*part, opt ScanOptions) ([]int32, error) {
	runs := runsOf(parts)
	ordered := make([]int32, 0, t.Rows)
	inPlace := true
	for _, r := range runs {
		inPlace = inPlace && r.start == len(ordered)
		for i := range r.Rows {
			ordered = append(ordered, int32(r.start+i))
		}
	}
	if opt.Key != "" && t.Rows > 0 {
		key, err := keyOf(t.Column(opt.Key), t.Rows)
		if err != nil {
			return nil, err
		}
		ordered = lastOfEach(ordered, runs, key, opt.Repeats)
	}
	if opt.Limit > 0 && len(ordered) > opt.Limit {
		ordered = ordered[:opt.Limit]
	}
	if inPlace && len(ordered) == t.Rows {
		return nil, nil
	}
	return ordered, nil
}

// keyOf numbers the distinct keys: the result has a number for each row, -1 for null.
func keyOf(v *Vector, rows int) ([]int32, error) {
	out := make([]int32, rows)
	switch v.Type {
	case String:
		number(out, v, v.Strings)
	case Category:
		number(out, v, v.Codes)
	case Int64, Int32:
		number(out, v, v.Ints)
	default:
		return nil, fmt.Errorf("column %q cannot be the key: it is %v; a key is text or a whole number", v.Name, v.Type)
	}
	return out, nil
}

func number[T comparable](out []int32, v *Vector, values []T) {
	seen := make(map[T]int32, len(out))
	for i, x := range values {
		if v.IsNull(i) {
			out[i] = -1
			continue
		}
		n, ok := seen[x]
		if !ok {
			n = int32(len(seen))
			seen[x] = n
		}
		out[i] = n
	}
}

// lastOfEach keeps of each key the last row, or with repeats the rows of the
// last writer (attempt and shard).
func lastOfEach(ordered []int32, runs []run, key []int32, repeats bool) []int32 {
	const none = -1
	winner := make([]int32, len(key)) // key -> position of its last row in ordered, or number of its last writer
	for i := range winner {
		winner[i] = none
	}
	writer := make([]int32, len(ordered))
	pos, id := 0, int32(-1)
	for i, r := range runs {
		if i == 0 || r.Attempt != runs[i-1].Attempt || r.Shard != runs[i-1].Shard {
			id++
		}
		for range r.Rows {
			writer[pos] = id
			pos++
		}
	}
	mark := func(pos int) int32 {
		if repeats {
			return writer[pos]
		}
		return int32(pos)
	}
	for pos, row := range ordered {
		if k := key[row]; k >= 0 {
			winner[k] = mark(pos)
		}
	}
	kept := ordered[:0]
	for pos, row := range ordered {
		if k := key[row]; k < 0 || winner[k] == mark(pos) {
			kept = append(kept, row)
		}
	}
	return kept
}

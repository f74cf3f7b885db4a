package store

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// readParts decodes the wanted columns of the parts into a table of so many
// rows: row i of all parts, one behind the other, goes to row to[i], or nowhere
// where that is negative. Results do not depend on the number of goroutines. A part
// that turns out to be unusable is a problem, and the table is then not complete.
func readParts(parts []*part, wanted Schema, to []int32, rows int) (*Table, []*Problem) {
	t := NewTable(wanted, rows)
	starts := startsOf(parts)
	dicts := make([][]dictionary, len(parts)) // part, column -> the part's own dictionary
	failures := make([]*Problem, len(parts))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := new(scratch)
			for i := range next {
				dicts[i], failures[i] = decodePart(parts[i], t, to[starts[i]:starts[i]+parts[i].rows], s)
			}
		}()
	}
	for i := range parts {
		next <- i
	}
	close(next)
	wg.Wait()

	var problems []*Problem
	for _, p := range failures {
		if p != nil {
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	for c := range t.Columns {
		v := &t.Columns[c]
		if v.Type == Category {
			joinDictionaries(v, parts, to, dicts, c)
		}
		v.settle()
	}
	return t, nil
}

// startsOf are the numbers of the parts' first rows, all parts one behind the
// other.
func startsOf(parts []*part) []int {
	starts := make([]int, len(parts))
	for i := 1; i < len(parts); i++ {
		starts[i] = starts[i-1] + parts[i-1].rows
	}
	return starts
}

// inPlace sends every row to where it is.
func inPlace(rows int) []int32 {
	to := make([]int32, rows)
	for i := range to {
		to[i] = int32(i)
	}
	return to
}

// decodePart opens the part again and reads its share of every column of t.
func decodePart(p *part, t *Table, to []int32, s *scratch) (dicts []dictionary, problem *Problem) {
	if !slices.ContainsFunc(to, func(row int32) bool { return row >= 0 }) {
		return make([]dictionary, len(t.Columns)), nil
	}
	dicts = make([]dictionary, len(t.Columns))
	return dicts, withPart(p, func(rd *file.Reader) error {
		for c := range t.Columns {
			column := t.Columns[c].Name
			leaf := p.schema.Index(column)
			if leaf < 0 {
				continue
			}
			if err := guard(func() error { return decodeColumn(p, rd, leaf, &t.Columns[c], to, &dicts[c], s) }); err != nil {
				return columnError(column, err)
			}
		}
		return nil
	})
}

// withPart opens the part again for f, whose errors are damage of the part.
func withPart(p *part, f func(*file.Reader) error) *Problem {
	again, rd, err := openPart(p.path)
	if err != nil {
		var problem *Problem
		if !errors.As(err, &problem) {
			problem = &Problem{p.path, Unreadable, err}
		}
		return problem
	}
	if again.part != p.part || again.rows != p.rows {
		err = errors.New("it changed while it was read")
	} else {
		err = f(rd)
	}
	if err != nil {
		return &Problem{p.path, Damaged, errors.Join(err, rd.Close())}
	}
	if err := rd.Close(); err != nil {
		return &Problem{p.path, Unreadable, err}
	}
	return nil
}

// eachGroup calls fn with the wanted columns of each row group of the part in
// turn; columns that the part lacks are null. first is the number of the group's
// first row in the part. The table is valid during the call only. Memory: one
// row group.
func eachGroup(p *part, wanted Schema, fn func(t *Table, first int) error) error {
	var failed error // fn's own
	var t *Table
	s, at := new(scratch), 0
	problem := withPart(p, func(rd *file.Reader) error {
		for g := range rd.NumRowGroups() {
			n := int(rd.MetaData().RowGroup(g).NumRows())
			if t == nil || t.Rows != n {
				t = NewTable(wanted, n)
			} else {
				t.clear()
			}
			to := inPlace(n)
			for c := range t.Columns {
				v := &t.Columns[c]
				leaf := p.schema.Index(v.Name)
				if leaf < 0 {
					continue
				}
				var dict dictionary
				s.arena, s.ends, s.rows = s.arena[:0], s.ends[:0], s.rows[:0]
				if err := guard(func() error { return decodeChunk(p, rd, g, leaf, v, to, &dict, s) }); err != nil {
					return columnError(v.Name, err)
				}
				s.placeStrings(v)
				v.Dict = dict.texts
			}
			if failed = fn(t, at); failed != nil {
				return nil
			}
			at += n
		}
		return nil
	})
	if problem != nil {
		return problem
	}
	return failed
}

// joinDictionaries replaces the parts' own codes by codes of one dictionary.
func joinDictionaries(v *Vector, parts []*part, to []int32, dicts [][]dictionary, column int) {
	known := map[string]int32{}
	for i, start := range startsOf(parts) {
		local := dicts[i][column].texts
		recode := make([]int32, len(local))
		same := true
		for j, text := range local {
			code, ok := known[text]
			if !ok {
				code = int32(len(v.Dict))
				known[text] = code
				v.Dict = append(v.Dict, text)
			}
			recode[j] = code
			same = same && code == int32(j)
		}
		if same {
			continue
		}
		for _, r := range to[start : start+parts[i].rows] {
			if r >= 0 && !v.Nulls[r] {
				v.Codes[r] = recode[v.Codes[r]]
			}
		}
	}
}

func columnError(column string, err error) error { return fmt.Errorf("column %q: %w", column, err) }

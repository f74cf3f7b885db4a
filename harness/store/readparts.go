package store

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// readParts decodes the wanted columns of the parts, one behind the other.
// Results do not depend on the number of goroutines. A part that turns out to
// be unusable is a problem, and the table is then not complete.
func readParts(parts []*part, wanted Schema, rows int) (*Table, []*Problem) {
	t := &Table{Rows: rows, Columns: make([]Vector, len(wanted))}
	for i, c := range wanted {
		t.Columns[i] = newVector(c, rows)
	}
	starts := make([]int, len(parts))
	dicts := make([][][]string, len(parts)) // part, column -> the part's own dictionary
	failures := make([]*Problem, len(parts))
	for i := 1; i < len(parts); i++ {
		starts[i] = starts[i-1] + parts[i-1].rows
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := new(scratch)
			for i := range next {
				dicts[i], failures[i] = decodePart(parts[i], t, starts[i], s)
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
			joinDictionaries(v, parts, starts, dicts, c)
		}
		v.settle()
	}
	return t, nil
}

// decodePart opens the part again and reads its share of every column of t.
func decodePart(p *part, t *Table, at int, s *scratch) (dicts [][]string, problem *Problem) {
	again, rd, err := openPart(p.path)
	if err != nil {
		if !errors.As(err, &problem) {
			problem = &Problem{p.path, Unreadable, err}
		}
		return nil, problem
	}
	dicts = make([][]string, len(t.Columns))
	var column string
	err = guard(func() error {
		if again.part != p.part || again.rows != p.rows {
			return errors.New("it changed while it was read")
		}
		for c := range t.Columns {
			column = t.Columns[c].Name
			leaf := p.schema.Index(column)
			if leaf < 0 {
				continue
			}
			if dicts[c], err = decodeColumn(p, rd, leaf, &t.Columns[c], at, s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, &Problem{p.path, Damaged, errors.Join(columnError(column, err), rd.Close())}
	}
	if err := rd.Close(); err != nil {
		return nil, &Problem{p.path, Unreadable, err}
	}
	return dicts, nil
}

// joinDictionaries replaces the parts' own codes by codes of one dictionary.
func joinDictionaries(v *Vector, parts []*part, starts []int, dicts [][][]string, column int) {
	known := map[string]int32{}
	for i, p := range parts {
		local := dicts[i][column]
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
		for r := starts[i]; r < starts[i]+p.rows; r++ {
			if !v.Nulls[r] {
				v.Codes[r] = recode[v.Codes[r]]
			}
		}
	}
}

func columnError(column string, err error) error {
	if column == "" {
		return err
	}
	return fmt.Errorf("column %q: %w", column, err)
}

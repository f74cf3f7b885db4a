package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/file"
	"golang.org/x/sync/errgroup"
)

// readParts decodes the wanted columns of the parts into a table of this number of
// rows: row i of all parts, one behind the other, goes to row to[i], or nowhere
// where that is negative. Results do not depend on the number of goroutines. A part
// that turns out to be unusable is a problem, and the table is then not complete.
func readParts(parts []*part, wanted Schema, to []int32, rows int) (*Table, []*Problem) {
	t := NewTable(wanted, rows)
	starts := startsOf(parts)
	dicts := make([][]dictionary, len(parts)) // part, column -> the part's own dictionary
	failures := make([]*Problem, len(parts))
	memory := sync.Pool{New: func() any { return new(scratch) }}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range parts {
		g.Go(func() error {
			s := memory.Get().(*scratch)
			defer memory.Put(s)
			dicts[i] = make([]dictionary, len(t.Columns))
			to := to[starts[i] : starts[i]+p.rows]
			if slices.ContainsFunc(to, func(row int32) bool { return row >= 0 }) {
				failures[i] = withGroups(p, func(rd *file.Reader, g, first, rows int) error {
					return decodeGroup(p, rd, g, t, to[first:first+rows], dicts[i], s)
				})
			}
			return nil
		})
	}
	_ = g.Wait()
	if problems := slices.DeleteFunc(failures, func(p *Problem) bool { return p == nil }); len(problems) > 0 {
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

// AllRows are the numbers 0 to n-1; readParts sends each to where it is by them.
func AllRows(rows int) []int32 {
	to := make([]int32, rows)
	for i := range to {
		to[i] = int32(i)
	}
	return to
}

// withGroups opens the part again and calls f with each of its row groups in turn, whose
// rows begin with first; f's errors are damage of the part.
func withGroups(p *part, f func(rd *file.Reader, g, first, rows int) error) *Problem {
	again, rd, problem := openPart(p.path, p)
	if problem != nil {
		return problem
	}
	var err error
	if again.part != p.part || again.rows != p.rows {
		err = errors.New("it changed while it was read")
	}
	first := 0
	for g := 0; g < rd.NumRowGroups() && err == nil; g++ {
		rows := int(rd.MetaData().RowGroup(g).NumRows())
		err = f(rd, g, first, rows)
		first += rows
	}
	if err != nil {
		return again.file.problem(p.path, Damaged, errors.Join(err, rd.Close()))
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
	s := new(scratch)
	problem := withGroups(p, func(rd *file.Reader, g, first, rows int) error {
		if t == nil || t.Rows != rows {
			t = NewTable(wanted, rows)
		} else {
			t.clear()
		}
		dicts := make([]dictionary, len(wanted))
		if err := decodeGroup(p, rd, g, t, AllRows(rows), dicts, s); err != nil {
			return err
		}
		for c := range dicts {
			t.Columns[c].Dict = dicts[c].texts
		}
		failed = fn(t, first)
		return failed
	})
	if failed == nil && problem != nil {
		return problem
	}
	return failed
}

// joinDictionaries replaces the parts' own codes by codes of one dictionary.
func joinDictionaries(v *Vector, parts []*part, to []int32, dicts [][]dictionary, column int) {
	var all dictionary
	for i, start := range startsOf(parts) {
		local := dicts[i][column].texts
		recode := make([]int32, len(local))
		same := true
		for j, text := range local {
			recode[j] = all.code([]byte(text))
			same = same && recode[j] == int32(j)
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
	v.Dict = all.texts
}

// untilSettled calls look again where a merge removed a part after its footer
// was read. If parts vanish each time, the error is none of [fs.ErrNotExist], as that of [JoinProblems].
func untilSettled(dir string, look func() error) error {
	for attempt := 0; ; attempt++ {
		err := look()
		var p *Problem
		switch {
		case !errors.As(err, &p) || !p.gone() || filepath.Dir(p.Path) != filepath.Clean(dir):
			return err
		case attempt == 8:
			return errors.New(err.Error())
		}
	}
}

func choose(dir string, s Schema, names []string) (Schema, error) {
	var out Schema
	var errs []error
	for i, name := range names {
		switch at := s.Index(name); {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("store: column %q occurs twice in the list", name))
		case at >= 0:
			out = append(out, s[at])
		default:
			errs = append(errs, fmt.Errorf("store: dataset %s has no column %q; it has %s", dir, name, strings.Join(s.names(), ", ")))
		}
	}
	return out, errors.Join(errs...)
}

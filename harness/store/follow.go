package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Follower reads a dataset while others write it: each part once, when it is new. It locks nothing and writes nothing.
type Follower struct {
	Dir     string
	Columns []string // columns of text or numbers that every part has
	seen    map[string]stamp
}

type stamp struct {
	size    int64
	changed time.Time
	problem *Problem // the file cannot be used as it is
}

// Look calls fn with the rows of every part that is new since the call before, in the order of the file names. attempt
// numbers the attempt of a row, and later attempts have higher numbers. The table is valid during the call only. problems
// are files that cannot be used as they are now; they are read again when they change, and each time if they are unreadable.
//
// Where a file is gone or has changed, fresh is called first and all parts are read anew: their rows may be in another part.
func (f *Follower) Look(fresh func(), fn func(t *Table, attempt func(row int) int) error) (news int, problems []*Problem, err error) {
	names, err := partFiles(f.Dir)
	if err != nil {
		return 0, nil, err
	}
	now := make(map[string]stamp, len(names))
	for _, name := range names {
		info, err := os.Stat(filepath.Join(f.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since it was listed
		}
		if err != nil {
			return 0, nil, err
		}
		now[name] = stamp{size: info.Size(), changed: info.ModTime()}
	}
	for name, was := range f.seen {
		if is, there := now[name]; was.problem == nil && (!there || !is.same(was)) {
			f.seen = nil
			break
		}
	}
	if f.seen == nil {
		f.seen = map[string]stamp{}
		fresh()
	}
	for name := range f.seen {
		if _, there := now[name]; !there {
			delete(f.seen, name)
		}
	}
	for _, name := range names {
		is, there := now[name]
		if !there {
			continue
		}
		was, known := f.seen[name]
		again := known && was.same(is) && was.problem != nil && was.problem.Kind == Unreadable
		if !known || !was.same(is) || again {
			if is.problem, err = f.read(filepath.Join(f.Dir, name), fn); err != nil {
				return news, nil, err
			}
			f.seen[name], was = is, is
			if !again || is.problem == nil {
				news++
			}
		}
		if was.problem != nil {
			problems = append(problems, was.problem)
		}
	}
	return news, problems, nil
}

func (s stamp) same(as stamp) bool { return s.size == as.size && s.changed.Equal(as.changed) }

// read calls fn with the row groups of one file, after all of them have been decoded: of a damaged file no row counts.
func (f *Follower) read(path string, fn func(t *Table, attempt func(row int) int) error) (*Problem, error) {
	p, problem := readFooter(path)
	if problem != nil {
		return problem, nil
	}
	wanted, err := choose(f.Dir, p.schema, f.Columns)
	if err != nil {
		return &Problem{path, Foreign, err}, nil
	}
	t, problems := readParts([]*part{p}, wanted, AllRows(p.rows), p.rows)
	if problems != nil {
		return problems[0], nil
	}
	if err := fn(t, p.attempts()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nil, nil
}

// attempts numbers the attempt that wrote a row of the part.
func (p *part) attempts() func(row int) int {
	numbers := make([]int, len(p.segments))
	for i, s := range p.segments {
		numbers[i] = attemptNumber(s.Attempt)
	}
	return func(row int) int {
		for i, s := range p.segments {
			if row < s.Rows {
				return numbers[i]
			}
			row -= s.Rows
		}
		return 0
	}
}

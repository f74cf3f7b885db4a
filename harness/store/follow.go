package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Follower reads a dataset while others write it: each part once, when it is new. It locks nothing and writes nothing.
type Follower struct {
	Dir     string
	Columns []string        // columns of text or numbers that every part has
	seen    map[string]read // by the names of files
}

// read is a file as it was read. The problem is why it could not be used; nil for none.
type read struct {
	state   string
	problem *Problem
}

// StateOf tells apart a file before and after it changes.
func StateOf(path string) (state string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Size(), info.ModTime()), nil
}

// PartsState tells apart a dataset before and after its part files change; one that cannot be listed has none.
func PartsState(dir string) (state [32]byte) {
	if now, err := states(dir); err == nil {
		state = sha256.Sum256(fmt.Append(nil, now))
	}
	return state
}

// states are those of the part files as they are now, by their names.
func states(dir string) (now map[string]string, err error) {
	names, err := partFiles(dir)
	now = map[string]string{}
	for _, name := range names {
		state, err := StateOf(filepath.Join(dir, name))
		switch {
		case err == nil:
			now[name] = state
		case !errors.Is(err, fs.ErrNotExist): // else it is gone since it was listed
			return nil, err
		}
	}
	return now, err
}

// Look calls fn with the rows of every attempt in every part that is new since the call before, in the order of the file names. Later
// attempts have higher numbers. The table is valid during the call only. problems are files that cannot be used as they are now. They
// are read again when they change, and each time if they are unreadable.
//
// Where a file is gone or has changed, fresh is called first and all parts are read anew: their rows may be in another part.
func (f *Follower) Look(fresh func(), fn func(t *Table, from, to, attempt int)) (news int, problems []*Problem, err error) {
	now, err := states(f.Dir)
	if err != nil {
		return 0, nil, err
	}
	anew := f.seen == nil
	for name, was := range f.seen {
		anew = anew || was.problem == nil && now[name] != was.state
	}
	if anew {
		f.seen = map[string]read{}
		fresh()
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		is := f.seen[name]
		known := is.state == now[name]
		if !known || is.problem != nil && is.problem.Kind == Unreadable {
			is = read{now[name], f.read(filepath.Join(f.Dir, name), fn)}
			if f.seen[name] = is; !known || is.problem == nil {
				news++
			}
		}
		if is.problem != nil {
			problems = append(problems, is.problem)
		}
	}
	return news, problems, nil
}

// read calls fn with the rows of one file, after all of them have been decoded: of a damaged file no row counts.
func (f *Follower) read(path string, fn func(t *Table, from, to, attempt int)) *Problem {
	p, problem := readFooter(path)
	if problem != nil {
		return problem
	}
	wanted, err := choose(f.Dir, p.schema, f.Columns)
	if err != nil {
		return &Problem{path, Foreign, err}
	}
	t, problems := readParts([]*part{p}, wanted, AllRows(p.rows), p.rows)
	if problems != nil {
		return problems[0]
	}
	from := 0
	for _, s := range p.segments {
		fn(t, from, from+s.Rows, attemptNumber(s.Attempt))
		from += s.Rows
	}
	return nil
}

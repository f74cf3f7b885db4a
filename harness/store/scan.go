package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// ScanOptions says what Scan reads.
type ScanOptions struct {
	Columns []string // names, in the order wanted; nil is all
	Key     string   // column that names the record a row belongs to; "" keeps every row
	Repeats bool     // several rows of one attempt may share a key (jobs of one instance); see Scan
	Limit   int      // at most so many rows, after the key was applied; 0 is all
	// Damaged, when set, is told of each file that cannot be used, and the scan
	// goes on without it. When nil such a file is an error.
	Damaged func(*Problem)
}

// Scan reads the union of all complete parts of a dataset.
//
// Columns are matched by name; a column that a part lacks is null there. Rows
// come ordered by attempt, shard, part and position, whatever the files are
// called and however they were merged. With a Key the last attempt wins: of the
// rows of one key only the last stays, or with Repeats all rows of the last
// attempt (of one shard) that wrote the key. Rows without a key all stay.
//
// Parts are decoded in parallel, straight into the table: O(cells) time, and
// memory of the wanted columns only (twice, while the key drops rows).
func Scan(dir string, opt ScanOptions) (*Table, error) {
	for attempt := 0; ; attempt++ {
		t, err := scan(dir, opt)
		// A merge removed a part after its footer was read: look again.
		if err == nil || attempt == 8 || !isVanished(dir, err) {
			return t, err
		}
	}
}

func isVanished(dir string, err error) bool {
	var p *Problem
	return errors.As(err, &p) && errors.Is(p.Err, fs.ErrNotExist) && filepath.Dir(p.Path) == filepath.Clean(dir)
}

func scan(dir string, opt ScanOptions) (*Table, error) {
	parts, problems, err := listParts(dir)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		if opt.Damaged == nil {
			return nil, joinProblems(problems)
		}
		for _, p := range problems {
			opt.Damaged(p)
		}
		// An overlapping part is usable by itself, but not beside the other.
		parts = slices.DeleteFunc(parts, func(p *part) bool {
			return slices.ContainsFunc(problems, func(q *Problem) bool { return q.Path == p.path })
		})
	}
	for {
		t, bad, err := scanParts(dir, parts, opt)
		if err != nil || len(bad) == 0 {
			return t, err
		}
		if opt.Damaged == nil || slices.ContainsFunc(bad, func(p *Problem) bool { return p.Kind == Conflict || errors.Is(p.Err, fs.ErrNotExist) }) {
			return nil, joinProblems(bad)
		}
		for _, p := range bad {
			opt.Damaged(p)
			parts = slices.DeleteFunc(parts, func(q *part) bool { return q.path == p.Path })
		}
	}
}

func scanParts(dir string, parts []*part, opt ScanOptions) (*Table, []*Problem, error) {
	schema, conflicts := unionSchema(parts)
	if len(conflicts) > 0 {
		return nil, conflicts, nil
	}
	wanted, err := choose(dir, schema, opt, len(parts) > 0)
	if err != nil {
		return nil, nil, err
	}
	total := 0
	for _, p := range parts {
		total += p.rows
	}
	if err := checkTotal(dir, total); err != nil {
		return nil, nil, err
	}
	t, bad := readParts(parts, wanted, total)
	if len(bad) > 0 {
		return nil, bad, nil
	}
	keep, err := chooseRows(t, parts, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("store: dataset %s: %w", dir, err)
	}
	if keep != nil {
		t = t.Take(keep)
	}
	// The key was read only to choose rows when it is not among the columns.
	if opt.Columns != nil && len(t.Columns) > len(opt.Columns) {
		t.Columns = t.Columns[:len(opt.Columns)]
	}
	return t, nil, nil
}

// choose returns the columns to read: the wanted ones, and the key behind them
// when it is not wanted.
func choose(dir string, s Schema, opt ScanOptions, filled bool) (Schema, error) {
	names := opt.Columns
	if opt.Columns == nil {
		for _, c := range s {
			names = append(names, c.Name)
		}
	}
	if opt.Key != "" && !slices.Contains(names, opt.Key) {
		names = append(slices.Clone(names), opt.Key)
	}
	var out Schema
	var errs []error
	for i, name := range names {
		switch at := s.Index(name); {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("store: column %q is asked for twice", name))
		case at >= 0:
			out = append(out, s[at])
		case filled:
			known := make([]string, len(s))
			for j, c := range s {
				known[j] = c.Name
			}
			errs = append(errs, fmt.Errorf("store: dataset %s has no column %q; it has %s", dir, name, strings.Join(known, ", ")))
		}
	}
	return out, errors.Join(errs...)
}

// ScanKeys reads only the key and the outcome column of a dataset and calls fn
// once for each key, with the outcome of its last attempt ("" when null): what
// a run needs in order to resume. A folder that does not exist holds no keys.
func ScanKeys(dir, key, outcome string, fn func(key, outcome string)) error {
	t, err := Scan(dir, ScanOptions{Columns: []string{key, outcome}, Key: key})
	if errors.Is(err, fs.ErrNotExist) && !isVanished(dir, err) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range t.Rows {
		if !t.Columns[0].IsNull(i) {
			fn(t.Columns[0].Text(i), t.Columns[1].Text(i))
		}
	}
	return nil
}

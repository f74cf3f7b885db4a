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
	Records Records  // which rows count; without a key all do
}

// Scan reads the union of all complete parts of a dataset.
//
// Columns are matched by name; a column that a part lacks is null there. Rows
// come ordered by attempt, shard, part and position, whatever the files are
// called and however they were merged. Where there are records, the row that
// counts is read of each. A file that cannot be used is an error.
//
// Parts are decoded in parallel, straight into the table: O(cells) time, and
// memory of the wanted columns of the wanted rows.
func Scan(dir string, opt ScanOptions) (t *Table, err error) {
	err = untilSettled(dir, func() error {
		t, err = scan(dir, opt)
		return err
	})
	return t, err
}

// untilSettled calls look again where a merge removed a part after its footer
// was read.
func untilSettled(dir string, look func() error) error {
	for attempt := 0; ; attempt++ {
		err := look()
		if err == nil || attempt == 8 || !isVanished(dir, err) {
			return err
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
		return nil, joinProblems(problems)
	}
	t, bad, err := scanParts(dir, parts, opt)
	if err == nil && len(bad) > 0 {
		return nil, joinProblems(bad)
	}
	return t, err
}

func scanParts(dir string, parts []*part, opt ScanOptions) (*Table, []*Problem, error) {
	schema, conflicts := unionSchema(parts)
	if len(conflicts) > 0 {
		return nil, conflicts, nil
	}
	columns := opt.Columns
	if columns == nil {
		columns = schema.names()
	}
	var wanted Schema
	total := 0
	for _, p := range parts {
		total += p.rows
	}
	err := checkTotal(dir, total)
	if err == nil && len(parts) > 0 {
		wanted, err = choose(dir, schema, columns)
	}
	if err != nil {
		return nil, nil, err
	}
	ranks := precedence(parts)
	byRank := make([]int32, total) // rank -> row in file order, or -1 where it does not count
	if opt.Records.Key == "" {
		for row := range byRank {
			byRank[ranks.of(row)] = int32(row)
		}
	} else {
		x, problems, err := newIndex(dir, parts, opt.Records)
		if err != nil || len(problems) > 0 {
			return nil, problems, err
		}
		for i := range byRank {
			byRank[i] = -1
		}
		for _, e := range x.entries {
			byRank[e.rank&^answered] = e.row
		}
	}
	to, n := slices.Repeat([]int32{-1}, total), int32(0)
	for _, row := range byRank {
		if row >= 0 {
			to[row] = n
			n++
		}
	}
	t, bad := readParts(parts, wanted, to, int(n))
	return t, bad, nil
}

// choose returns the named columns of the schema.
func choose(dir string, s Schema, names []string) (Schema, error) {
	var out Schema
	var errs []error
	for i, name := range names {
		switch at := s.Index(name); {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("store: column %q is asked for twice", name))
		case at >= 0:
			out = append(out, s[at])
		default:
			errs = append(errs, fmt.Errorf("store: dataset %s has no column %q; it has %s", dir, name, strings.Join(s.names(), ", ")))
		}
	}
	return out, errors.Join(errs...)
}

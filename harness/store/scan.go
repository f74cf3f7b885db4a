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
	err = WithIndex(dir, opt.Records, func(x *Index) error {
		columns := opt.Columns
		if columns == nil || len(x.parts) == 0 {
			columns = x.schema.names()
		}
		t, err = x.Read(columns, x.ordered())
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

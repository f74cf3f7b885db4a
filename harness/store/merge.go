package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// DefaultMergeRows is the number of rows that Merge aims at in a part.
const DefaultMergeRows = 1 << 20

// MergeOptions select the parts that Merge rewrites, and their size.
type MergeOptions struct {
	Lock LockOptions // for the time when another merge runs
	// Fill, when set, may give values to null cells of the rows on their way. The
	// table has all columns of the dataset and is valid during the call only.
	Fill func(*Table) error
	// All rewrites large parts and single ones too, for Fill has values for some.
	All bool
	// Only, when set, chooses the parts that are merged, by their paths.
	Only func(path string) bool

	rowsPerPart int        // of a merged part, about; 0 is DefaultMergeRows
	files       fileSystem // nil is the operating system
}

// MergeResult counts the work of a merge.
type MergeResult struct {
	Before, After int // parts in the folder
	Rows          int // rows that moved
}

// Merge rewrites many small parts as few large ones. Every row is kept, those
// of earlier attempts too, and so is the attempt of each row: a scan returns the
// same table before and after, row for row, but for what Fill adds. All merged
// parts have the columns of the whole dataset, and a part that lacks one is
// written anew even if it is large.
//
// A merged part is complete, and names its sources, before the first source is
// removed. After a crash in between, scans ignore the sources, and the next merge
// removes them. Writers may go on in the same folder, merges exclude one another.
// Memory: a row group or two, however many rows there are.
func Merge(dir string, opt MergeOptions) (MergeResult, error) {
	opt.rowsPerPart = cmp.Or(opt.rowsPerPart, DefaultMergeRows)
	opt.files = cmp.Or[fileSystem](opt.files, osFiles{})
	unlock, err := lockMerge(dir, opt.files, opt.Lock)
	if err != nil {
		return MergeResult{}, err
	}
	result, err := merge(dir, opt)
	return result, errors.Join(err, unlock())
}

func merge(dir string, opt MergeOptions) (result MergeResult, err error) {
	if err := clearLeftovers(dir, opt.files); err != nil {
		return result, err
	}
	parts, schema, err := listDataset(dir)
	if err != nil {
		return result, err
	}
	result.Before, result.After = len(parts), len(parts)
	columns := len(schema)
	if opt.All {
		columns++ // more than any part has
	}
	for _, group := range mergeGroups(parts, opt.rowsPerPart, columns, opt.Only) {
		rows, err := mergeGroup(dir, opt, group, schema)
		if err != nil {
			return result, err
		}
		result.Rows += rows
		result.After -= len(group) - 1
	}
	return result, nil
}

// mergeGroups puts neighbours together up to the wanted number of rows. Parts
// that are at least half as large and have all columns stay as they are.
func mergeGroups(parts []*part, rows, columns int, only func(path string) bool) [][]*part {
	var groups [][]*part
	var group []*part
	sum := 0
	end := func() {
		if len(group) > 1 || len(group) == 1 && len(group[0].schema) < columns {
			groups = append(groups, group)
		}
		group, sum = nil, 0
	}
	for _, p := range parts {
		if only != nil && !only(p.path) || p.rows > rows/2 && len(p.schema) == columns {
			continue
		}
		if sum+p.rows > rows {
			end()
		}
		group, sum = append(group, p), sum+p.rows
	}
	end()
	return groups
}

func mergeGroup(dir string, opt MergeOptions, group []*part, schema Schema) (int, error) {
	f := footer{meta: joinMeta(group), part: newPartID()}
	rows := 0
	for _, p := range group {
		f.segments = append(f.segments, p.segments...)
		f.sources = append(f.sources, p.part)
		rows += p.rows
	}
	final := filepath.Join(dir, mergedPrefix+f.part+".parquet")
	w, err := createFile(opt.files, final, schema, f.meta)
	if err != nil {
		return 0, err
	}
	for _, p := range group {
		if err := eachGroup(p, schema, func(t *Table, _ int) error {
			if opt.Fill != nil {
				if err := opt.Fill(t); err != nil {
					return err
				}
			}
			return w.Write(t)
		}); err != nil {
			w.Abort()
			return 0, err
		}
	}
	if err := w.closeWith(f, false); err != nil {
		return 0, err
	}
	for _, p := range group {
		if err := opt.files.remove(p.path); err != nil {
			return 0, fmt.Errorf("store: removing %s, which is merged: %w (nothing is lost or counted twice; merge again)", p.path, err)
		}
	}
	if err := opt.files.syncDir(dir); err != nil {
		return 0, writeError(final, err)
	}
	return rows, nil
}

const mergedPrefix = "merged-"

// clearLeftovers removes the remains of a killed merge: its temporary, and
// sources that a complete merged part has replaced. The caller holds the lock.
func clearLeftovers(dir string, files fileSystem) error {
	entries, err := filesOf(dir)
	if err != nil {
		return err
	}
	var stale []string
	var all []*part
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if final, ok := finalName(e.Name()); ok && strings.HasPrefix(final, mergedPrefix) {
			stale = append(stale, path)
		}
	}
	names, err := partFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if p, problem := readFooter(filepath.Join(dir, name)); problem == nil { // merge itself reports others
			p.kept = nil // there may be many, and no row is read
			all = append(all, p)
		}
	}
	_, replaced, _ := withoutReplaced(all)
	for _, p := range replaced {
		stale = append(stale, p.path)
	}
	for _, path := range stale {
		if err := files.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: removing the leftover %s of an earlier merge: %w", path, err)
		}
	}
	return nil
}

func joinMeta(parts []*part) map[string]string {
	values := map[string][]string{}
	for _, p := range parts {
		for k, v := range p.meta {
			values[k] = append(values[k], strings.Split(v, "\n")...)
		}
	}
	joined := make(map[string]string, len(values))
	for k, all := range values {
		slices.Sort(all)
		joined[k] = strings.Join(slices.Compact(all), "\n")
	}
	return joined
}

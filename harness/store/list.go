package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// mostKeptFooters bounds the bytes of the footers that a list of parts keeps. Most readers open each part several times.
const mostKeptFooters = 4 << 20

// listParts opens the footer of every part of the folder, in name order. Files
// that are no usable part are problems; err is for the folder itself. Parts
// that a merge has replaced but not yet removed are left out.
func listParts(dir string) (parts []*part, problems []*Problem, err error) {
	// A merge may remove sources between the listing and the opening; what
	// replaced them is then in the next listing.
	for range 8 {
		names, err := partFiles(dir)
		if err != nil {
			return nil, nil, err
		}
		parts, problems = nil, nil
		vanished, room := false, mostKeptFooters
		for _, name := range names {
			if p, problem := readFooter(filepath.Join(dir, name)); problem == nil {
				if room -= p.bytes; room < 0 {
					p.kept = nil
				}
				parts = append(parts, p)
			} else {
				vanished = vanished || problem.gone()
				problems = append(problems, problem)
			}
		}
		if !vanished {
			break
		}
	}
	parts, _, overlaps := withoutReplaced(parts)
	return parts, append(problems, overlaps...), nil
}

// filesOf lists the files of a dataset.
func filesOf(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%w (a dataset is a folder: move this file away)", err)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w (copy this folder of rows too, or run the manifest again)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("store: listing dataset %s: %w", dir, err)
	}
	return entries, nil
}

func partFiles(dir string) ([]string, error) {
	entries, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".parquet") && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names, nil
}

// withoutReplaced separates the parts that another complete part was merged
// from. Two merged parts of one source, and two copies of one part, overlap:
// their rows would count twice.
func withoutReplaced(all []*part) (live, replaced []*part, overlaps []*Problem) {
	owner := map[string]*part{} // part id -> who holds its rows
	for _, p := range all {
		for _, id := range p.sources {
			if other, ok := owner[id]; ok && other.part != p.part {
				overlaps = append(overlaps, &Problem{p.path, Overlap, fmt.Errorf("it holds the same rows as %s", other.path)})
			}
			owner[id] = p
		}
	}
	ids := map[string]*part{}
	for _, p := range all {
		if _, ok := owner[p.part]; ok {
			replaced = append(replaced, p)
			continue
		}
		if other, ok := ids[p.part]; ok {
			overlaps = append(overlaps, &Problem{p.path, Overlap, fmt.Errorf("it is a copy of %s", other.path)})
		}
		ids[p.part] = p
		live = append(live, p)
	}
	return live, replaced, overlaps
}

func completeParts(dir string) ([]*part, error) {
	parts, problems, err := listParts(dir)
	if err != nil {
		return nil, err
	}
	return parts, JoinProblems(problems)
}

// listDataset is completeParts, with the columns of all of them. A part without one of the marks is of another dataset.
func listDataset(dir string, marks ...string) ([]*part, Schema, error) {
	parts, problems, err := listParts(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range parts {
		if i := slices.IndexFunc(marks, func(name string) bool { return p.schema.Index(name) < 0 }); i >= 0 {
			problems = append(problems, &Problem{p.path, Foreign, fmt.Errorf("every part of this dataset has a column %q, it has none", marks[i])})
		}
	}
	schema, conflicts := unionSchema(parts)
	return parts, schema, JoinProblems(append(problems, conflicts...))
}

// JoinProblems makes one error of several files, naming the first few. A file that is not there does not make it one of
// [fs.ErrNotExist], which says that the folder is not there and nothing is lost.
func JoinProblems(problems []*Problem) error {
	const shown = 5
	var errs []error
	for i, p := range problems {
		if i == shown {
			errs = append(errs, fmt.Errorf("store: and %d more files of this dataset", len(problems)-shown))
			break
		}
		if errors.Is(p, fs.ErrNotExist) {
			errs = append(errs, errors.New(p.Error()))
			continue
		}
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}

// unionSchema joins the columns of the parts by name, in the order of first
// appearance. A column that some part lacks, or that is nullable in one, is
// nullable. One column of two types or two units is a conflict.
func unionSchema(parts []*part) (Schema, []*Problem) {
	var union Schema
	var problems []*Problem
	first := map[string]int{}
	origin := []string{}
	count := []int{}
	for _, p := range parts {
		for _, c := range p.schema {
			i, ok := first[c.Name]
			if !ok {
				first[c.Name] = len(union)
				union, origin, count = append(union, c), append(origin, p.path), append(count, 1)
				continue
			}
			u := &union[i]
			if u.Type != c.Type || u.Unit != c.Unit {
				problems = append(problems, &Problem{p.path, Conflict, fmt.Errorf("column %q is %v in unit %q, in %s it is %v in unit %q",
					c.Name, c.Type, c.Unit, origin[i], u.Type, u.Unit)})
				break
			}
			u.Nullable = u.Nullable || c.Nullable
			count[i]++
		}
	}
	for i := range union {
		union[i].Nullable = union[i].Nullable || count[i] < len(parts)
	}
	return union, problems
}

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Kind names a fault of a file of a dataset.
type Kind string

// The kinds of problems.
const (
	Unreadable Kind = "unreadable" // the operating system refuses it
	Truncated  Kind = "truncated"  // no complete Parquet file
	Damaged    Kind = "damaged"    // a Parquet file whose content contradicts itself or its checksums
	Foreign    Kind = "foreign"    // a Parquet file that this package did not write
	Conflict   Kind = "conflict"   // its columns contradict those of the other parts
	Overlap    Kind = "overlap"    // two merged parts hold rows of the same source
	// Disagreement: it answers a record otherwise than another, or than itself.
	Disagreement Kind = "contradicted"
	Leftover     Kind = "leftover" // harmless: merged into another part but not removed
)

// Problem is one file that a scan cannot use, or should not find.
type Problem struct {
	Path string
	Kind Kind
	Err  error
}

func (p *Problem) Error() string {
	return fmt.Sprintf("store: %s is %s: %v (%s)", p.Path, p.Kind, p.Err, p.Remedy())
}

func (p *Problem) Unwrap() error { return p.Err }

// gone reports whether another process has removed the file since it was listed. On NFS a removed file that is open has a stale handle.
func (p *Problem) gone() bool {
	return errors.Is(p.Err, fs.ErrNotExist) || errors.Is(p.Err, syscall.ESTALE)
}

// Remedy is a sentence on how to mend the file.
func (p *Problem) Remedy() string {
	switch p.Kind {
	case Unreadable:
		if errors.Is(p.Err, fs.ErrPermission) {
			return "make it readable"
		}
		if errors.Is(p.Err, ErrNotRegular) {
			return "move it out of the dataset folder"
		}
		return "see the cause, then try again"
	case Foreign:
		return "move it out of the dataset folder"
	case Conflict:
		return "keep runs of different manifests or versions in different folders"
	case Overlap:
		return "move the smaller one out of the dataset folder"
	case Disagreement:
		return "which one is right the rows do not say: move the file of the wrong program out of the dataset folder and run the sweep again, " +
			"which computes its rows anew. Or keep runs of different programs in different folders"
	case Leftover:
		return "merge again, which removes it"
	}
	return "remove it and run the sweep again: schedsweep run computes its rows anew, with --complete those of jobs and series too"
}

// Check reads every value of every Parquet file of the folder and returns the
// problems, by path: files that are cut, damaged or foreign, parts whose columns
// contradict the others', parts that hold rows twice, and the remains of a killed merge.
// Temporaries of running or killed writers are no problem. A dataset without problems
// scans without an error.
func Check(dir string) []*Problem {
	names, err := partFiles(dir)
	if err != nil {
		return []*Problem{{dir, Unreadable, err}}
	}
	var problems []*Problem
	var all []*part
	for _, name := range names {
		p, problem := checkPart(filepath.Join(dir, name))
		if problem != nil {
			problems = append(problems, problem)
			continue
		}
		all = append(all, p)
	}
	live, replaced, overlaps := withoutReplaced(all)
	problems = append(problems, overlaps...)
	for _, p := range replaced {
		problems = append(problems, &Problem{p.path, Leftover, errors.New("another part was merged from it")})
	}
	_, conflicts := unionSchema(live)
	problems = append(problems, conflicts...)
	slices.SortStableFunc(problems, func(a, b *Problem) int { return strings.Compare(a.Path, b.Path) })
	return problems
}

func checkPart(path string) (*part, *Problem) {
	p, problem := readFooter(path)
	if problem != nil {
		return nil, problem
	}
	if err := eachGroup(p, p.schema, func(*Table, int) error { return nil }); errors.As(err, &problem) {
		return nil, problem
	}
	return p, nil
}

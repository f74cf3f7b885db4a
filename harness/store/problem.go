package store

import (
	"errors"
	"fmt"
	"io/fs"
)

// Kind says what is wrong with a file of a dataset.
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

// Error names the file, the cause, and the remedy.
func (p *Problem) Error() string {
	return fmt.Sprintf("store: %s is %s: %v (%s)", p.Path, p.Kind, p.Err, p.Remedy())
}

func (p *Problem) Unwrap() error { return p.Err }

// Remedy says what to do about the file.
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
		return "which one is right the rows do not say: move the file of the wrong program out of the dataset folder and run the sweep again, which computes its rows anew, or keep runs of different programs in different folders"
	case Leftover:
		return "merge again, which removes it"
	}
	return "remove it and run the sweep again: schedsweep run computes its rows anew"
}

// Package swf reads and writes job logs in the Standard Workload Format of the
// Parallel Workloads Archive: header lines that begin with a semicolon, then one
// line of 18 numbers for each job (D. G. Feitelson, D. Tsafrir, D. Krakov,
// "Experience with using the Parallel Workloads Archive", JPDC 74, 2014).
//
// Work goes in two steps. [Parse] turns the bytes into a [Log], which holds the log field by field, and changes
// nothing. [Log.Prepare] turns a log into jobs that can be simulated: the [Rules] say which field gives the size and
// the walltime, and what becomes of jobs that cannot have run as written. A [Report] counts each such job and keeps
// its line. A log is parsed once and shared: it does not change, and what Prepare derives from it is kept for the
// next caller.
//
// The package opens no files, knows nothing of simulations and can be used
// alone. It does not clean logs of flurries or other unusual activity; for that
// the archive publishes cleaned versions.
package swf

import (
	"fmt"
	"slices"
	"sync"

	"schedsweep/sim"
)

// Log is a parsed log. It does not change and may be shared freely.
type Log struct {
	// Name is the name of the log when it was parsed; for messages.
	Name string
	// Header is the content of the comment lines.
	Header Header
	// Names are the names behind numbers in the records.
	Names sim.Names

	records  [][]Record // in blocks, for logs are long
	extras   []Extra    // of each record; nil where the log has none
	size     int        // of them together
	waits    bool       // some are known
	distinct bool       // job numbers ascend in the file
	invalid  error      // the first line that cannot be read, nil if there is none
	short    Finding
	notWhole Finding
	unsorted Finding
	parts    Finding   // of whole jobs
	loose    Finding   // parts without the line of the whole job
	joined   Finding   // with such a part
	found    []Finding // by the reader of the format
	notes    []string  // other remarks
	// fromEpoch are submit times that counted from 1970.
	fromEpoch Finding
	more      func() ([]Record, error) // of a growing log

	mu       sync.Mutex
	prepared map[Rules]*Prepared
	divided  []*Partitions
	inUse    []int32 // partitions that have jobs; nil before they are sought
}

// Records returns a copy of the jobs in order of submission; equal times in order
// of the file.
func (l *Log) Records() []Record { return slices.Concat(l.records...) }

// At is the record at a position of [Log.Records]. It is not to be changed.
func (l *Log) At(i int) *Record {
	if len(l.records) == 1 {
		return &l.records[0][i]
	}
	return &l.records[i/recordBlock][i%recordBlock]
}

// Extra returns the log's further fields of the record at a position.
func (l *Log) Extra(i int) Extra {
	if l.extras == nil {
		return noExtra
	}
	return l.extras[i]
}

// Waits reports whether any wait time (field 3) is known and above 0.
func (l *Log) Waits() bool { return l.waits }

// Invalid returns the error of the first line that cannot be read: nil where all can.
func (l *Log) Invalid() error { return l.invalid }

// most is the number of results that are kept for later calls.
const most = 16

// keep keeps a result beside others, and replaces them where these are too many.
func keep[K comparable, V any](in *map[K]V, key K, v V) {
	if *in == nil || len(*in) == most {
		*in = map[K]V{}
	}
	(*in)[key] = v
}

// Builder makes a log of records that come from another format.
type Builder struct{ p parser }

func NewBuilder(name string) *Builder {
	return &Builder{parser{log: &Log{Name: name, distinct: true}}}
}

// Add takes in a job; its Line is its line in the file.
func (b *Builder) Add(r *Record, x *Extra) {
	*b.p.next() = *r
	b.p.log.extras = append(b.p.log.extras, *x)
	b.p.added(r)
}

// Found counts trouble that has nothing to do with the rules of [Log.Prepare]:
// what of it there is comes first in the report.
func (b *Builder) Found(kind string, action Action, why string, line int) {
	b.p.log.count(kind, action, why, line)
}

// Unread is Found of a value in the line that cannot be read.
func (b *Builder) Unread(kind string, action Action, why string, line int, value string) {
	if f := b.p.log.count(kind, action, why, line); len(f.Values) < len(f.Lines) {
		f.Values = append(f.Values, value)
	}
}

// count counts trouble of one kind, and returns it.
func (l *Log) count(kind string, action Action, why string, line int) *Finding {
	i := slices.IndexFunc(l.found, func(f Finding) bool { return f.Kind == kind && f.Why == why })
	if i < 0 {
		i = len(l.found)
		l.found = append(l.found, Finding{Kind: kind, Action: action, Why: why})
	}
	l.found[i].Add(line)
	return &l.found[i]
}

// Finish returns the log, whose time 0 is start, in the unit of the submit times
// that were added. Notes go into the report.
func (b *Builder) Finish(start float64, h Header, names sim.Names, notes []string) (*Log, error) {
	l := b.p.log
	l.Header, l.Names, l.notes = h, names, notes
	switch {
	case b.p.last == nil && len(l.found) == 0:
		return nil, fmt.Errorf("%s: the table has columns and no rows: export it again, or name another file", l.Name)
	case b.p.last == nil:
		return nil, fmt.Errorf("%s: none of its rows is a job:\n%s", l.Name, newHygiene(l, Rules{}.resolved(l)).text())
	}
	l.records = append(l.records, b.p.last)
	for i := range l.size {
		l.At(i).Submit -= start
	}
	l.sort()
	return l, nil
}

// First is the earliest submit time that was added; ok is false where none was.
func (b *Builder) First() (first float64, ok bool) { return b.p.first, b.p.log.size > 0 }

package swf

import "fmt"

// Builder makes a log of records that come from another format.
type Builder struct{ p parser }

// NewBuilder returns a builder for a log of that name.
func NewBuilder(name string) *Builder {
	return &Builder{parser{log: &Log{Name: name, distinct: true}}}
}

// Add takes in a job; its Line says where it stands.
func (b *Builder) Add(r *Record, x *Extra) {
	*b.p.next() = *r
	b.p.log.extras = append(b.p.log.extras, *x)
	b.p.added(r)
}

// Found counts trouble that has nothing to do with the rules of [Log.Prepare]:
// what of it there is stands first in the report.
func (b *Builder) Found(kind string, action Action, why string, line int) {
	all := b.p.log.found
	for i := range all {
		if all[i].Kind == kind && all[i].Why == why {
			all[i].Add(line)
			return
		}
	}
	f := Finding{Kind: kind, Action: action, Why: why}
	f.Add(line)
	b.p.log.found = append(all, f)
}

// Finish returns the log, whose time 0 is start, in the unit of the submit times
// that were added. Notes go into the report.
func (b *Builder) Finish(start float64, h Header, names Names, notes []string) (*Log, error) {
	l := b.p.log
	l.Header, l.Names, l.notes = h, names, notes
	if b.p.last == nil {
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

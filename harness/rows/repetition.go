package rows

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// WithRepetitions calls fn with what makes a comparison with each dataset beside instances that holds rows.
func WithRepetitions(dir string, fn func(fresh func() []*Repetition) error) error {
	return withRepetitions(dir, beside, func() []*Repetition { return nil }, fn)
}

func withRepetitions(dir string, of []Dataset, before func() []*Repetition, fn func(fresh func() []*Repetition) error) error {
	if len(of) == 0 {
		return fn(before)
	}
	return setsOf(dir, of[0], nil, func(sets *store.Sets) error {
		fresh := before
		if sets.Len() > 0 {
			fresh = func() []*Repetition { return append(before(), newRepetition(dir, of[0], sets)) }
		}
		return withRepetitions(dir, of[1:], fresh, fn)
	})
}

// Repetition compares the rows that an instance gives now with its set in a dataset, row by row as they come. So it holds at most a
// table of the set.
type Repetition struct {
	*Recording // of the instance run again
	dataset    Dataset
	dir        string
	sets       *store.Sets
	columns    []string // that set and rows have

	next func() (rowOfSet, bool) // nil where the instance has no set
	stop func()
	n    int // rows compared
	diff *Difference
	err  error
}

type rowOfSet struct {
	table *store.Table
	i     int
}

func newRepetition(dir string, d Dataset, sets *store.Sets) *Repetition {
	p := &Repetition{dataset: d, dir: filepath.Join(dir, d.Name), sets: sets}
	for _, c := range sets.Schema() {
		if d.Columns.Index(c.Name) >= 0 {
			p.columns = append(p.columns, c.Name)
		}
	}
	p.Recording = d.Record(p)
	return p
}

// Begin opens the set of the instance, if there is one.
func (p *Repetition) Begin(inst *sweep.Instance) {
	p.next, p.n, p.diff, p.err = nil, 0, nil, nil
	if set, ok := p.sets.Find(inst.ID.String()); ok {
		p.next, p.stop = iter.Pull(p.rows(set))
	}
}

var errEnough = errors.New("enough rows")

func (p *Repetition) rows(set int) iter.Seq[rowOfSet] {
	return func(yield func(rowOfSet) bool) {
		err := p.sets.Each([]int{set}, func(t *store.Table) error {
			for i := range t.Rows {
				if !yield(rowOfSet{t, i}) {
					return errEnough
				}
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			p.err = err
		}
	}
}

func (p *Repetition) Append(row *store.Row) error {
	if p.next == nil || p.diff != nil || p.err != nil {
		return nil
	}
	was, ok := p.next()
	p.n++
	switch {
	case p.err != nil:
	case !ok:
		p.differs("its rows", fmt.Sprint(p.n-1), "more")
	default:
		if d := was.table.Differs(was.i, row, p.columns); d != nil {
			p.differs(fmt.Sprintf("%s of row %d", d.Column, p.n), d.A, d.B)
		}
	}
	return nil
}

func (p *Repetition) differs(what, was, now string) {
	p.diff = &Difference{Column: what + " in " + p.dataset.Name, Row: was, Now: now, Part: p.dir}
}

// End returns the difference in the set of an instance that has an answer.
func (p *Repetition) End() (*Difference, error) {
	if p.next == nil {
		return nil, nil
	}
	defer p.stop()
	if p.diff == nil && p.err == nil {
		if _, more := p.next(); more {
			p.differs("its rows", "more", fmt.Sprint(p.n))
		}
	}
	return p.diff, p.err
}

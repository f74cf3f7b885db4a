package harness

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// withAllSets calls fn with the sets of each of the datasets.
func withAllSets(dir string, of []dataset, fn func([]*store.Sets) error) error {
	if len(of) == 0 {
		return fn(nil)
	}
	return setsOf(dir, of[0], nil, func(first *store.Sets) error {
		return withAllSets(dir, of[1:], func(rest []*store.Sets) error { return fn(append([]*store.Sets{first}, rest...)) })
	})
}

// repetition compares the rows that an instance gives now with its set in a dataset, row
// by row as they come, so that it holds a table of the set at most.
type repetition struct {
	dataset dataset
	dir     string
	sets    *store.Sets
	columns []string // that set and rows have
	watch   sim.Observer

	next func() (rowOfSet, bool) // nil where the instance has no set
	stop func()
	n    int // rows compared
	diff *Difference
	err  error
}

// rowOfSet is row i of a table.
type rowOfSet struct {
	table *store.Table
	i     int
}

func newRepetition(dir string, d dataset, sets *store.Sets) *repetition {
	p := &repetition{dataset: d, dir: filepath.Join(dir, d.name), sets: sets}
	for _, c := range sets.Schema() {
		if d.schema.Index(c.Name) >= 0 {
			p.columns = append(p.columns, c.Name)
		}
	}
	p.watch = d.observer(newTable(p, d.schema))
	return p
}

// begin opens the set of the instance, if there is one.
func (p *repetition) begin(inst *sweep.Instance) {
	p.next, p.n, p.diff, p.err = nil, 0, nil, nil
	if set, ok := p.sets.Find(inst.ID.String()); ok {
		p.next, p.stop = iter.Pull(p.rows(set))
	}
}

var errEnough = errors.New("enough rows")

func (p *repetition) rows(set int) iter.Seq[rowOfSet] {
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

// Append compares the next row.
func (p *repetition) Append(row *store.Row) error {
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

func (p *repetition) differs(what, was, now string) {
	p.diff = &Difference{Column: what + " in " + p.dataset.name, Row: was, Now: now, Part: p.dir}
}

// end tells what differs in the set of an instance that has an answer.
func (p *repetition) end() (*Difference, error) {
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

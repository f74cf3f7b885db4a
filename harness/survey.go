package harness

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
)

// doneRow is what a run needs to know of a row that is there.
type doneRow struct {
	outcome   Outcome
	ok        bool
	wall      float64 // s
	unclassed bool    // it is without a class of the manifest
}

// doneRows are the rows that the folder holds, by instance.
type doneRows struct {
	n                    int
	superseded, repeated int // see [Holding]
	find                 func(sweep.ID) (row doneRow, there bool)
}

// readDone reads what the folder holds, which need not exist. It takes about 40 bytes a row.
func readDone(dir string, classes []manifest.Class, records store.Records) (done doneRows, err error) {
	none := doneRows{find: func(sweep.ID) (doneRow, bool) { return doneRow{}, false }}
	folder := filepath.Join(dir, InstancesDir)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	err = store.WithIndex(folder, records, func(x *store.Index) error {
		if done = none; x.Len() == 0 {
			return nil
		}
		t, err := x.Read([]string{"outcome", "wall_time"}, store.AllRows(x.Len()))
		if err != nil {
			return err
		}
		unclassed, err := unclassedRows(x, classes)
		if err != nil {
			return err
		}
		done = doneRows{x.Len(), x.Superseded, x.Repeated, func(id sweep.ID) (doneRow, bool) {
			record, there := x.Find(id.String())
			if !there {
				return doneRow{}, false
			}
			wall, _ := t.Columns[1].Float(record)
			return doneRow{Outcome(t.Columns[0].Text(record)), x.Answered(record), wall, unclassed(record)}, true
		}}
		return nil
	})
	return done, err
}

// found is what the folder holds of an instance.
type found uint8

const (
	noRow found = iota
	answered
	unanswered // its outcome is not ok
	incomplete // answered, without its rows in a dataset that is asked for
)

// skip tells whether the instance at a position needs not run (again).
func (p *pool) skip(at int) bool {
	return p.known > 0 && (p.found[at] == answered || p.found[at] == unanswered && !p.cfg.Retry || p.found[at] == incomplete && !p.cfg.Complete)
}

// survey finds the instances of the plan among the rows.
func (p *pool) survey(rows doneRows) {
	n := p.plan.Len()
	p.costs = costTable{Instances: n}
	if rows.n == 0 {
		return
	}
	p.found = make([]found, n)
	p.costs.Done = make([]byte, (n+7)/8)
	total, longest, here := 0.0, 0.0, 0 // of the point
	answers := 0
	for i, inst := range p.plan.All() {
		if inst.Replication == 0 {
			total, longest, here = 0, 0, 0
		}
		if row, ok := rows.find(inst.ID); ok {
			p.known++
			p.found[i] = unanswered
			if row.ok {
				p.found[i] = answered
				answers++
				if p.lacks(i, inst.ID, row) {
					p.found[i] = incomplete
				}
			}
			if p.skip(i) {
				p.costs.Done[i/8] |= 1 << (i % 8)
			}
			total += row.wall
			longest = max(longest, row.wall)
			here++
		}
		if inst.Replication == inst.Replications-1 && here > 0 {
			p.costs.Points = append(p.costs.Points, i-inst.Replication)
			p.costs.Seconds = append(p.costs.Seconds, total/float64(here))
			p.costs.longest = append(p.costs.longest, float32(longest))
		}
	}
	p.noteLacking(answers)
	if p.cfg.Shards == 1 {
		p.tally.Foreign = rows.n - p.known
	}
}

// count counts the shard's instances, and which of them have their rows.
func (p *pool) count() {
	p.tally.Planned = p.share.Len()
	for k := range p.share.Len() {
		if at := p.share.At(k); p.skip(at) {
			p.tally.Existing++
			if p.found[at] == unanswered {
				p.tally.Unanswered++
			}
		}
	}
}

package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// sink takes what a run writes: rows of instances, and with each its sets of the
// other datasets. Whatever happens, an instance whose row is on disk has its sets
// there, for these are written first; and what one part of another dataset holds
// belongs to rows that are written together, so that after a kill all its sets count
// or none does.
type sink struct {
	rows     *store.Writer
	datasets []dataset
	sides    [][]*store.Writer // of each dataset the first, and one for each worker
	sets     []*store.Sets     // of each dataset what the folder had before

	// commits read-lock it, a flush locks it: it comes between instances.
	window sync.RWMutex
}

// output is a worker's way into the sink.
type output struct {
	sink      *sink
	batches   []*store.Batch
	tables    []*table
	observers []sim.Observer
}

// output makes a worker's.
func (s *sink) output() *output {
	s.window.Lock()
	defer s.window.Unlock()
	o := &output{sink: s}
	for i, d := range s.datasets {
		w := s.sides[i][0].Beside()
		s.sides[i] = append(s.sides[i], w)
		b := w.NewBatch()
		t := newTable(b, d.schema)
		o.batches, o.tables, o.observers = append(o.batches, b), append(o.tables, t), append(o.observers, d.observer(t))
	}
	return o
}

// commit writes an instance's row, and its sets if it has an answer.
func (o *output) commit(row *store.Row, id sweep.ID, answered bool) error {
	defer o.discard()
	o.sink.window.RLock()
	err := o.give(row, id, answered)
	full := o.sink.rows.Full()
	o.sink.window.RUnlock()
	if err == nil && full {
		err = o.sink.flush(true)
	}
	return err
}

func (o *output) give(row *store.Row, id sweep.ID, answered bool) error {
	if answered {
		for i, b := range o.batches {
			if _, there := o.sink.sets[i].Find(id.String()); there {
				continue // another lacked
			}
			if err := b.Commit(); err != nil {
				return err
			}
		}
	}
	return o.sink.rows.Append(row)
}

// take adds rows that another process sent. That they could not be kept is told, as
// where they are made, by the commit.
func (o *output) take(p piece) (err error) {
	if p.Dataset < 0 || p.Dataset >= len(o.tables) {
		return fmt.Errorf("rows of dataset %d, of %d", p.Dataset, len(o.tables))
	}
	t := o.tables[p.Dataset]
	for rest := p.Rows; len(rest) > 0 && err == nil && t.err == nil; {
		t.append(func(r *store.Row) { rest, err = r.FromBytes(rest) })
	}
	return err
}

// discard gives up what the worker has of an instance.
func (o *output) discard() {
	for i, b := range o.batches {
		b.Discard()
		o.tables[i].err = nil
	}
}

// flush makes safe what was committed; ifFull says that another may have done so.
func (s *sink) flush(ifFull bool) error {
	s.window.Lock()
	defer s.window.Unlock()
	if ifFull && !s.rows.Full() {
		return nil
	}
	var g errgroup.Group
	for _, writers := range s.sides {
		g.Go(func() error { return store.FlushTogether(writers) })
	}
	if err := g.Wait(); err != nil {
		return err // rows whose sets are not on disk must not be there either
	}
	return s.rows.Flush()
}

// close makes all safe and ends the writing.
func (s *sink) close() error {
	if err := s.flush(false); err != nil {
		return err
	}
	return s.rows.Close()
}

// lookAtDatasets finds which instances have their rows in the datasets that the
// manifest asks for.
func (p *pool) lookAtDatasets(rows doneRows) error {
	counts := func(id string) bool {
		parsed, err := sweep.ParseID(id)
		row, _ := rows.find(parsed)
		return err == nil && row.ok
	}
	p.asked = asked(p.cfg.Manifest)
	for _, d := range p.asked {
		err := setsOf(p.cfg.Dir, d, counts, func(s *store.Sets) error {
			p.sets = append(p.sets, s)
			return nil
		})
		if err != nil {
			return err
		}
	}
	p.lacking = make([][]int, len(p.asked))
	return nil
}

// lacks tells whether the answered instance at a position has no rows in a dataset
// that is asked for, or not the classes of the manifest, and notes it.
func (p *pool) lacks(at int, id sweep.ID, row doneRow) bool {
	lacks := row.unclassed
	if lacks {
		p.unclassed = append(p.unclassed, at)
	}
	for k, s := range p.sets {
		if _, ok := s.Find(id.String()); !ok {
			p.lacking[k] = append(p.lacking[k], at)
			lacks = true
		}
	}
	return lacks
}

// noteLacking says which instances have no rows where they are not run again.
func (p *pool) noteLacking(answers int) {
	for k, numbers := range p.lacking {
		if len(numbers) > 0 && !p.cfg.Complete {
			p.cfg.Note(missing(p.asked[k].name, numbers, answers))
		}
	}
	if note := missingClasses(p.unclassed, answers); note != "" && !p.cfg.Complete {
		p.cfg.Note(note)
	}
	p.lacking, p.unclassed = nil, nil
}

// open opens the datasets for writing, and takes away what killed processes left
// in them that does not count.
func (p *pool) open(known Provenance, began time.Time, unlocked bool) (*sink, error) {
	dirs := []string{filepath.Join(p.cfg.Dir, InstancesDir)}
	for _, d := range p.asked {
		dirs = append(dirs, filepath.Join(p.cfg.Dir, d.name))
	}
	host, _ := os.Hostname() // only makes the attempt's name unique; empty will do
	attempt, err := store.NewAttempt(began, host+"-"+strconv.Itoa(os.Getpid()), dirs...)
	if err != nil {
		return nil, err
	}
	known.Runs = nil
	folder, err := json.Marshal(known)
	if err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	run, err := p.record.footer()
	if err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	meta := FileMeta(p.cfg.Manifest, p.cfg.Program)
	meta[metaProvenance], meta[metaRun] = string(folder), run
	opt := store.Options{Dir: dirs[0], Shard: shardName(p.cfg), Attempt: attempt, Schema: p.layout.schema, Meta: meta, Unlocked: unlocked, Held: true}
	s := &sink{datasets: p.asked, sets: p.sets}
	if s.rows, err = store.NewWriter(opt); err != nil {
		return nil, err
	}
	for i, d := range p.asked {
		if !unlocked {
			if err := p.sets[i].ClearEnded(opt.Shard, attempt); err != nil {
				return nil, err
			}
		}
		opt.Dir, opt.Schema, opt.Held = filepath.Join(p.cfg.Dir, d.name), d.schema, false
		w, err := store.NewWriter(opt)
		if err != nil {
			return nil, err
		}
		s.sides = append(s.sides, []*store.Writer{w})
	}
	return s, nil
}

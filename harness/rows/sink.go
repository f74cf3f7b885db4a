package rows

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// Sink takes the output of a run: rows of instances, and with each row its sets of the other datasets. Also after a
// crash, an instance whose row is on disk has its sets there, for these are written first. The sets in one part of
// another dataset belong to rows that are written together. So after a kill all sets of a part count, or none does.
type Sink struct {
	Rows     *store.Writer
	datasets []Dataset
	sides    [][]*store.Writer // of each dataset the first, and one for each worker
	sets     []*store.Sets     // the earlier contents of each dataset

	// commits read-lock it, a flush locks it: it comes between instances.
	window sync.RWMutex
}

// Output is a worker's way into the sink.
type Output struct {
	sink      *Sink
	batches   []*store.Batch
	records   []*Recording
	Observers []sim.Observer
}

// NewOutput makes a worker's.
func (s *Sink) NewOutput() *Output {
	s.window.Lock()
	defer s.window.Unlock()
	o := &Output{sink: s}
	for i, d := range s.datasets {
		w := s.sides[i][0].Beside()
		s.sides[i] = append(s.sides[i], w)
		b := w.NewBatch()
		r := d.Record(b)
		o.batches, o.records, o.Observers = append(o.batches, b), append(o.records, r), append(o.Observers, r.Observer)
	}
	return o
}

// Commit writes an instance's row, and its sets if it has an answer.
func (o *Output) Commit(row *store.Row, id sweep.ID, answered bool) error {
	defer o.Discard()
	o.sink.window.RLock()
	err := o.give(row, id, answered)
	full := o.sink.Rows.Full()
	o.sink.window.RUnlock()
	if err == nil && full {
		err = o.sink.Flush(true)
	}
	return err
}

func (o *Output) give(row *store.Row, id sweep.ID, answered bool) error {
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
	return o.sink.Rows.Append(row)
}

// Take adds rows of a dataset that another process sent. The commit reports that they could not be kept, as where they
// are made.
func (o *Output) Take(dataset int, rows [][]store.Cell) (err error) {
	if dataset < 0 || dataset >= len(o.records) {
		return fmt.Errorf("rows of dataset %d, of %d", dataset, len(o.records))
	}
	for _, row := range rows {
		o.records[dataset].table.append(func(r *store.Row) { err = errors.Join(err, r.SetCells(row)) })
	}
	return err
}

// Discard drops the worker's rows of an instance.
func (o *Output) Discard() {
	for i, b := range o.batches {
		b.Discard()
		o.records[i].table.err = nil
	}
}

// Flush writes the committed rows and sets to disk. ifFull says that another caller may have done so: then it
// does nothing unless the buffer of rows is full.
func (s *Sink) Flush(ifFull bool) error {
	s.window.Lock()
	defer s.window.Unlock()
	if ifFull && !s.Rows.Full() {
		return nil
	}
	var g errgroup.Group
	for _, writers := range s.sides {
		g.Go(func() error { return store.FlushTogether(writers) })
	}
	if err := g.Wait(); err != nil {
		return err // rows whose sets are not on disk must not be there either
	}
	return s.Rows.Flush()
}

// Close makes all safe and ends the writing.
func (s *Sink) Close() error {
	if err := s.Flush(false); err != nil {
		return err
	}
	return s.Rows.Close()
}

// SinkOptions are the place and the contents of a sink.
type SinkOptions struct {
	Dir      string // of the run
	Shard    string // its name
	Layout   *Layout
	Wanted   *Wanted
	Meta     map[string]string
	Began    time.Time
	Unlocked bool // the shard
}

// OpenSink opens the datasets for writing, and removes what killed runs of this folder left in them and does not count.
func OpenSink(of SinkOptions) (*Sink, error) {
	dirs := []string{filepath.Join(of.Dir, folder.Instances)}
	for _, d := range of.Wanted.datasets {
		dirs = append(dirs, filepath.Join(of.Dir, d.Name))
	}
	host, _ := os.Hostname() // only makes the attempt's name unique; empty will do
	attempt, err := store.NewAttempt(of.Began, host+"-"+strconv.Itoa(os.Getpid()), dirs...)
	if err != nil {
		return nil, err
	}
	opt := store.Options{Dir: dirs[0], Shard: of.Shard, Attempt: attempt, Schema: of.Layout.schema, Meta: of.Meta, Unlocked: of.Unlocked,
		Held: true}
	s := &Sink{datasets: of.Wanted.datasets, sets: of.Wanted.sets}
	if s.Rows, err = store.NewWriter(opt); err != nil {
		return nil, err
	}
	ours := folder.Wrote(of.Dir)
	for i, d := range of.Wanted.datasets {
		if !of.Unlocked {
			if err := s.sets[i].ClearEnded(opt.Shard, attempt, ours); err != nil {
				return nil, err
			}
		}
		opt.Dir, opt.Schema, opt.Held = dirs[i+1], d.Columns, false
		w, err := store.NewWriter(opt)
		if err != nil {
			return nil, err
		}
		s.sides = append(s.sides, []*store.Writer{w})
	}
	return s, nil
}

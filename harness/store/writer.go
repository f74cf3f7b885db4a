package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// DefaultRowsPerPart is one row group.
const DefaultRowsPerPart = 65_536

// Options are the rows of a Writer and their place.
type Options struct {
	Dir      string            // dataset folder, such as RUN/instances; made when missing
	Shard    string            // "i-of-n"; the zero value is "0-of-1"
	Attempt  string            // unique to this process: see NewAttempt
	Schema   Schema            // columns of the rows
	Meta     map[string]string // provenance, written to the footer of every part
	Unlocked bool              // no lock keeps others out of the shard: see LockShard
	Held     bool              // Append writes no part: Flush does, and Full tells when it should

	rowsPerPart int        // rows after which a part is written; 0 is DefaultRowsPerPart
	files       fileSystem // nil is the operating system
}

func (o *Options) complete() error {
	o.Shard = cmp.Or(o.Shard, "0-of-1")
	o.rowsPerPart = cmp.Or(o.rowsPerPart, DefaultRowsPerPart)
	o.files = cmp.Or[fileSystem](o.files, osFiles{})
	return errors.Join(checkShard(o.Shard), checkAttempt(o.Attempt), checkMeta(o.Meta), o.Schema.Validate())
}

// Writer appends rows to a dataset as part files. It is safe for concurrent
// use; Append blocks while a part is being written.
type Writer struct {
	mu     sync.Mutex
	opt    Options
	buf    *columnBuffers
	fullAt int           // rows at which the next part is written
	textAt int           // bytes of text at which it is
	seq    *atomic.Int64 // of the next part, shared with the writers beside this one
	closed bool
}

// NewWriter makes the dataset folder when it is missing, proves that it can be
// written, and removes the temporaries that older attempts of the same shard
// left when they were killed. Unlocked it removes none, for they may be of an
// attempt that is running.
func NewWriter(opt Options) (*Writer, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	opt.Schema = slices.Clone(opt.Schema)
	w := &Writer{opt: opt, buf: newColumnBuffers(opt.Schema), fullAt: opt.rowsPerPart, textAt: maxBufferedText, seq: new(atomic.Int64)}
	if err := prepareDir(opt.files, opt.Dir, probeName(opt.Shard, opt.Attempt)); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("store: listing %s: %w", opt.Dir, err)
	}
	for _, e := range entries {
		if shard, attempt, seq, ok := parsePartName(e.Name()); ok && shard == opt.Shard && attempt == opt.Attempt {
			w.seq.Store(max(w.seq.Load(), int64(seq)+1))
		}
		final, ok := finalName(e.Name())
		if !ok {
			continue
		}
		shard, attempt, _, ok := parsePartName(final)
		if probed, found := strings.CutPrefix(final, probeName(opt.Shard, "")); found {
			shard, attempt, ok = opt.Shard, probed, true
		}
		if ok && !opt.Unlocked && shard == opt.Shard && (segment{Attempt: attempt}).compare(segment{Attempt: opt.Attempt}) < 0 {
			path := filepath.Join(opt.Dir, e.Name())
			if err := opt.files.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("store: removing the leftover %s of a killed attempt: %w", path, err)
			}
		}
	}
	return w, nil
}

// Beside returns another writer of the same attempt, which fills parts of its own:
// several that write at once do not wait for one another.
func (w *Writer) Beside() *Writer {
	return &Writer{opt: w.opt, buf: newColumnBuffers(w.opt.Schema), fullAt: w.opt.rowsPerPart, textAt: maxBufferedText, seq: w.seq}
}

// FlushTogether is Flush of writers beside one another, all at once. Writers that hold
// little share a part.
func FlushTogether(writers []*Writer) error {
	var g errgroup.Group
	var first *Writer
	for _, w := range writers {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case w.buf.rows > w.opt.rowsPerPart/8, first != nil && first.buf.text+w.buf.text > maxBufferedText:
			g.Go(w.writePart)
		case first == nil:
			first = w
		default:
			first.buf.appendAll(w.buf)
			w.buf.reset()
		}
	}
	if first != nil {
		g.Go(first.writePart)
	}
	return g.Wait()
}

func (w *Writer) NewRow() *Row { return w.opt.Schema.NewRow() }

// Append copies the row into the buffer and writes a part when the buffer is
// full. A *RowError means that this row was refused and is not in the buffer.
// Any other error means that the part could not be written: this row and all
// before it stay buffered, and Flush, Close or a later Append tries again; do
// not append the row again.
func (w *Writer) Append(row *Row) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return &RowError{Dir: w.opt.Dir, Err: errClosed}
	}
	if err := w.buf.accept(row); err != nil {
		return &RowError{Dir: w.opt.Dir, Err: err}
	}
	w.buf.append(row)
	return w.writeFull()
}

// writeFull writes a part where one is due and may be written now.
func (w *Writer) writeFull() error {
	if w.opt.Held || !w.full() {
		return nil
	}
	return w.writePart()
}

func (w *Writer) full() bool { return w.buf.rows >= w.fullAt || w.buf.text >= w.textAt }

func (w *Writer) Full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.full()
}

type RowError struct {
	Dir string // dataset folder
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row for %s refused: %v", e.Dir, e.Err) }

func (e *RowError) Unwrap() error { return e.Err }

var (
	errClosed = errors.New("store: writer is closed")
	errExists = fmt.Errorf("part exists already: %w", fs.ErrExist)
)

// Flush writes the buffered rows as a complete part, and writes nothing if no rows are buffered. After an error
// the rows stay buffered.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writePart()
}

// Close flushes. After an error the rows stay buffered and Close may be called
// again; once it has succeeded, further calls do nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.writePart(); err != nil {
		return err
	}
	w.closed = true
	return nil
}

func (w *Writer) writePart() error {
	if w.buf.rows == 0 {
		return nil
	}
	if err := w.writeTo(w.nextPart()); err != nil {
		// Wait for more rows before the next try, so that a full disk costs one
		// failed part now and then and not one a row. The next try takes another
		// name: perhaps the temporary file of this one cannot be removed.
		w.fullAt, w.textAt = w.buf.rows+w.opt.rowsPerPart, w.buf.text+maxBufferedText
		return fmt.Errorf("%w; rows not on disk: %d", err, w.buf.rows)
	}
	w.buf.reset()
	w.fullAt, w.textAt = w.opt.rowsPerPart, maxBufferedText
	return nil
}

func (w *Writer) nextPart() (seq int, path string) {
	seq = int(w.seq.Add(1)) - 1
	return seq, filepath.Join(w.opt.Dir, partName(w.opt.Shard, w.opt.Attempt, seq))
}

// createPart begins a part file. It makes no folder: one that is gone may be a disk that is gone, with all earlier parts.
func (w *Writer) createPart(path string, buf *columnBuffers) (*parquetFile, error) {
	if _, err := os.Stat(w.opt.Dir); err != nil {
		return nil, fmt.Errorf("store: writing %s: %w (the folder was there when the run began: bring its disk back, or run the same "+
			"command again)", path, err)
	}
	return createParquet(w.opt.files, path, tempName(filepath.Base(path)), buf)
}

func (w *Writer) writeTo(seq int, path string) error {
	p, err := w.createPart(path, w.buf)
	if err != nil {
		return err
	}
	if err := p.write(w.buf); err != nil {
		return err
	}
	return p.finish(w.footer(seq, w.buf.rows), false)
}

func (w *Writer) footer(seq, rows int) footer {
	return footer{meta: w.opt.Meta, part: newPartID(), segments: []segment{{Shard: w.opt.Shard, Attempt: w.opt.Attempt, Seq: seq, Rows: rows}}}
}

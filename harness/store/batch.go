package store

import (
	"errors"
	"fmt"
)

// Batch collects rows that belong together, such as the jobs of one instance: one
// part holds all of them, one behind the other, or none is there. Memory: a row
// group at most, for a batch that grows beyond it goes into a part of its own. A
// Batch is not safe for concurrent use; several of one Writer are.
type Batch struct {
	w    *Writer
	buf  *columnBuffers
	part *parquetFile // its own, or nil
	seq  int          // of that part
	err  error        // the reason why the batch is lost
}

const maxBatchText = 32 << 20

// NewBatch returns an empty batch.
func (w *Writer) NewBatch() *Batch { return &Batch{w: w, buf: newColumnBuffers(w.opt.Schema)} }

// Append adds a row. After an error the batch is lost and to be discarded.
func (b *Batch) Append(row *Row) error {
	if b.err != nil {
		return b.err
	}
	if b.err = b.buf.accept(row); b.err != nil {
		b.err = &RowError{Dir: b.w.opt.Dir, Err: b.err}
		return b.err
	}
	b.buf.append(row)
	if b.buf.rows >= DefaultRowsPerPart || b.buf.text >= maxBatchText {
		b.err = b.spill()
	}
	return b.err
}

func (b *Batch) spill() (err error) {
	if b.part == nil {
		var path string
		b.seq, path = b.w.nextPart()
		if b.part, err = b.w.createPart(path, b.buf); err != nil {
			return err
		}
	}
	if err = b.part.write(b.buf); err != nil {
		b.part = nil // gone
	}
	b.buf.reset()
	return err
}

// Commit hands the rows over to the writer, or makes the batch's own part appear,
// and empties the batch. After an error of the writer, which keeps the rows of a
// batch without a part of its own, it is empty too.
func (b *Batch) Commit() error {
	if b.err != nil {
		return b.err
	}
	defer b.Discard()
	if b.part == nil {
		return b.w.appendAll(b.buf)
	}
	if b.buf.rows > 0 {
		if err := b.spill(); err != nil {
			return err
		}
	}
	p := b.part
	b.part = nil
	return p.finish(b.w.footer(b.seq, p.rows), false)
}

// Discard empties the batch.
func (b *Batch) Discard() {
	if b.part != nil {
		b.part.abort()
		b.part = nil
	}
	b.buf.reset()
	b.err = nil
}

func (w *Writer) appendAll(rows *columnBuffers) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	if w.buf.text+rows.text > maxBufferedText {
		if err := w.writePart(); err != nil {
			return errors.Join(err, fmt.Errorf("store: %d more rows had no place", rows.rows))
		}
	}
	w.buf.appendAll(rows)
	return w.writeFull()
}

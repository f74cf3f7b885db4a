package table

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"schedsweep/harness/store"
)

// rowsInMemory is the number of rows that a table holds before they go to a temporary file.
const rowsInMemory = 1000

// Add appends a row. The rows of a long table wait in a temporary file that has no name; an error of it is that of the
// next form that is written.
func (t *Table) Add(r Row) {
	t.Rows = append(t.Rows, r)
	if len(t.Rows) < rowsInMemory || t.err != nil {
		return
	}
	if t.waiting == nil {
		if t.waiting, t.err = newSpill(); t.err != nil {
			return
		}
	}
	for _, r := range t.Rows {
		t.waiting.add(r)
	}
	t.err = t.waiting.buffer.Flush()
	t.Rows = t.Rows[:0]
}

// Each calls fn with every row, in the order in which they were added. The row is valid during the call.
func (t *Table) Each(fn func(*Row) error) error {
	if t.err != nil {
		return fmt.Errorf("table %s: its rows, in a temporary file: %w", t.ID, t.err)
	}
	if t.waiting != nil {
		if err := t.waiting.each(fn); err != nil {
			return err
		}
	}
	for i := range t.Rows {
		if err := fn(&t.Rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// spill is rows in a file: of each the length of the record and it.
type spill struct {
	file   *os.File
	buffer *bufio.Writer
	record []byte
	rows   int
}

func newSpill() (*spill, error) {
	f, err := store.ScratchFile()
	if err != nil {
		return nil, err
	}
	return &spill{file: f, buffer: bufio.NewWriter(f)}, nil
}

func (s *spill) add(r Row) {
	b := binary.AppendUvarint(s.record[:0], uint64(len(r.Cells)))
	for _, c := range r.Cells {
		b = appendText(appendText(append(b, byte(c.Tone)), c.Shown), c.Aside)
		if !c.IsNumber {
			b = appendText(append(b, 0), c.Text)
			continue
		}
		b = append(b, 1, byte(int8(c.Decimals)))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Number))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Per))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Notes)))
	for _, n := range r.Notes {
		b = appendText(b, n)
	}
	s.buffer.Write(binary.AppendUvarint(s.buffer.AvailableBuffer(), uint64(len(b))))
	s.buffer.Write(b)
	s.record = b
	s.rows++
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func (s *spill) each(fn func(*Row) error) error {
	from := bufio.NewReader(io.NewSectionReader(s.file, 0, math.MaxInt64))
	var r Row
	for range s.rows {
		n, err := binary.ReadUvarint(from)
		if err == nil {
			s.record = slices.Grow(s.record[:0], int(n))[:n]
			_, err = io.ReadFull(from, s.record)
		}
		if err != nil {
			return fmt.Errorf("reading rows back from a temporary file: %w", err)
		}
		r.set(s.record)
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (r *Row) set(b []byte) {
	all, at := string(b), 0
	count := func() int {
		n, size := binary.Uvarint(b[at:])
		at += size
		return int(n)
	}
	text := func() string {
		n := count()
		at += n
		return all[at-n : at]
	}
	n := count()
	r.Cells, r.Notes = slices.Grow(r.Cells[:0], n)[:n], r.Notes[:0]
	for i := range r.Cells {
		c := Cell{Tone: Tone(b[at])}
		at++
		c.Shown, c.Aside = text(), text()
		if at++; b[at-1] == 0 {
			c.Text = text()
		} else {
			c.Number, c.IsNumber, c.Decimals = math.Float64frombits(binary.LittleEndian.Uint64(b[at+1:])), true, int(int8(b[at]))
			c.Per = math.Float64frombits(binary.LittleEndian.Uint64(b[at+9:]))
			at += 17
		}
		r.Cells[i] = c
	}
	for range count() {
		r.Notes = append(r.Notes, text())
	}
}

package swf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Writer writes a log line by line. It keeps no more than a buffer.
type Writer struct {
	w   *bufio.Writer // it keeps the first error
	buf []byte
}

// NewWriter writes the header and returns a writer for the records. Times are
// written with as many decimals as they have, which most readers of the format
// accept, and with an exponent where that takes more digits than are read.
func NewWriter(w io.Writer, h *Header) *Writer {
	sw := &Writer{w: bufio.NewWriterSize(w, 1<<16)}
	for _, l := range h.Lines {
		if l != "" {
			l = " " + l
		}
		fmt.Fprintf(sw.w, ";%s\n", l)
	}
	return sw
}

func (w *Writer) Write(r *Record) error {
	b := strconv.AppendInt(w.buf[:0], r.ID, 10)
	number := func(x float64) {
		b = append(b, ' ')
		start := len(b)
		if b = strconv.AppendFloat(b, x, 'f', -1, 64); len(b)-start > longest {
			b = strconv.AppendFloat(b[:start], x, 'e', -1, 64)
		}
	}
	count := func(n int32) {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(n), 10)
	}
	number(r.Submit)
	number(r.Wait)
	number(r.RunTime)
	count(r.Allocated)
	number(r.CPUTime)
	number(r.UsedMemory)
	count(r.Requested)
	number(r.RequestedTime)
	number(r.RequestedMemory)
	count(r.Status)
	count(r.User)
	count(r.Group)
	count(r.Executable)
	count(r.Queue)
	count(r.Partition)
	count(r.Preceding)
	number(r.ThinkTime)
	w.buf = append(b, '\n')
	_, err := w.w.Write(w.buf)
	return err
}

// Flush writes what is still in the buffer. It must be called at the end.
func (w *Writer) Flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("writing an SWF log: %w", err)
	}
	return nil
}

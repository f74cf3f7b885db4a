package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"schedsweep/sweep/text"
)

// visible escapes control characters in all text written to a terminal. Names in manifests, logs, rows and archives may come
// from strangers. It is safe for concurrent use.
type visible struct {
	to   io.Writer
	mu   sync.Mutex
	rest []byte // the begin of a character whose end has not come
}

// Write writes p as [text.Visible] has it.
func (v *visible) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := append(v.rest, p...)
	whole := len(all)
	for back := 1; back < utf8.UTFMax && back <= len(all); back++ {
		if at := len(all) - back; utf8.RuneStart(all[at]) {
			if !utf8.FullRune(all[at:]) {
				whole = at
			}
			break
		}
	}
	_, err := io.WriteString(v.to, text.Visible(string(all[:whole])))
	v.rest = append(v.rest[:0], all[whole:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes the begin of a character whose end never came.
func (v *visible) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.rest) > 0 { // to write nothing, too, waits for the reader of a pipe
		_, _ = io.WriteString(v.to, text.Visible(string(v.rest))) // as other writes to a reader that has left
	}
	v.rest = nil
}

// outlet is the standard output.
type outlet struct {
	to  io.Writer
	mu  sync.Mutex
	cut error // the first error, unless the reader has left
}

// readerGone is the error of a pipe of the standard output that no program reads any more.
type readerGone struct{ error }

// Write passes p on. Errors say that they are the standard output's.
func (o *outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.to.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		return n, readerGone{err}
	}
	if err != nil {
		err = fmt.Errorf("the output could not be written: %w; free space, or write it to another place", err)
		o.cut = cmp.Or(o.cut, err)
	}
	return n, err
}

// raw is the writer behind, for what moves the cursor or has colours: its texts are to be [text.Visible] before.
func raw(w io.Writer) io.Writer {
	if v, ok := w.(*visible); ok {
		return v.to
	}
	return w
}

// device is the file behind all of them, where there is one.
func device(w io.Writer) io.Writer {
	if o, ok := raw(w).(*outlet); ok {
		return o.to
	}
	return raw(w)
}

// dataTo returns the writer of a file that goes to the standard output: as it is, but to a terminal.
func dataTo(w io.Writer) io.Writer {
	if terminal(w) {
		return w
	}
	return raw(w)
}

func terminal(w io.Writer) bool {
	f, ok := device(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

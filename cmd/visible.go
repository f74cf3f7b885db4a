package cmd

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"schedsweep/harness"
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
		return 0, readerGone(err)
	}
	return len(p), nil
}

// readerGone marks the error of a pipe that no program reads. That of a file, on a file system that has lost its server, is none.
func readerGone(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return harness.Mark(err, errReaderGone)
	}
	return err
}

// piped is a standard output that gets data as it is.
type piped struct{ io.Writer }

func (p piped) Write(data []byte) (int, error) {
	n, err := p.Writer.Write(data)
	if err != nil {
		err = readerGone(err)
	}
	return n, err
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

// raw is the writer behind, for what moves the cursor or has colours: its texts are to be [text.Visible] before.
func raw(w io.Writer) io.Writer {
	if v, ok := w.(*visible); ok {
		return v.to
	}
	return w
}

// dataTo returns the writer of a file that goes to the standard output: as it is, but to a terminal.
func dataTo(w io.Writer) io.Writer {
	if terminal(w) {
		return w
	}
	return piped{raw(w)}
}

func terminal(w io.Writer) bool {
	f, ok := raw(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

package logtable

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

const (
	blockSize = 1 << 18
	// maxRow is the length of the longest row in bytes.
	maxRow = 1 << 24
)

// lines are those of a text, plain or compressed by gzip.
type lines struct {
	name  string
	r     io.Reader
	buf   []byte
	begin int // of what is not given out
	end   int
	line  int // number of the line given out last
	eof   bool

	blanks bool   // fields stand between any number of blanks
	single []byte // a line with one blank between them
}

func newLines(name string, r io.Reader) (*lines, error) {
	l := &lines{name: name, r: r, buf: make([]byte, blockSize)}
	if err := l.fill(); err != nil {
		return nil, err
	}
	if head := l.buf[:l.end]; bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(head)), r))
		if err != nil {
			return nil, fmt.Errorf("%s: the gzip data is damaged; fetch the file again: %w", name, err)
		}
		l.r, l.end, l.eof = z, 0, false
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
	if bytes.HasPrefix(l.buf[:l.end], []byte("\xef\xbb\xbf")) {
		l.begin = 3
	}
	return l, nil
}

// fill reads more, behind what is there.
func (l *lines) fill() error {
	if l.begin > 0 {
		l.end = copy(l.buf, l.buf[l.begin:l.end])
		l.begin = 0
	}
	if l.end == len(l.buf) {
		if len(l.buf) >= maxRow {
			return fmt.Errorf("%s:%d: the line is longer than %d bytes; is this a table in lines?", l.name, l.line+1, maxRow)
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for {
		n, err := l.r.Read(l.buf[l.end:])
		if bytes.IndexByte(l.buf[l.end:l.end+n], 0) >= 0 {
			return fmt.Errorf("%s: there are zero bytes after line %d, so this is no text: name its format in the column map, or convert it", l.name, l.line)
		}
		l.end += n
		switch {
		case err == io.EOF:
			l.eof = true
			return nil
		case err != nil:
			return fmt.Errorf("%s: after line %d: %w", l.name, l.line, err)
		case n > 0:
			return nil
		}
	}
}

// next returns the next line without its end, valid until the call after; io.EOF at the end.
func (l *lines) next() ([]byte, error) {
	line, err := l.raw()
	if !l.blanks || err != nil {
		return line, err
	}
	l.single = l.single[:0]
	for field := range bytes.FieldsSeq(line) {
		if len(l.single) > 0 {
			l.single = append(l.single, ' ')
		} else if field[0] == ';' {
			break
		}
		l.single = append(l.single, field...)
	}
	return l.single, nil
}

func (l *lines) raw() ([]byte, error) {
	at := l.begin
	for {
		if i := bytes.IndexByte(l.buf[at:l.end], '\n'); i >= 0 {
			line := l.buf[l.begin : at+i]
			l.begin = at + i + 1
			l.line++
			return bytes.TrimSuffix(line, []byte("\r")), nil
		}
		if l.eof {
			if l.begin == l.end {
				return nil, io.EOF
			}
			line := l.buf[l.begin:l.end]
			l.begin = l.end
			l.line++
			return bytes.TrimSuffix(line, []byte("\r")), nil
		}
		at = l.end - l.begin
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// Package lines reads the text of logs, plain or compressed by gzip, and splits it into lines.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// compressions that are not read, with the first bytes of their files.
var compressions = []struct{ begin, name, remedy string }{
	{"\xfd7zXZ\x00", "xz", "unxz"}, {"BZh", "bzip2", "bunzip2"}, {"\x28\xb5\x2f\xfd", "zstd", "unzstd"}, {"PK\x03\x04", "zip", "unzip"},
}

// Open reads the text of that name: what gzip compressed is unpacked, and the mark that some editors put before UTF-8 left out.
func Open(name string, r io.Reader) (text *bufio.Reader, zipped bool, err error) {
	text = bufio.NewReader(r)
	head, err := text.Peek(2)
	for _, c := range compressions {
		if err != nil || string(head) != c.begin[:2] {
			continue
		}
		if all, _ := text.Peek(len(c.begin)); string(all) == c.begin {
			return nil, false, fmt.Errorf("%s is compressed by %s: decompress it (%s), or compress it by gzip", name, c.name, c.remedy)
		}
	}
	if string(head) == "\x1f\x8b" {
		zipped = true
		var z *gzip.Reader
		if z, err = gzip.NewReader(text); err != nil {
			return nil, true, broken(name, true, 0, err)
		}
		text = bufio.NewReader(z)
	}
	if err == nil {
		head, err = text.Peek(3)
	}
	// A text of fewer bytes just ends. Peek does not keep other errors for later reads.
	if err != nil && err != io.EOF {
		return nil, zipped, broken(name, zipped, 0, err)
	}
	if string(head) == "\xef\xbb\xbf" {
		_, err = text.Discard(len(head))
		return text, zipped, err
	}
	return text, zipped, nil
}

// Format is the longest length of a line, and the parts of messages about texts of other formats.
type Format struct {
	Most    int    // bytes of a line; [Block] or that times a power of 2
	Not     string // the format that the text lacks, with a colon and a blank; may be empty
	Binary  string // the remedy where there are zero bytes
	Endless string // the remedy where a line is longer
}

// Block is the number of bytes that are read at once.
const Block = 1 << 18

// Reader gives out lines. It reads in blocks and allocates nothing per line.
type Reader struct {
	Name   string
	format Format
	zipped bool
	r      io.Reader
	err    error // the error that ended the reading
	buf    []byte
	begin  int // of the bytes not given out
	end    int
	line   int
}

var errBinary, errEndless = errors.New("zero bytes"), errors.New("an endless line")

// NewReader begins to read the text of that name.
func NewReader(name string, r io.Reader, f Format) (*Reader, error) {
	l := &Reader{Name: name, format: f, buf: make([]byte, Block)}
	text, zipped, err := Open(name, r)
	l.zipped, l.r = zipped, text
	return l, err
}

// Line is the number of the line given out last, from 1; 0 before the first.
func (l *Reader) Line() int { return l.line }

// Next returns the next line without its end, valid until the call after; io.EOF at the end.
func (l *Reader) Next() ([]byte, error) {
	at := l.begin
	for {
		if i := bytes.IndexByte(l.buf[at:l.end], '\n'); i >= 0 {
			return l.give(at+i, at+i+1), nil
		}
		switch {
		case l.err == nil:
			at = l.end - l.begin
			l.fill()
		case l.err != io.EOF:
			return nil, l.located(l.err)
		case l.begin == l.end:
			return nil, io.EOF
		default:
			return l.give(l.end, l.end), nil
		}
	}
}

// give is the line up to an end, and what begins behind is the next.
func (l *Reader) give(end, next int) []byte {
	line := l.buf[l.begin:end]
	l.begin = next
	l.line++
	return bytes.TrimSuffix(line, []byte("\r"))
}

// fill reads more, behind the bytes not given out.
func (l *Reader) fill() {
	l.end = copy(l.buf, l.buf[l.begin:l.end])
	l.begin = 0
	if l.end == len(l.buf) {
		if l.end >= l.format.Most {
			l.err = errEndless
			return
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	if zero := bytes.IndexByte(l.buf[l.end:l.end+n], 0); zero >= 0 {
		n, err = zero, errBinary // the lines before it say where it is
	}
	l.end, l.err = l.end+n, err
}

// located adds the text, the line and the remedy to an error.
func (l *Reader) located(err error) error {
	f := &l.format
	switch {
	case err == errBinary:
		return fmt.Errorf("%s: %sthere are zero bytes after line %d, so this is no text%s", l.Name, f.Not, l.line, f.Binary)
	case err == errEndless:
		return fmt.Errorf("%s:%d: %sthe line is longer than %d bytes%s", l.Name, l.line+1, f.Not, f.Most, f.Endless)
	}
	return broken(l.Name, l.zipped, l.line, err)
}

// ErrMemory is the error of a reader without memory for more of a text.
var ErrMemory = errors.New("there is no memory for more of it")

// broken is an error of the file, or of what gzip made of it.
func broken(name string, zipped bool, line int, err error) error {
	switch {
	case errors.Is(err, ErrMemory):
	case zipped && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)):
		return fmt.Errorf("%s: the gzip data breaks off after line %d: the file is incomplete; fetch it again: %w", name, line, err)
	case zipped:
		return fmt.Errorf("%s: the gzip data is damaged after line %d; fetch the file again: %w", name, line, err)
	}
	return fmt.Errorf("%s: after line %d: %w", name, line, err)
}

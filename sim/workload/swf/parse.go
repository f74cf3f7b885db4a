package swf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// blockSize is how much is read at once; no line may be longer.
const blockSize = 1 << 18

// Parse reads a log, plain or compressed by gzip, and sorts it by submit time
// where it is not. The name is used in messages only. It reads in blocks and
// allocates nothing per line but the record itself; time and memory are linear
// in the log's length.
//
// Lines that cannot be read are left out and counted; who must not miss any asks
// [Log.Invalid]. It refuses data that breaks off, data that is no text, and a log
// without a single job.
func Parse(name string, r io.Reader) (*Log, error) {
	p := parser{log: &Log{Name: name, distinct: true}}
	if err := p.read(r); err != nil {
		return nil, err
	}
	return p.finish()
}

type parser struct {
	log    *Log
	line   int      // number of the line at hand, from 1
	jobs   int      // lines that are neither comments nor empty
	last   []Record // the block being filled
	values [Fields]float64
	latest float64 // submit time of the record before
	first  float64 // earliest submit time
	id     int64   // its number

	labels     [Fields]Dictionary // names where numbers should stand
	properties Dictionary
}

// recordBlock is how many records are allocated at once.
const recordBlock = 4096

// read splits the input into lines.
func (p *parser) read(r io.Reader) error {
	name := p.log.Name
	head := make([]byte, 2)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: %w", name, err)
	}
	r = io.MultiReader(bytes.NewReader(head[:n]), r)
	zipped := n == 2 && head[0] == 0x1f && head[1] == 0x8b
	if zipped {
		z, err := gzip.NewReader(r)
		if err != nil {
			return p.readError(err, zipped)
		}
		defer z.Close()
		r = z
	}
	buf := make([]byte, blockSize)
	have := 0
	for {
		n, err := r.Read(buf[have:])
		if bytes.IndexByte(buf[have:have+n], 0) >= 0 {
			return fmt.Errorf("%s: not an SWF log: there are zero bytes after line %d, so this is no text; give an .swf or .swf.gz file", name, p.line)
		}
		have += n
		rest := buf[:have]
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			p.parse(rest[:end])
			rest = rest[end+1:]
		}
		have = copy(buf, rest)
		if err == io.EOF {
			p.parse(buf[:have])
			return nil
		}
		if err != nil {
			return p.readError(err, zipped)
		}
		if have == len(buf) {
			return fmt.Errorf("%s:%d: not an SWF log: the line is longer than %d bytes", name, p.line+1, blockSize)
		}
	}
}

func (p *parser) readError(err error, zipped bool) error {
	switch {
	case zipped && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)):
		return fmt.Errorf("%s: the gzip data breaks off after line %d: the file is incomplete; fetch it again: %w", p.log.Name, p.line, err)
	case zipped:
		return fmt.Errorf("%s: the gzip data is damaged after line %d; fetch the file again: %w", p.log.Name, p.line, err)
	}
	return fmt.Errorf("%s: after line %d: %w", p.log.Name, p.line, err)
}

// parse takes in one line.
func (p *parser) parse(line []byte) {
	p.line++
	if p.line == 1 {
		// Some editors put a mark before UTF-8 text.
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
		i++
	}
	if i == len(line) {
		return
	}
	if line[i] == ';' {
		p.log.Header.Lines = append(p.log.Header.Lines, strings.TrimSpace(string(line[i+1:])))
		return
	}
	p.jobs++
	if bad := check(p.log.Name, p.line, line, &p.values); bad != nil {
		ok, value := p.tolerant(line)
		if value != nil && value.Field != bad.Field {
			bad = value
		}
		if !ok || value != nil {
			p.defect(bad)
			return
		}
	}
	r := p.next()
	r.set(&p.values, p.line)
	p.added(r)
}

// next makes room for a record.
func (p *parser) next() *Record {
	if len(p.last) == cap(p.last) {
		if p.last != nil {
			p.log.records = append(p.log.records, p.last)
		}
		p.last = make([]Record, 0, recordBlock)
	}
	p.last = p.last[:len(p.last)+1]
	return &p.last[len(p.last)-1]
}

// added counts the record that next made room for.
func (p *parser) added(r *Record) {
	if p.log.size == 0 {
		p.first = r.Submit
	} else {
		if r.Submit < p.latest {
			p.log.unsorted.Add(int(r.Line))
			p.first = min(p.first, r.Submit)
		}
		p.log.distinct = p.log.distinct && r.ID > p.id
	}
	p.latest, p.id = r.Submit, r.ID
	p.log.waits = p.log.waits || r.Wait >= 0
	p.log.size++
}

// defect counts a line that cannot be read.
func (p *parser) defect(bad *LineError) {
	if p.log.invalid == nil {
		p.log.invalid = bad
	}
	if bad.short {
		p.log.short.Add(bad.Line)
	} else {
		p.log.notWhole.Add(bad.Line)
	}
}

// finish sorts the log where it is not.
func (p *parser) finish() (*Log, error) {
	l := p.log
	switch {
	case p.last == nil && l.invalid != nil:
		return nil, fmt.Errorf("%s: not an SWF log: none of its %d lines can be read; the first: %w", l.Name, p.jobs, l.invalid)
	case p.last == nil:
		return nil, fmt.Errorf("%s: the log has no jobs, only empty lines and comments", l.Name)
	}
	l.records = append(l.records, p.last)
	p.names()
	l.fromStart(p.first)
	l.sort()
	return l, nil
}

// epoch is above every submit time that counts from a log's own beginning, in
// seconds, and below those that count from 1970.
const epoch = 3e8

// fromStart lets submit times that count from 1970 count from the log's beginning.
func (l *Log) fromStart(first float64) {
	start, _ := l.Header.Int("UnixStartTime")
	if !(start >= epoch && float64(start) <= first && first < float64(start)+epoch) {
		return
	}
	for i := range l.size {
		r := l.At(i)
		r.Submit -= float64(start)
		l.fromEpoch.Add(int(r.Line))
	}
}

// sort puts records in order of submission where they are not.
func (l *Log) sort() {
	if l.unsorted.Count == 0 {
		return
	}
	order := make([]int32, l.size)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(l.At(int(a)).Submit, l.At(int(b)).Submit) })
	sorted := make([]Record, l.size)
	var extras []Extra
	for to, from := range order {
		sorted[to] = *l.At(int(from))
		if l.extras != nil {
			extras = append(extras, l.extras[from])
		}
	}
	l.records, l.extras = [][]Record{sorted}, extras
}

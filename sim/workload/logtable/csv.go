package logtable

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"schedsweep/sim/workload/swf"
)

// Rows is a table, read once.
type Rows interface {
	// Columns are the names of its columns.
	Columns() ([]string, error)
	// Use says which columns are wanted, in the order of the cells, how well a text
	// fits one, and whom to tell of rows that are none.
	Use(columns []int, fit Fit, found Found) error
	// Next returns the cells of a row and where it stands, from 1; io.EOF at the
	// end. The cells are valid until the next call.
	Next() (cells []Cell, line int, err error)
}

// Fit is how well a text fits a cell: below 0 not at all, 1 as it should, 0 where
// that cannot be told.
type Fit func(cell int, text []byte) int

// Action is what was done about a row.
type Action = swf.Action

// Found is told of trouble, as by [swf.Builder.Found].
type Found func(kind string, action swf.Action, why string, line int)

const (
	blockSize = 1 << 18
	// maxRow is the length of the longest row in bytes.
	maxRow = 1 << 24
	// maxTries bounds the search for the place of a separator in free text.
	maxTries = 1 << 14
	// maxJoined is how many lines a row may go on for.
	maxJoined = 200
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

// CSV is a table in lines of fields.
type CSV struct {
	lines      *lines
	separator  byte
	separators []byte // it alone
	quotes     bool
	columns    []string
	free       []bool

	wanted []int // the cell of a column, -1 for none
	last   int   // the last wanted column
	cells  []Cell
	told   []bool // of each cell, whether readings of a row must agree on it
	fit    Fit
	found  Found

	fields [][]byte
	joined []byte // a row that spans lines
	early  []early
}

// NewCSV reads a table in lines, plain or compressed by gzip. The first line that is
// not empty names the columns unless the map does.
func NewCSV(name string, r io.Reader, m *Map) (*CSV, error) {
	l, err := newLines(name, r)
	if err != nil {
		return nil, err
	}
	c := &CSV{lines: l, separator: '\t', quotes: m.Quotes, columns: m.Header}
	switch m.Separator {
	case "tab":
	case "space":
		c.separator, l.blanks = ' ', true
	default:
		c.separator = m.Separator[0]
	}
	c.separators = []byte{c.separator}
	for len(c.columns) == 0 {
		line, err := l.next()
		if err == io.EOF {
			return nil, fmt.Errorf("%s: the table is empty", name)
		}
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			continue
		}
		c.split(line)
		for _, f := range c.fields {
			c.columns = append(c.columns, strings.TrimSpace(string(f)))
		}
	}
	c.free = make([]bool, len(c.columns))
	for i, name := range c.columns {
		c.free[i] = slices.Contains(m.Free, name)
	}
	return c, nil
}

// Columns implements [Rows].
func (c *CSV) Columns() ([]string, error) { return c.columns, nil }

// Use implements [Rows].
func (c *CSV) Use(columns []int, fit Fit, found Found) error {
	c.wanted = slices.Repeat([]int{-1}, len(c.columns))
	c.cells, c.fit, c.found = make([]Cell, len(columns)), fit, found
	c.told = slices.Repeat([]bool{true}, len(columns))
	for i, col := range columns {
		c.wanted[col] = i
		c.last = max(c.last, col)
	}
	return nil
}

// Next implements [Rows].
func (c *CSV) Next() ([]Cell, int, error) {
	for {
		line, at, err := c.line()
		if err != nil {
			return nil, 0, err
		}
		if len(line) == 0 {
			continue
		}
		if c.plain(line) {
			return c.cells, at, nil
		}
		ok, err := c.odd(line, at)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			return c.cells, at, nil
		}
	}
}

// early is a line that was taken before its turn.
type early struct {
	text []byte
	at   int
}

// line is the next line, of those taken early first.
func (c *CSV) line() ([]byte, int, error) {
	if len(c.early) > 0 {
		e := c.early[0]
		c.early = c.early[1:]
		return e.text, e.at, nil
	}
	line, err := c.lines.next()
	return line, c.lines.line, err
}

// plain takes the wanted fields of a line that has as many as there are columns and
// no quotes; it reports whether it is one.
func (c *CSV) plain(line []byte) bool {
	if c.quotes && bytes.IndexByte(line, '"') >= 0 {
		return false
	}
	rest := line
	for i := 0; i <= c.last; i++ {
		end := bytes.IndexByte(rest, c.separator)
		if end < 0 {
			if i < c.last || i+1 != len(c.columns) {
				return false
			}
			end = len(rest)
		}
		if k := c.wanted[i]; k >= 0 {
			c.cells[k].Text = rest[:end]
		}
		if i+1 == len(c.columns) {
			return end == len(rest)
		}
		rest = rest[end+1:]
	}
	return c.last+2+bytes.Count(rest, c.separators) == len(c.columns)
}

// odd takes the fields of a line with quotes, or with too few or too many.
func (c *CSV) odd(line []byte, at int) (bool, error) {
	open := c.split(line)
	free := !c.quotes && slices.Contains(c.free, true)
	if open || len(c.fields) < len(c.columns) && free {
		var err error
		if line, open, err = c.join(line, at, open); err != nil {
			return false, err
		}
	}
	switch n := len(c.fields); {
	case open:
		return false, fmt.Errorf("%s:%d: a quote is opened and not closed within %d lines; mend it, or say quotes: false in the column map", c.lines.name, at, maxJoined)
	case n == len(c.columns):
		c.take(c.fields)
		return true, nil
	case n > len(c.columns) && free:
		return c.align(line, at), nil
	}
	c.found("wrong number of columns", swf.Dropped, fmt.Sprintf("the header has %d", len(c.columns)), at)
	return false, nil
}

func (c *CSV) take(fields [][]byte) {
	for i, k := range c.wanted {
		if k >= 0 {
			c.cells[k].Text = fields[i]
		}
	}
}

// split cuts a line into fields; open says that a quote is not closed.
func (c *CSV) split(line []byte) (open bool) {
	c.fields = c.fields[:0]
	for {
		if c.quotes && len(line) > 0 && line[0] == '"' {
			end, doubled := 1, false
			for {
				i := bytes.IndexByte(line[end:], '"')
				if i < 0 {
					return true
				}
				if end += i + 1; end == len(line) || line[end] != '"' {
					break
				}
				doubled = true
				end++
			}
			field := line[1 : end-1]
			if doubled {
				field = bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
			}
			i := bytes.IndexByte(line[end:], c.separator)
			c.fields = append(c.fields, field)
			if i < 0 {
				return false
			}
			line = line[end+i+1:]
			continue
		}
		i := bytes.IndexByte(line, c.separator)
		if i < 0 {
			c.fields = append(c.fields, line)
			return false
		}
		c.fields = append(c.fields, line[:i])
		line = line[i+1:]
	}
}

// join appends lines while a row is not complete. Where it does not become so, up to
// the end or a line that is a row by itself, the lines are taken again, each by itself.
func (c *CSV) join(line []byte, at int, open bool) ([]byte, bool, error) {
	first := bytes.Clone(line)
	c.joined = append(c.joined[:0], line...)
	var taken []early
	give := func() ([]byte, bool, error) {
		c.early = append(taken, c.early...)
		return first, c.split(first), nil
	}
	for len(taken) < maxJoined {
		next, nextAt, err := c.line()
		if err == io.EOF {
			return give()
		}
		if err != nil {
			return nil, false, err
		}
		taken = append(taken, early{bytes.Clone(next), nextAt})
		if !open && !c.split(next) && len(c.fields) >= len(c.columns) {
			return give()
		}
		c.joined = append(append(c.joined, '\n'), next...)
		if open = c.split(c.joined); !open && len(c.fields) >= len(c.columns) {
			return c.joined, false, nil
		}
	}
	return give()
}

// align finds which free columns the separators that are too many stand in: those
// for which most of what is wanted is as it should be. Readings as good as this one
// must give the same.
func (c *CSV) align(line []byte, at int) bool {
	var best [][]byte // of a row
	most, agree := -1, true
	row := make([][]byte, len(c.columns))
	tries := 0
	var place func(col, field, left, fits int)
	place = func(col, field, left, fits int) {
		if tries++; tries > maxTries {
			return
		}
		if col == len(c.columns) {
			switch {
			case fits > most:
				best, most, agree = append(best[:0], row...), fits, true
			case fits == most:
				for i, k := range c.wanted {
					agree = agree && (k < 0 || !c.told[k] || bytes.Equal(best[i], row[i]))
				}
			}
			return
		}
		for more := 0; more <= left; more++ {
			text, fit := c.span(line, field, field+more), 0
			if k := c.wanted[col]; k >= 0 {
				fit = c.fit(k, text)
			}
			// The last column has to take all that is left.
			if fit >= 0 && (col+1 < len(c.columns) || more == left) {
				row[col] = text
				place(col+1, field+more+1, left-more, fits+fit)
			}
			if !c.free[col] {
				return
			}
		}
	}
	place(0, 0, len(c.fields)-len(c.columns), 0)
	switch {
	case tries > maxTries || most >= 0 && !agree:
		c.found("separators in free text", swf.Dropped, "more than one column can hold them", at)
	case most < 0:
		c.found("wrong number of columns", swf.Dropped, "and none of those of free text can hold the separators", at)
	default:
		c.take(best)
		c.found("separators in free text", swf.Repaired, "one reading fits best", at)
		return true
	}
	return false
}

// fits is how well the cells of a row fit.
func (c *CSV) fits(cells []Cell) []int {
	out := make([]int, len(cells))
	for i := range cells {
		out[i] = c.fit(i, cells[i].Text)
	}
	return out
}

// span is the text from one field to another.
func (c *CSV) span(line []byte, from, to int) []byte {
	if from == to {
		return c.fields[from]
	}
	begin := offset(line, c.fields[from])
	return line[begin : offset(line, c.fields[to])+len(c.fields[to])]
}

// offset is where a part of a line begins.
func offset(line, part []byte) int { return cap(line) - cap(part) }

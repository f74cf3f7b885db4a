package logtable

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/swf"
)

// Rows is a table, read once.
type Rows interface {
	// Columns are the names of its columns.
	Columns() []string
	// Use sets the wanted columns, in the order of the cells. fit rates a text for a
	// cell, and found receives the rows that could not be parsed.
	Use(columns []int, fit Fit, found Found)
	// Next returns the cells of a row and its line, from 1; io.EOF at the
	// end. The cells are valid until the next call.
	Next() (cells []Cell, line int, err error)
}

// Fit is the quality of the fit of a text to a cell: below 0 not at all, 1 as it should, 0 where that is unknown.
type Fit func(cell int, text []byte) int

// Found hears of trouble, as by [swf.Builder.Found].
type Found func(kind string, action swf.Action, why string, line int)

// text is the format of tables: rows of up to 16 MiB.
var text = lines.Format{Most: 1 << 24, Binary: ": name its format in the column map, or convert it", Endless: "; is this a table in lines?"}

// CSV is a table in lines of fields.
type CSV struct {
	lines      *lines.Reader
	separator  byte
	separators []byte // it alone
	quotes     bool
	columns    []string
	free       []bool

	wanted   []int // the cell of a column, -1 for none
	last     int   // the last wanted column
	cells    []Cell
	compared []bool // of each cell, whether readings of a row must agree on it
	fit      Fit
	found    Found

	fields [][]byte
	joined []byte // a row that spans lines
	blanks bool   // fields stand between any number of blanks
	single []byte // a line with one blank between them
	early  []early
}

// NewCSV reads a table in lines, plain or compressed by gzip. The first line that is
// not empty names the columns unless the map does. A line break in a name in quotes is read as a blank.
func NewCSV(name string, r io.Reader, m *Map) (*CSV, error) {
	l, err := lines.NewReader(name, r, text)
	if err != nil {
		return nil, err
	}
	c := &CSV{lines: l, separator: '\t', quotes: m.Quotes, columns: m.Header}
	switch m.Separator {
	case "tab":
	case "space":
		c.separator, c.blanks = ' ', true
	default:
		c.separator = m.Separator[0]
	}
	c.separators = []byte{c.separator}
	for len(c.columns) == 0 {
		line, err := c.next()
		if err == io.EOF {
			return nil, fmt.Errorf("%s: the table is empty: export it again, or name another file", name)
		}
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			continue
		}
		if open := c.split(line); open {
			at := c.lines.Line()
			if _, open, err = c.join(line, open); err == nil && open {
				err = c.unclosed(at)
			}
			if err != nil {
				return nil, err
			}
		}
		for _, f := range c.fields {
			c.columns = append(c.columns, strings.ReplaceAll(strings.TrimSpace(string(f)), "\n", " "))
		}
	}
	c.free = make([]bool, len(c.columns))
	for i, name := range c.columns {
		c.free[i] = slices.Contains(m.Free, name)
	}
	return c, nil
}

func (c *CSV) Columns() []string { return c.columns }

func (c *CSV) Use(columns []int, fit Fit, found Found) {
	c.wanted = slices.Repeat([]int{-1}, len(c.columns))
	c.cells, c.fit, c.found = make([]Cell, len(columns)), fit, found
	c.compared = slices.Repeat([]bool{true}, len(columns))
	for i, col := range columns {
		c.wanted[col] = i
		c.last = max(c.last, col)
	}
}

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

type early struct {
	text []byte
	at   int
}

func (c *CSV) line() ([]byte, int, error) {
	if len(c.early) > 0 {
		e := c.early[0]
		c.early = c.early[1:]
		return e.text, e.at, nil
	}
	line, err := c.next()
	return line, c.lines.Line(), err
}

// next is the next line. Fields that stand between any number of blanks have one between them, without comments.
func (c *CSV) next() ([]byte, error) {
	line, err := c.lines.Next()
	for err == nil && bytes.HasPrefix(line, []byte(mark)) {
		line, err = c.lines.Next()
	}
	if !c.blanks || err != nil {
		return line, err
	}
	c.single = c.single[:0]
	for field := range bytes.FieldsSeq(line) {
		if len(c.single) > 0 {
			c.single = append(c.single, ' ')
		} else if field[0] == ';' {
			break
		}
		c.single = append(c.single, field...)
	}
	return c.single, nil
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

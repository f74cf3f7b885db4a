package logtable

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"schedsweep/sim/workload/swf"
)

const (
	// maxTries bounds the search for the place of a separator in free text.
	maxTries = 1 << 14
	// maxJoined is the largest number of lines of a row.
	maxJoined = 200
)

// odd takes the fields of a line with quotes, or with too few or too many.
func (c *CSV) odd(line []byte, at int) (bool, error) {
	open := c.split(line)
	free := !c.quotes && slices.Contains(c.free, true)
	if open || len(c.fields) < len(c.columns) && free {
		var err error
		if line, open, err = c.join(line, open); err != nil {
			return false, err
		}
	}
	switch n := len(c.fields); {
	case open:
		return false, c.unclosed(at)
	case n == len(c.columns):
		c.take(c.fields)
		return true, nil
	case n > len(c.columns) && free:
		return c.align(line, at), nil
	}
	c.found("wrong number of columns", swf.Dropped, fmt.Sprintf("the header has %d", len(c.columns)), at)
	return false, nil
}

func (c *CSV) unclosed(at int) error {
	return fmt.Errorf("%s:%d: a quote is opened and not closed within %d lines; mend it, or say quotes: false in the column map",
		c.lines.Name, at, maxJoined)
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
func (c *CSV) join(line []byte, open bool) ([]byte, bool, error) {
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
		// Where quotes close at the end of a line that is no row by itself, the row ends there, however many fields it has.
		ends := c.quotes && (c.split(next) || len(c.fields) != len(c.columns))
		c.joined = append(append(c.joined, '\n'), next...)
		if open = c.split(c.joined); !open && (ends || len(c.fields) >= len(c.columns)) {
			return c.joined, false, nil
		}
	}
	return give()
}

// align finds which free columns hold the separators that are too many: the reading in which the most wanted cells
// are as they should be. Readings as good as this one must give the same.
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
					agree = agree && (k < 0 || !c.compared[k] || bytes.Equal(best[i], row[i]))
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

// span is the text from one field to another.
func (c *CSV) span(line []byte, from, to int) []byte {
	if from == to {
		return c.fields[from]
	}
	begin := offset(line, c.fields[from])
	return line[begin : offset(line, c.fields[to])+len(c.fields[to])]
}

func offset(line, part []byte) int { return cap(line) - cap(part) }

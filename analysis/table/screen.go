package table

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"schedsweep/sweep/text"
)

// Terminal describes the terminal on which a person reads a table.
type Terminal struct {
	Width  int  // columns of a line; 0: without bound
	Colour bool // tones are shown
}

// Tone is the meaning of a cell, for its colour.
type Tone int

// The tones: no verdict, good news, bad news, undecided.
const (
	Plain Tone = iota
	Good
	Bad
	Open
)

// Paint colours a text as terminals do (ECMA-48, SGR).
func (to Terminal) Paint(s string, tone Tone) string {
	code := map[Tone]string{Good: "32", Bad: "31", Open: "33"}[tone]
	if !to.Colour || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// narrowest is the least width of a column that wraps; the text below is indented.
const (
	narrowest = 24
	indent    = 6
)

// Wrap breaks a text between words into lines that fit.
func (to Terminal) Wrap(s string) string { return strings.Join(wrap(s, to.Width), "\n") }

// longHead is the length from which on a head is broken at its separators.
const longHead = 14

type shown struct {
	text, aside string
	tone        Tone
}

type shownColumn struct {
	head        []string // its lines
	cells       []shown
	right       bool
	key, extra  bool
	notes       bool
	wrap        bool
	text, aside int // widths
}

func (c *shownColumn) width() int {
	w := c.text + c.aside
	for _, h := range c.head {
		w = max(w, uniseg.StringWidth(h))
	}
	return w
}

// WriteScreen writes the table for a terminal: columns aligned, two spaces apart, notes below. Extra columns without any value are
// left out. Where the table is wider than the terminal, other extra columns go, those furthest to the right first. Then the numbers of
// notes go, and notes name their rows. A table that is still too wide is cut into blocks that repeat the keys. The table is one in memory.
func (t *Table) WriteScreen(w io.Writer, to Terminal) error {
	columns, notes, err := t.shown(to.Width > 0)
	if err != nil {
		return err
	}
	if to.Width > 0 {
		columns = slices.DeleteFunc(columns, func(c shownColumn) bool {
			return c.extra && !slices.ContainsFunc(c.cells, func(s shown) bool { return s.text != Dash("") })
		})
	}
	named := false
	for to.Width > 0 && total(columns) > to.Width {
		at := -1
		for i := range columns {
			if columns[i].extra {
				at = i
			}
		}
		if last := len(columns) - 1; at < 0 && columns[last].notes {
			at, notes, named = last, t.namedNotes(), true
		}
		if at < 0 {
			break
		}
		columns = slices.Delete(columns, at, at+1)
	}
	wrapKeys(columns, to.Width)
	columns, below := narrow(columns, to.Width)
	var b bytes.Buffer
	if t.Title != "" {
		b.WriteString(to.Wrap(text.Visible(t.Title)) + "\n\n")
	}
	for i, block := range blocks(columns, to.Width) {
		if i > 0 {
			b.WriteString("\n")
		}
		to.writeBlock(&b, block, below)
	}
	for i, n := range notes {
		if i == 0 {
			b.WriteString("\n")
		}
		number := strconv.Itoa(i+1) + ". "
		if named {
			number = "- "
		}
		width := to.Width
		if width > 0 {
			width = max(width-len(number), 20)
		}
		fmt.Fprintf(&b, "%s%s\n", number, strings.Join(wrap(text.Visible(n), width), "\n"+strings.Repeat(" ", len(number))))
	}
	_, err = w.Write(b.Bytes())
	return t.written(err, "text")
}

func (t *Table) namedNotes() []string {
	var notes []string
	rows := map[string][]string{}
	for _, r := range t.Rows {
		var keys []string
		for i, c := range t.Columns {
			if c.Key {
				keys = append(keys, r.Cells[i].Read())
			}
		}
		name := strings.Join(keys, " ")
		for _, n := range r.Notes {
			n = strings.TrimPrefix(n, name+": ")
			if rows[n] == nil {
				notes = append(notes, n)
			}
			rows[n] = text.Once(rows[n], name)
		}
	}
	for i, n := range notes {
		if !slices.Contains(t.NamesRows, n) {
			notes[i] = strings.Join(rows[n], ", ") + ": " + n
		}
	}
	return notes
}

// shown lays out the columns that people see, and the notes. For a narrow screen long heads are broken.
func (t *Table) shown(narrow bool) (columns []shownColumn, notes []string, err error) {
	l, err := t.measure()
	if err != nil {
		return nil, nil, err
	}
	for at, i := range l.shown {
		c := &t.Columns[i]
		s := shownColumn{head: []string{text.Visible(l.heads[at])}, right: l.right[at], key: c.Key, extra: c.Extra, wrap: c.Wrap}
		for k := range t.Rows {
			cell := &t.Rows[k].Cells[i]
			s.cells = append(s.cells, shown{text.Visible(cell.Read()), text.Visible(cell.Aside), cell.Tone})
		}
		columns = append(columns, s)
	}
	other := func(r Row) bool { return !slices.Equal(r.Notes, t.Rows[0].Notes) }
	if len(l.notes) > 0 && (!narrow || len(t.Rows) < 2 || slices.ContainsFunc(t.Rows, other)) { // the numbers of the same notes say nothing
		s := shownColumn{head: []string{notesHead}, notes: true}
		for k := range t.Rows {
			s.cells = append(s.cells, shown{text: l.refs(&t.Rows[k])})
		}
		columns = append(columns, s)
	}
	for i := range columns {
		c := &columns[i]
		for _, s := range c.cells {
			c.text = max(c.text, uniseg.StringWidth(s.text))
			if s.aside != "" {
				c.aside = max(c.aside, 1+uniseg.StringWidth(s.aside))
			}
		}
		if narrow {
			c.head = breakHead(c.head[0], max(c.text+c.aside, longHead))
		}
	}
	return columns, l.notes, nil
}

// wrapKeys narrows the key columns that wrap until the table fits the terminal, the widest first. They stay where they are.
func wrapKeys(columns []shownColumn, width int) {
	for width > 0 && total(columns) > width {
		widest := -1
		for i := range columns {
			if c := &columns[i]; c.key && c.wrap && c.width() > c.longestPart() && (widest < 0 || c.width() > columns[widest].width()) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		columns[widest].text = columns[widest].width() - 1
	}
}

// longestPart is the width below which a key column would cut a word.
func (c *shownColumn) longestPart() int {
	longest := 0
	for _, h := range c.head {
		longest = max(longest, uniseg.StringWidth(h))
	}
	for _, cell := range c.cells {
		for _, part := range breakHead(cell.text, 1) {
			longest = max(longest, uniseg.StringWidth(part))
		}
	}
	return longest
}

// lines are those of a cell: keys break at their separators too, other texts between words.
func (c *shownColumn) lines(s string) []string {
	if c.key {
		return breakHead(s, c.text)
	}
	return wrap(s, c.text)
}

// narrow takes from a column that wraps and is no key what the terminal is too narrow for, and puts it last. Where little is
// left, its texts stand below the rows that they explain.
func narrow(columns []shownColumn, width int) (line, below []shownColumn) {
	last := len(columns) - 1
	at := last
	for at >= 0 && (!columns[at].wrap || columns[at].key) {
		at--
	}
	if at < 0 || width <= 0 || total(columns) <= width {
		return columns, nil
	}
	columns = append(slices.Delete(slices.Clone(columns), at, at+1), columns[at])
	c := &columns[last]
	c.text -= total(columns) - width
	if c.text >= narrowest {
		return columns, nil
	}
	c.text = width - indent
	return columns[:last], columns[last:]
}

func breakHead(head string, width int) []string {
	var lines []string
	line := ""
	for _, part := range strings.SplitAfter(strings.NewReplacer("-", "-\x00", "_", "_\x00", " ", " \x00").Replace(head), "\x00") {
		part = strings.TrimSuffix(part, "\x00")
		if line != "" && uniseg.StringWidth(strings.TrimRight(line+part, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = ""
		}
		line += part
	}
	return append(lines, strings.TrimRight(line, " "))
}

// wrap breaks a text between words into lines of the width, all as far indented as the text; 0 leaves it as it is.
func wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	words := strings.TrimLeft(s, " ")
	lead := s[:len(s)-len(words)]
	var lines []string
	line := lead
	for _, word := range strings.Fields(words) {
		if line != lead && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > width {
			lines = append(lines, line)
			line = lead
		}
		if line != lead {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func total(columns []shownColumn) int {
	w := 2 * (len(columns) - 1)
	for i := range columns {
		w += columns[i].width()
	}
	return w
}

// blocks cuts columns that are wider than the terminal into groups that each begin with the keys. Without keys there is
// one block.
func blocks(columns []shownColumn, width int) [][]shownColumn {
	keys := 0
	for keys < len(columns) && columns[keys].key {
		keys++
	}
	if width <= 0 || keys == 0 || total(columns) <= width {
		return [][]shownColumn{columns}
	}
	var all [][]shownColumn
	block := slices.Clone(columns[:keys])
	for _, c := range columns[keys:] {
		if len(block) > keys && total(append(slices.Clone(block), c)) > width {
			all = append(all, block)
			block = slices.Clone(columns[:keys])
		}
		block = append(block, c)
	}
	return append(all, block)
}

func (to Terminal) writeBlock(b *bytes.Buffer, columns, below []shownColumn) {
	deepest := 1
	for i := range columns {
		deepest = max(deepest, len(columns[i].head))
	}
	line := func(cell func(*shownColumn) shown) {
		var l strings.Builder
		for i := range columns {
			c := &columns[i]
			if i > 0 {
				l.WriteString("  ")
			}
			s := cell(c)
			body := s.text
			if c.aside > 0 && s.tone >= 0 {
				body = pad(body, c.text, true) + pad(s.aside, c.aside, true)
			}
			padded := pad(body, c.width(), c.right)
			if body != "" {
				padded = strings.Replace(padded, body, to.Paint(body, s.tone), 1)
			}
			l.WriteString(padded)
		}
		if whole := strings.TrimRight(l.String(), " "); whole != "" || len(below) == 0 {
			b.WriteString(whole + "\n")
		}
	}
	if !slices.ContainsFunc(columns, func(c shownColumn) bool { return c.head[0] != "" }) {
		deepest = 0
	}
	for k := range deepest {
		line(func(c *shownColumn) shown {
			if at := k - deepest + len(c.head); at >= 0 {
				return shown{text: c.head[at], tone: head}
			}
			return shown{tone: head}
		})
	}
	if deepest > 0 {
		line(func(c *shownColumn) shown { return shown{text: strings.Repeat("-", c.width()), tone: head} })
	}
	rows := 0
	if len(columns) > 0 {
		rows = len(columns[0].cells)
	}
	for k := range rows {
		for n, more := 0, true; more; n++ {
			more = false
			line(func(c *shownColumn) shown {
				if !c.wrap {
					if n == 0 {
						return c.cells[k]
					}
					return shown{}
				}
				lines := c.lines(c.cells[k].text)
				more = more || n+1 < len(lines)
				if n < len(lines) {
					return shown{text: lines[n], tone: c.cells[k].tone}
				}
				return shown{}
			})
		}
		for _, c := range below {
			for _, l := range c.lines(c.cells[k].text) {
				if l != "" {
					b.WriteString(strings.Repeat(" ", indent) + l + "\n")
				}
			}
		}
	}
}

// head marks a line that is no cell, with nothing beside it.
const head Tone = -1

func pad(s string, width int, right bool) string {
	gap := strings.Repeat(" ", max(0, width-uniseg.StringWidth(s)))
	if right {
		return gap + s
	}
	return s + gap
}

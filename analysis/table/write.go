package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText writes the table as a terminal of 80 columns shows it; the CSV has all columns. A table that is too long for the memory
// has its full width: columns aligned, two spaces apart, notes below.
func (t *Table) WriteText(w io.Writer) error {
	if t.waiting == nil {
		return t.WriteScreen(w, Terminal{Width: 80})
	}
	return t.forPeople(w, "text", "", strings.NewReplacer(), func(b *bufio.Writer, l *layout) func(line []string) {
		var text []byte
		writeLine := func(line []string) {
			text = text[:0]
			for i, s := range line {
				if i > 0 {
					text = append(text, "  "...)
				}
				if !l.right[i] {
					text = append(text, s...)
				}
				for range l.widths[i] - utf8.RuneCountInString(s) {
					text = append(text, ' ')
				}
				if l.right[i] {
					text = append(text, s...)
				}
			}
			b.Write(append(bytes.TrimRight(text, " "), '\n'))
		}
		writeLine(l.heads)
		rule := make([]string, len(l.heads))
		for i, n := range l.widths {
			rule[i] = strings.Repeat("-", n)
		}
		writeLine(rule)
		return writeLine
	})
}

// WriteMarkdown writes the table as GitHub's Markdown.
func (t *Table) WriteMarkdown(w io.Writer) error {
	escape := strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")
	return t.forPeople(w, "markdown", "### ", escape, func(b *bufio.Writer, l *layout) func(line []string) {
		writeLine := func(line []string) {
			for _, s := range line {
				b.WriteString("| ")
				escape.WriteString(b, s)
				b.WriteString(" ")
			}
			b.WriteString("|\n")
		}
		writeLine(l.heads)
		for _, r := range l.right {
			if r {
				b.WriteString("|---:")
			} else {
				b.WriteString("|:---")
			}
		}
		b.WriteString("|\n")
		return writeLine
	})
}

// forPeople writes title, grid and notes; begin writes the head of the grid and returns what writes a line of it.
func (t *Table) forPeople(w io.Writer, form, mark string, escape *strings.Replacer,
	begin func(*bufio.Writer, *layout) func(line []string)) error {
	l, err := t.measure()
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, bufferBytes)
	if t.Title != "" {
		b.WriteString(mark + t.Title + "\n\n")
	}
	line := begin(b, l)
	if err := t.Each(func(r *Row) error { line(l.line(r)); return nil }); err != nil {
		return err
	}
	for i, n := range l.notes {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, escape.Replace(n))
	}
	return t.written(b.Flush(), form)
}

const bufferBytes = 64 << 10

// WriteCSV writes all columns with full precision (RFC 4180, line ends "\n"); missing numbers are empty, infinite ones
// "inf" and "-inf", and the last column holds the notes.
func (t *Table) WriteCSV(w io.Writer) error {
	b := bufio.NewWriterSize(w, bufferBytes)
	c := csv.NewWriter(b)
	var line []string
	for _, col := range t.Columns {
		if !col.ReadOnly {
			line = append(line, col.Name)
		}
	}
	c.Write(append(line, "warnings"))
	err := t.Each(func(r *Row) error {
		line = line[:0]
		for i := range r.Cells {
			if !t.Columns[i].ReadOnly {
				line = append(line, r.Cells[i].full())
			}
		}
		return c.Write(append(line, strings.Join(r.Notes, "; ")))
	})
	if c.Flush(); err == nil {
		err = c.Error()
	}
	if err == nil {
		err = b.Flush()
	}
	return t.written(err, "csv")
}

func (t *Table) written(err error, form string) error {
	if err != nil {
		return fmt.Errorf("table %s: writing %s: %w", t.ID, form, err)
	}
	return nil
}

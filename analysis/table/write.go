package table

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// WriteText writes the first rows of the table, 1,000 at most, as a terminal of 80 columns shows them. The CSV has all rows and columns.
func (t *Table) WriteText(w io.Writer) error {
	first, left := Table{ID: t.ID, Title: t.Title, Columns: t.Columns, NamesRows: t.NamesRows}, 0
	if err := t.Each(func(r *Row) error {
		if len(first.Rows) < rowsInMemory {
			first.Rows = append(first.Rows, Row{slices.Clone(r.Cells), slices.Clone(r.Notes)}) // a row is valid during the call
		} else {
			left++
		}
		return nil
	}); err != nil {
		return err
	}
	if err := first.WriteScreen(w, Terminal{Width: 80}); err != nil || left == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d more %s in %s.csv.\n", left, text.Either(left, "row is", "rows are"), t.ID)
	return t.written(err, "text")
}

// WriteMarkdown writes the table as GitHub's Markdown.
func (t *Table) WriteMarkdown(w io.Writer) error {
	l, err := t.measure()
	if err != nil {
		return err
	}
	escape, b := strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;"), bufio.NewWriterSize(w, bufferBytes)
	if t.Title != "" {
		b.WriteString("### " + escape.Replace(t.Title) + "\n\n")
	}
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
	if err := t.Each(func(r *Row) error { writeLine(l.line(r)); return nil }); err != nil {
		return err
	}
	for i, n := range l.notes {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, escape.Replace(n))
	}
	return t.written(b.Flush(), "markdown")
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

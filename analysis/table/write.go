package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the table as GitHub's Markdown.
func (t *Table) WriteMarkdown(w io.Writer) error {
	heads, cells, right, notes := t.readable()
	var b bytes.Buffer
	if t.Title != "" {
		b.WriteString("### " + t.Title + "\n\n")
	}
	escape := strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")
	writeLine := func(line []string) {
		for _, s := range line {
			b.WriteString("| " + escape.Replace(s) + " ")
		}
		b.WriteString("|\n")
	}
	writeLine(heads)
	for _, r := range right {
		if r {
			b.WriteString("|---:")
		} else {
			b.WriteString("|:---")
		}
	}
	b.WriteString("|\n")
	for _, line := range cells {
		writeLine(line)
	}
	for i, n := range notes {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, escape.Replace(n))
	}
	return t.out(w, b.Bytes(), "markdown")
}

// WriteCSV writes all columns with full precision (RFC 4180, line ends "\n"); missing numbers are empty, infinite ones
// "inf" and "-inf", and the last column holds the notes.
func (t *Table) WriteCSV(w io.Writer) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	var heads []string
	for _, col := range t.Columns {
		if !col.ReadOnly {
			heads = append(heads, col.Name)
		}
	}
	records := [][]string{append(heads, "warnings")}
	for _, r := range t.Rows {
		var line []string
		for i, cell := range r.Cells {
			if !t.Columns[i].ReadOnly {
				line = append(line, cell.full())
			}
		}
		records = append(records, append(line, strings.Join(r.Notes, "; ")))
	}
	if err := c.WriteAll(records); err != nil {
		return fmt.Errorf("table %s: csv: %w", t.ID, err)
	}
	return t.out(w, b.Bytes(), "csv")
}

func (t *Table) out(w io.Writer, b []byte, form string) error {
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("table %s: writing %s: %w", t.ID, form, err)
	}
	return nil
}

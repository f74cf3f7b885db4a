package table

import (
	"math"
	"strconv"
	"strings"
)

// Table is a titled grid with notes on its rows.
type Table struct {
	ID      string // names the files
	Title   string
	Columns []Column
	Rows    []Row
}

// Column is a heading. Unit stands in the heading of the text and Markdown forms; the CSV has the bare name.
type Column struct {
	Name string // of the CSV, such as "mean_low"
	Head string // for people; "" means Name
	Unit string
	// CSVOnly keeps the column out of the forms for people.
	CSVOnly bool
	// ReadOnly keeps the column out of the CSV: it repeats others in a readable form.
	ReadOnly bool
	// Key columns tell the rows apart; Extra ones are left out where the terminal is too narrow.
	Key, Extra bool
	// Wrap breaks the texts of the column into lines where the terminal is too narrow.
	Wrap bool
}

// Row is one line; it has a cell for each column.
type Row struct {
	Cells []Cell
	Notes []string // printed below the table, and joined in the last column of the CSV
}

// Cell is a text or a number.
type Cell struct {
	Text     string
	Number   float64
	IsNumber bool
	Decimals int    // printed for people; negative: six significant digits
	Aside    string // printed beside it on a terminal only, such as an interval
	Tone     Tone
}

// Text makes a cell of text.
func Text(s string) Cell { return Cell{Text: s} }

// Count makes a cell of a whole number.
func Count(n int) Cell { return Cell{Number: float64(n), IsNumber: true} }

// Number makes a cell of a number with the given decimals (negative: six significant digits).
func Number(v float64, decimals int) Cell { return Cell{Number: v, IsNumber: true, Decimals: decimals} }

// full is the cell for programs: the shortest form that reads back exactly, empty for NaN.
func (c Cell) full() string {
	switch {
	case !c.IsNumber:
		return c.Text
	case math.IsNaN(c.Number):
		return ""
	case math.IsInf(c.Number, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(c.Number, 'g', -1, 64), "+"))
	case c.Number == math.Trunc(c.Number) && math.Abs(c.Number) < 1e15:
		return strconv.FormatFloat(c.Number, 'f', -1, 64)
	default:
		return strconv.FormatFloat(c.Number, 'g', -1, 64)
	}
}

// Read is the cell for people; "-" stands for what there is not.
func (c Cell) Read() string {
	switch {
	case !c.IsNumber:
		return c.Text
	case math.IsNaN(c.Number):
		return "-"
	case math.IsInf(c.Number, 1):
		return "inf"
	case math.IsInf(c.Number, -1):
		return "-inf"
	case c.Decimals >= 0 && math.Abs(c.Number) < 1e12:
		return strconv.FormatFloat(c.Number, 'f', c.Decimals, 64)
	default:
		return strconv.FormatFloat(c.Number, 'g', 6, 64)
	}
}

// Decimals chooses how many decimals show an estimate with a half-width: two significant digits of the half-width.
// Without a usable half-width it is -1 (six significant digits).
func Decimals(halfWidth float64) int {
	if halfWidth <= 0 || math.IsNaN(halfWidth) || math.IsInf(halfWidth, 0) {
		return -1
	}
	return min(max(0, 1-int(math.Floor(math.Log10(halfWidth)))), 15)
}

func (c Column) head() string {
	name := c.Head
	if name == "" {
		name = c.Name
	}
	if c.Unit != "" {
		name += " (" + c.Unit + ")"
	}
	return name
}

// readable is the table for people: heads, cells and the notes numbered in the order of their first appearance.
func (t *Table) readable() (heads []string, cells [][]string, right []bool, notes []string) {
	var shown []int
	for i, c := range t.Columns {
		if !c.CSVOnly {
			shown = append(shown, i)
			heads = append(heads, c.head())
			right = append(right, t.numeric(i))
		}
	}
	number := map[string]int{}
	for _, r := range t.Rows {
		for _, n := range r.Notes {
			if number[n] == 0 {
				notes = append(notes, n)
				number[n] = len(notes)
			}
		}
	}
	if len(notes) > 0 {
		heads, right = append(heads, "notes"), append(right, false)
	}
	for _, r := range t.Rows {
		line := make([]string, 0, len(heads))
		for _, i := range shown {
			line = append(line, r.Cells[i].Read())
		}
		if len(notes) > 0 {
			var refs []string
			for _, n := range r.Notes {
				refs = append(refs, strconv.Itoa(number[n]))
			}
			line = append(line, strings.Join(refs, ","))
		}
		cells = append(cells, line)
	}
	return heads, cells, right, notes
}

// numeric reports whether a column holds numbers or texts that look like them, and is aligned to the right.
func (t *Table) numeric(i int) bool {
	for _, r := range t.Rows {
		c := r.Cells[i]
		if !c.IsNumber && c.Text != "-" && !strings.ContainsAny(c.Text[:min(1, len(c.Text))], "0123456789+-.") {
			return false
		}
	}
	return true
}

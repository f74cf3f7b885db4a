// Package table lays rows of texts and numbers out as aligned text for a terminal, as CSV with full precision, and as
// Markdown. It computes nothing.
package table

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// Table is a titled grid with notes on its rows.
type Table struct {
	ID      string // names the files
	Title   string
	Columns []Column
	Rows    []Row // all that there are, but of a long table that was made with [Table.Add]
	// NamesRows are notes that name their rows themselves.
	NamesRows []string

	waiting *spill
	err     error // of Add
}

// Column is a heading.
type Column struct {
	Name string // of the CSV, such as "mean_low"
	Head string // for people; "" means Name
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
	Shown    string // printed for people in place of Text; "" for Text itself
	Number   float64
	IsNumber bool
	Decimals int     // printed for people; negative: six significant digits; of [PValue] its own
	Per      float64 // people read multiples of it, such as 1e9 J; 0 is 1
	Aside    string  // printed beside it on a terminal only, such as an interval
	Tone     Tone
}

func Text(s string) Cell { return Cell{Text: s} }

func Count(n int) Cell { return Cell{Number: float64(n), IsNumber: true} }

// Number makes a cell of a number with the given decimals (negative: six significant digits).
func Number(v float64, decimals int) Cell { return Cell{Number: v, IsNumber: true, Decimals: decimals} }

func PValue(p float64) Cell { return Number(p, pDecimals) }

// pDecimals marks a p-value: no number has that many decimals.
const pDecimals = math.MaxInt8

// ReadP is a p-value for people: four decimals, and "<0.0001" below them, for none is 0.
func ReadP(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// full is the cell for programs: the shortest form that reads back exactly, empty for NaN.
func (c Cell) full() string {
	switch {
	case !c.IsNumber:
		return c.Text
	case math.IsNaN(c.Number):
		return ""
	case c.Number == math.Trunc(c.Number) && math.Abs(c.Number) < 1e15:
		return strconv.FormatFloat(c.Number, 'f', -1, 64)
	default:
		return string(store.AppendFloat(nil, c.Number))
	}
}

// Read is the cell for people; "-" means no value.
func (c Cell) Read() string {
	if c.Per != 0 {
		c.Number /= c.Per
	}
	switch {
	case !c.IsNumber:
		return cmp.Or(c.Shown, c.Text)
	case math.IsNaN(c.Number):
		return "-"
	case math.IsInf(c.Number, 1):
		return "inf"
	case math.IsInf(c.Number, -1):
		return "-inf"
	case c.Decimals == pDecimals:
		return ReadP(c.Number)
	case c.Decimals >= 0 && math.Abs(c.Number) < 1e12:
		return strconv.FormatFloat(c.Number, 'f', c.Decimals, 64)
	default:
		return strconv.FormatFloat(c.Number, 'g', 6, 64)
	}
}

// Decimals returns the number of decimals for an estimate with a half-width: two significant digits of the half-width.
// Without a usable half-width it is -1 (six significant digits).
func Decimals(halfWidth float64) int {
	if halfWidth <= 0 || math.IsNaN(halfWidth) || math.IsInf(halfWidth, 0) {
		return -1
	}
	return min(max(0, 1-int(math.Floor(math.Log10(halfWidth)))), 15)
}

type layout struct {
	shown  []int    // columns
	heads  []string // of these, and of the notes where there are any
	right  []bool
	notes  []string // in the order of their first appearance
	number map[string]int
}

// measure looks at all rows once.
func (t *Table) measure() (*layout, error) {
	l := &layout{number: map[string]int{}}
	for i, c := range t.Columns {
		if !c.CSVOnly {
			l.shown, l.heads, l.right = append(l.shown, i), append(l.heads, cmp.Or(c.Head, c.Name)), append(l.right, !c.Wrap)
		}
	}
	err := t.Each(func(r *Row) error {
		for k, i := range l.shown {
			c := &r.Cells[i]
			l.right[k] = l.right[k] && c.LooksNumeric()
		}
		for _, n := range r.Notes {
			if l.number[n] == 0 {
				n = strings.Clone(n) // a row's texts are one
				l.notes = append(l.notes, n)
				l.number[n] = len(l.notes)
			}
		}
		return nil
	})
	if len(l.notes) > 0 {
		l.heads, l.right = append(l.heads, notesHead), append(l.right, false)
	}
	return l, err
}

const notesHead = "notes"

// LooksNumeric reports whether a cell holds a number or a text that looks like one, and is aligned to the right.
func (c *Cell) LooksNumeric() bool {
	return c.IsNumber || c.Text == "-" || strings.ContainsAny(c.Text[:min(1, len(c.Text))], "0123456789+-.")
}

func (l *layout) line(r *Row) []string {
	line := text.Each(l.shown, func(i int) string { return r.Cells[i].Read() })
	if len(l.notes) > 0 {
		line = append(line, l.refs(r))
	}
	return line
}

func (l *layout) refs(r *Row) string {
	return strings.Join(text.Each(r.Notes, func(n string) string { return strconv.Itoa(l.number[n]) }), ",")
}

// SlopeDecimals is [table.Decimals] for slopes, which may be tiny: beyond nine decimals an exponent reads better.
func SlopeDecimals(i stats.Interval) int {
	if k := Decimals(i.HalfWidth()); k <= 9 {
		return k
	}
	return -1
}

// CSVOnly is a column for programs.
func CSVOnly(name string) Column { return Column{Name: name, CSVOnly: true} }

// Percent heads the end of an interval.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 5, 64) + "%" }

// IntervalCells is the estimate and its ends.
func IntervalCells(i stats.Interval, decimals int) []Cell {
	return Multiples(1, decimals, i.Estimate, i.Low, i.High)
}

// Multiples makes cells of numbers that people read in a multiple of their unit, with the given decimals.
func Multiples(per float64, decimals int, values ...float64) []Cell {
	return text.Each(values, func(v float64) Cell { return Cell{Number: v, IsNumber: true, Decimals: decimals, Per: per} })
}

// Dash takes the place of an empty text.
func Dash(s string) string { return cmp.Or(s, "-") }

// Span is "5" or "5 to 8".
func Span(low, high int) string {
	if low == high {
		return strconv.Itoa(low)
	}
	return strconv.Itoa(low) + " to " + strconv.Itoa(high)
}

package logtable

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim/workload/swf"
)

// Redaction sets the rules for a log's redaction.
type Redaction struct {
	// Keep are columns of a table, or fields of SWF, that are written as they stand.
	Keep []string
	// Weeks are added to every date and to every time since 1970.
	Weeks int
	*Translation
}

// Redacted describes the result of [Redact].
type Redacted struct {
	// Rows is the number of rows written, Filtered the number of rows that the map's filters left
	// out, Left the number of rows left out because they could not be read. Empty is the number
	// of values left out of the rows written, because they contradict the map.
	Rows, Filtered, Left, Empty int
	// Kept and Replaced are the columns, Replaced with how many different texts.
	Kept, Replaced []string
}

// mark begins the lines that a redacted table has before all others.
const mark = "# schedsweep: "

// notes returns the notes for readers of a redacted log.
func (r *Redaction) notes() []string {
	times := "Times are as recorded"
	if r.Weeks != 0 {
		times = "All dates are moved by one secret number of weeks"
	}
	all := []string{"redacted: names of users, jobs and others are numbers, and free text is left out.",
		times + "; waits, run times and sizes are as recorded.",
		"Whoever has the accounting of this machine can still find a job, and so its user, by these.",
		"Whoever knows of some jobs of a user can find the others, for a user has one number throughout."}
	if r.Weeks != 0 {
		all = append(all, "Where the clock has summer time, times of a part of the log can be off by one hour.")
	}
	if len(r.Keep) > 0 {
		all = append(all, "Kept as they were: "+strings.Join(r.Keep, ", ")+".")
	}
	return all
}

// redactor counts the different names by where they stand.
type redactor struct {
	Redacted
	*Redaction
	names map[string]map[string]bool
	first bool // the row is the first of a log whose times begin at 0
}

func newRedactor(r *Redaction) *redactor {
	return &redactor{Redaction: r, names: map[string]map[string]bool{}}
}

func (r *redactor) note(column, name string) string {
	if r.names[column] == nil {
		r.names[column] = map[string]bool{}
	}
	r.names[column][name] = true
	return name
}

func (r *redactor) report(columns []string) {
	for _, c := range columns {
		switch {
		case c == "":
		case r.names[c] != nil:
			r.Replaced = append(r.Replaced, fmt.Sprintf("%s (%d)", c, len(r.names[c])))
		default:
			r.Kept = append(r.Kept, c)
		}
	}
}

// column lists the values of a column that may be written. All others are left out.
type column struct {
	name, class string  // the class of its texts, "" where it has none
	values      []bound // the values that the map reads
	kept, state bool
	needed      bool     // a row is none without it
	is          []string // values that the map itself names
}

// Redact writes a table in lines anew. Of each column it writes what the map reads
// there: times, durations, counts, sizes, and states and values that the map names.
// Texts, in columns that the map does not speak of too, become names with numbers. The
// columns of keep stay as they are. Rows that the map's filters leave out are left out.
func Redact(name string, r io.Reader, w io.Writer, m *Map, how *Redaction) (*Redacted, error) {
	rows, err := NewCSV(name, r, m)
	if err != nil {
		return nil, err
	}
	for _, k := range how.Keep {
		if !slices.Contains(rows.columns, k) {
			return nil, fmt.Errorf("%s has no column %q that could be kept; it has %s", name, k, strings.Join(rows.columns, ", "))
		}
	}
	done := newRedactor(how)
	all := &everything{CSV: rows, left: &done.Left}
	rd := &reader{name: name, m: m, build: swf.NewBuilder(name), strange: map[string]string{}}
	if err := rd.bind(all); err != nil {
		return nil, err
	}
	columns := all.describe(rd, how.Keep)
	out := bufio.NewWriterSize(w, 1<<16)
	for _, note := range how.notes() {
		fmt.Fprintf(out, "%s%s\n", mark, note) // Flush returns the first error
	}
	if len(m.Header) == 0 {
		if err := writeLine(out, rows.columns, rows.separator, m.Quotes); err != nil {
			return nil, err
		}
	}
	line := make([]string, len(rows.columns))
	used := make([]Cell, len(all.used))
	for {
		cells, at, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for k, i := range all.used {
			used[k] = cells[i]
		}
		if !rd.counts(used, at) {
			done.Filtered++
			continue
		}
		if !done.row(rd, columns, cells, line) {
			done.Left++ // the text in place of a time may be anything
			continue
		}
		for k, i := range all.used {
			used[k] = Cell{Text: []byte(line[i])}
		}
		if !rd.counts(used, at) {
			return nil, fmt.Errorf("%s:%d: the map's filters would leave a replaced name out: keep the columns that it filters by", name, at)
		}
		if err := writeLine(out, line, rows.separator, m.Quotes); err != nil {
			return nil, err
		}
		done.Rows++
	}
	done.report(rows.columns)
	return &done.Redacted, out.Flush()
}

// row makes a line of a row, and reports whether the row can be read.
func (r *redactor) row(rd *reader, columns []column, cells []Cell, line []string) bool {
	rd.zero = [fields]bool{}
	for _, field := range []int{fSubmit, fStart, fEnd} {
		rd.values[field] = math.NaN()
		for i := range columns {
			at := slices.IndexFunc(columns[i].values, func(b bound) bool { return b.field == field })
			if at >= 0 && math.IsNaN(rd.values[field]) && !cells[i].null() {
				rd.values[field], _, _ = rd.value(&columns[i].values[at], &cells[i], -1) // cell reports what cannot be read
			}
		}
	}
	r.first = rd.beginsAtZero()
	for i := range cells { // first, for nothing of a row that is left out gets a name
		if columns[i].needed {
			if _, readable := r.cell(rd, &columns[i], &cells[i]); !readable {
				return false
			}
		}
	}
	for i := range cells {
		text, readable := r.cell(rd, &columns[i], &cells[i])
		if line[i] = text; !readable {
			r.Empty++
		}
	}
	return true
}

// cell returns the text to write for a cell, and "" and false where the cell is not as the map says.
func (r *redactor) cell(rd *reader, c *column, cell *Cell) (string, bool) {
	text := cell.Text
	if c.kept || cell.null() {
		return string(text), true
	}
	if c.state {
		s := &rd.m.States
		if text = word(text); !contains(slices.Concat(s.Completed, s.Failed, s.Cancelled), text) {
			return r.note(c.name, r.Name("STATE", text)), true
		}
		return string(text), true
	}
	if contains(c.is, text) {
		return string(text), true
	}
	switch c.class {
	case "":
	case "job":
		return r.note(c.name, r.Number(c.class, text)), true
	default:
		return r.note(c.name, r.Name(c.class, text)), true
	}
	for i := range c.values {
		switch b := &c.values[i]; {
		case b.how == asTRES:
			return r.resources(c, text), true
		default:
			if _, ok, err := rd.value(b, cell, -1); ok || err != nil { // a time that wants a zone is one
				return r.moved(b, bytes.TrimSpace(text))
			}
		}
	}
	return "", false
}

// moved is a value with the weeks added where it is a time.
func (r *redactor) moved(b *bound, text []byte) (string, bool) {
	switch {
	case r.Weeks == 0 || b.how != asDate && b.how != asEpoch:
	case b.how == asDate:
		layout := "2006-01-02"
		if b.Unit == "us-date" {
			layout = "01/02/2006"
		}
		day, err := time.Parse(layout, string(text[:len(layout)]))
		if err != nil { // such as 31 April, which readers count on
			return "", false
		}
		return day.AddDate(0, 0, 7*r.Weeks).Format(layout) + string(text[len(layout):]), true
	default:
		week := int64(7 * 86400 / b.scale)
		first := r.first && (b.field == fSubmit || b.field == fStart) // else 0 is never, to databases
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && (n != 0 || first) {
			return strconv.FormatInt(n+int64(r.Weeks)*week, 10), true
		} else if x, ok := swf.Decimal(text); ok && x != 0 {
			return strconv.FormatFloat(x+float64(r.Weeks)*float64(week), 'f', -1, 64), true
		}
	}
	return string(text), true
}

// resources writes a list such as cpu=4,mem=8G,license/name=1 with the names of
// licences and the like replaced.
func (r *redactor) resources(c *column, text []byte) string {
	var kept []string
	for item := range bytes.SplitSeq(text, []byte(",")) {
		k, v, _ := bytes.Cut(item, []byte("="))
		if _, _, ok := memoryText(v, megabyte); !ok {
			continue
		}
		key := string(k)
		_, err := strconv.ParseUint(key, 10, 16)
		known := err == nil || slices.Contains([]string{"cpu", "mem", "node", "billing", "energy", "gres/gpu"}, key)
		if !known && !slices.ContainsFunc(c.values, func(b bound) bool { return b.Key == key }) {
			class, rest, found := bytes.Cut(k, []byte("/"))
			if found && slices.Contains([]string{"license", "gres", "fs", "ic", "bb"}, string(class)) {
				key = string(class) + "/" + r.Name(string(class), rest)
			} else {
				key = r.Name("tres", k)
			}
			r.note(c.name, key)
		}
		kept = append(kept, key+"="+string(v))
	}
	return strings.Join(kept, ",")
}

// writeLine writes fields with what a reader needs to tell them apart.
func writeLine(out *bufio.Writer, fields []string, separator byte, quotes bool) error {
	for i, f := range fields {
		if i > 0 {
			out.WriteByte(separator) // Flush returns the first error
		}
		if quotes && strings.ContainsAny(f, string(separator)+"\"\r\n") {
			f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
		} else if !quotes {
			f = strings.NewReplacer(string(separator), " ", "\n", " ", "\r", " ").Replace(f)
		}
		out.WriteString(f)
	}
	return out.WriteByte('\n')
}

// class returns the class of the names in a column that the map does not mention.
func class(column string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(column)), "text")
}

// everything is a table that reads all columns. The map uses only some of them.
type everything struct {
	*CSV
	left *int
	used []int // the columns of the map
}

// describe returns the properties of each column that decide its output.
func (w *everything) describe(rd *reader, keep []string) []column {
	all := make([]column, len(w.columns))
	for i, name := range w.columns {
		all[i] = column{name: name, kept: slices.Contains(keep, name), state: rd.state >= 0 && w.used[rd.state] == i}
	}
	for _, b := range rd.columns {
		c := &all[w.used[b.cell]]
		c.needed = c.needed || slices.Contains(needed, b.Field) && !b.again
		switch c.values = append(c.values, b); b.Field {
		case "user", "group", "account", "queue", "partition", "property":
			c.class = b.Field
		case "id", "preceding":
			c.class = "job"
		}
	}
	for _, f := range rd.filters {
		c := &all[w.used[f.cell]]
		c.is = append(c.is, f.Is...)
	}
	for i := range all {
		if c := &all[i]; len(c.values) == 0 && !c.state && len(c.is) == 0 {
			c.class = class(c.name)
		}
	}
	return all
}

func (w *everything) Use(columns []int, fit Fit, _ Found) {
	all := make([]int, len(w.columns))
	for i := range all {
		all[i] = i
	}
	w.used = slices.Clone(columns)
	w.CSV.Use(all, func(cell int, text []byte) int {
		if k := slices.Index(columns, cell); k >= 0 {
			return fit(k, text)
		}
		return 0
	}, func(_ string, action swf.Action, _ string, _ int) {
		if action == swf.Dropped {
			*w.left++
		}
	})
	for i := range w.compared { // texts are replaced whichever column they stand in
		w.compared[i] = slices.Contains(columns, i)
	}
}

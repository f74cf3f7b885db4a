package logtable

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/swf"
)

// Translation replaces texts consistently: the same text of the same class becomes
// the same name always, such as user0001.
type Translation struct {
	classes map[string]map[string]string
	rows    [][3]string // class, text, name in order of appearance
}

// ReadTranslation goes on with a translation that was written before; nil begins one.
func ReadTranslation(name string, r io.Reader) (*Translation, error) {
	t := &Translation{classes: map[string]map[string]string{}}
	if r == nil {
		return t, nil
	}
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = 3
	for at := 0; ; at++ {
		row, err := rows.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: this is no translation table (class,text,name): %w", name, err)
		}
		if at > 0 {
			t.enter(row[0], row[1], row[2])
		}
	}
}

func (t *Translation) enter(class, text, name string) {
	if t.classes[class] == nil {
		t.classes[class] = map[string]string{}
	}
	t.classes[class][text] = name
	t.rows = append(t.rows, [3]string{class, text, name})
}

// Name is what stands for a text of a class.
func (t *Translation) Name(class string, text []byte) string {
	if name, ok := t.classes[class][string(text)]; ok {
		return name
	}
	name := fmt.Sprintf("%s%04d", class, len(t.classes[class])+1)
	t.enter(class, string(text), name)
	return name
}

func (t *Translation) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"class", "text", "name"}); err != nil {
		return err
	}
	for _, row := range t.rows {
		if err := out.Write(row[:]); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Redacted says what [Redact] did.
type Redacted struct {
	// Rows is how many were written, Left how many were left out, for they could
	// not be read.
	Rows, Left int
	// Kept and Replaced are the columns, Replaced with how many different texts.
	Kept, Replaced []string
}

// redactor replaces texts, and counts the different names by where they stand.
type redactor struct {
	Redacted
	*Translation
	names map[string]map[string]bool
}

func newRedactor(t *Translation) *redactor {
	return &redactor{Translation: t, names: map[string]map[string]bool{}}
}

// replace is what stands for a text of a class in a column.
func (r *redactor) replace(column, class string, text []byte) string {
	if r.names[column] == nil {
		r.names[column] = map[string]bool{}
	}
	name := r.Name(class, text)
	r.names[column][name] = true
	return name
}

func (r *redactor) replaced(column string) {
	r.Replaced = append(r.Replaced, fmt.Sprintf("%s (%d)", column, len(r.names[column])))
}

// Redact writes a table in lines with the texts of all columns replaced but those
// that the map takes for times, numbers, states, queues or partitions, and those in
// keep. A final state keeps its first word, for what stands behind it may be a user.
func Redact(name string, r io.Reader, w io.Writer, m *Map, keep []string, t *Translation) (*Redacted, error) {
	rows, err := NewCSV(name, r, m)
	if err != nil {
		return nil, err
	}
	for _, k := range keep {
		if !slices.Contains(rows.columns, k) {
			return nil, fmt.Errorf("%s has no column %q that could be kept; it has %s", name, k, strings.Join(rows.columns, ", "))
		}
	}
	done := newRedactor(t)
	rd := &reader{name: name, m: m, build: swf.NewBuilder(name), strange: map[string]string{}}
	if err := rd.bind(&everything{CSV: rows, left: &done.Left}); err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	line := make([]string, len(rows.columns))
	if len(m.Header) == 0 {
		if err := writeLine(out, rows.columns, rows.separator, m.Quotes); err != nil {
			return nil, err
		}
	}
	classes := make([]string, len(rows.columns))
	for i, c := range rows.columns {
		if classes[i] = class(m, c); slices.Contains(keep, c) {
			classes[i] = ""
		}
	}
	for {
		cells, _, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rows.fits(cells), func(fit int) bool { return fit < 0 }) {
			done.Left++ // what stands where a time should may be anything
			continue
		}
		for i := range cells {
			text := cells[i].Text
			switch {
			case rows.columns[i] == m.States.Column:
				line[i] = string(word(text))
			case classes[i] == "" || cells[i].null():
				line[i] = string(text)
			default:
				line[i] = done.replace(rows.columns[i], classes[i], text)
			}
		}
		if err := writeLine(out, line, rows.separator, m.Quotes); err != nil {
			return nil, err
		}
		done.Rows++
	}
	for i, c := range rows.columns {
		switch {
		case c == "":
		case classes[i] == "":
			done.Kept = append(done.Kept, c)
		default:
			done.replaced(c)
		}
	}
	return &done.Redacted, out.Flush()
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

// class is what the texts of a column are names of, "" where they are kept.
func class(m *Map, column string) string {
	if column == m.States.Column {
		return ""
	}
	for _, c := range m.Columns {
		if c.Column != column {
			continue
		}
		switch c.Field {
		case "user", "group", "account":
			return c.Field
		}
		return ""
	}
	lower := strings.ToLower(column)
	switch lower {
	case "user", "group", "account":
		return lower
	}
	return cmp.Or(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, lower), "text")
}

// everything is a table of which all columns are wanted, though only some are looked at.
type everything struct {
	*CSV
	left *int
}

func (w *everything) Use(columns []int, fit Fit, _ Found) error {
	all := make([]int, len(w.columns))
	for i := range all {
		all[i] = i
	}
	err := w.CSV.Use(all, func(cell int, text []byte) int {
		if k := slices.Index(columns, cell); k >= 0 {
			return fit(k, text)
		}
		return 0
	}, func(_ string, action swf.Action, _ string, _ int) {
		if action == swf.Dropped {
			*w.left++
		}
	})
	for i := range w.told { // texts are replaced whichever column they stand in
		w.told[i] = slices.Contains(columns, i)
	}
	return err
}

// RedactSWF writes a log with its users, groups and executables replaced, and the
// comments of its header, which may name people, left out but for those that count.
func RedactSWF(name string, r io.Reader, w io.Writer, t *Translation) (*Redacted, error) {
	l, err := lines.NewReader(name, r, text)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	done := newRedactor(t)
	done.Kept = []string{"all other fields"}
	fields := []struct {
		at    int
		class string
	}{{11, "user"}, {12, "group"}, {13, "executable"}}
	for {
		line, err := l.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if text, comment := bytes.CutPrefix(bytes.TrimSpace(line), []byte(";")); comment || len(text) == 0 {
			key, _, _ := strings.Cut(strings.TrimSpace(string(text)), ":")
			if slices.Contains([]string{"Version", "MaxProcs", "MaxNodes", "MaxJobs", "MaxRecords", "MaxRuntime", "UnixStartTime", "TimeZone",
				"TimeZoneString", "StartTime", "EndTime", "Preemption"}, key) {
				out.Write(line) // Flush returns the first error
				out.WriteByte('\n')
			}
			continue
		}
		f := bytes.Fields(line)
		if len(f) != swf.Fields && len(f) != swf.TodayFields {
			done.Left++
			continue
		}
		for _, x := range fields {
			if text := f[x.at]; string(text) != "-1" {
				name := done.replace(x.class, x.class, text)
				if _, numeric := number(text); numeric { // for readers that want numbers
					name = strings.TrimLeft(strings.TrimPrefix(name, x.class), "0")
				}
				f[x.at] = []byte(name)
			}
		}
		out.Write(bytes.Join(f, []byte(" ")))
		out.WriteByte('\n')
		done.Rows++
	}
	for _, x := range fields {
		if done.names[x.class] != nil {
			done.replaced(x.class)
		}
	}
	return &done.Redacted, out.Flush()
}

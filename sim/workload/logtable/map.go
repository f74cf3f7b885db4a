package logtable

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Map describes the fields of jobs in a table's columns. It is read from YAML.
type Map struct {
	Doc    string `sweep:"doc" doc:"description of the table"`
	Source string `sweep:"source" doc:"source of the description of the format"`
	Format string `sweep:"format" doc:"format of the rows" enum:"csv: lines with a separator|pbs: accounting records of PBS|json: objects of a JSON array, or one a line|parquet: Parquet"`
	// Separator is one character, tab or space. Among spaces lines that begin with a
	// semicolon are comments, as in SWF.
	Separator string   `sweep:"separator" doc:"separator of the fields of a line: one character, tab, or space for any number of blanks"`
	Quotes    bool     `sweep:"quotes" doc:"fields may stand in double quotes"`
	Header    []string `sweep:"header" doc:"names of the columns, where the file has no header"`
	Zone      string   `sweep:"zone" doc:"clock of times without a zone, such as Europe/Rome, UTC or UTC-7; empty: the workload must name one"`
	Columns   []Column `sweep:"columns" doc:"columns and their fields; of several columns for one field, the first that is not empty counts" required:"true"`
	Filters   []Filter `sweep:"filters" doc:"rows that count"`
	States    States   `sweep:"states" doc:"final states that count"`
	Free      []string `sweep:"free" doc:"columns in whose text separators or line breaks may stand unquoted"`
}

type Column struct {
	Field  string `sweep:"field" doc:"field that the column gives" required:"true" enum:"id|submit|start|end|wait|run_time|walltime|soft_walltime|processors|allocated|nodes|gpus|memory|memory_total|user|group|account|queue|partition|property|preceding|think_time|check"`
	Column string `sweep:"column" doc:"its name; in JSON a path such as attempts.last.end_time" required:"true"`
	Unit   string `sweep:"unit" doc:"unit or format of the value" default:"" enum:"|s|ms|min|h|d|clock|date|us-date|epoch|epoch_ms|epoch_us|epoch_ns|B|kB|MB|GB|KiB|MiB|GiB|slurm|pbs|percent|tres"`
	Key    string `sweep:"key" doc:"of a list such as cpu=4,mem=8G the part that counts" default:""`
}

// Filter keeps the rows whose column fits all conditions.
type Filter struct {
	Column string   `sweep:"column" doc:"the column" required:"true"`
	Or     string   `sweep:"or" doc:"column that serves where a table lacks that one" default:""`
	Is     []string `sweep:"is" doc:"its value is one of these"`
	Not    []string `sweep:"not" doc:"its value is none of these"`
	Lacks  string   `sweep:"lacks" doc:"its value does not contain this" default:""`
}

// States are a job's final states by which it counts. The text behind a blank, as in "CANCELLED by 1234", is left out.
type States struct {
	Column    string   `sweep:"column" doc:"the column; empty: every row counts"`
	Completed []string `sweep:"completed" doc:"states of jobs that did their work"`
	Failed    []string `sweep:"failed" doc:"states of jobs that did not"`
	Cancelled []string `sweep:"cancelled" doc:"states of jobs that a person ended"`
}

// Default is the map that a file's entries change.
func Default() Map { return Map{Format: "csv", Separator: ",", Quotes: true} }

func (m *Map) Validate(report func(field, message string)) {
	if m.Separator != "tab" && m.Separator != "space" && len(m.Separator) != 1 {
		report("separator", fmt.Sprintf("is %q; it must be one character of ASCII, tab or space", m.Separator))
	}
	if !m.has("submit") {
		report("columns", "have none that gives submit")
	}
	if !m.timed() {
		report("columns", "have none that gives run_time, nor two that give start and end")
	}
	if !m.sized() {
		report("columns", "have none that gives processors or allocated")
	}
	for i, c := range m.Columns {
		if want := units[c.Field]; !slices.Contains(want, c.Unit) {
			report(fmt.Sprintf("columns[%d].unit", i), c.unsuited()+suiting(want))
		}
		if (c.Unit == "tres") != (c.Key != "") {
			report(fmt.Sprintf("columns[%d].key", i), "goes with unit: tres, and that with a key")
		}
	}
	if m.Zone != "" {
		if _, err := Zone(m.Zone); err != nil {
			report("zone", strings.TrimPrefix(err.Error(), "zone "))
		}
	}
	if m.States.Column != "" && len(m.States.Completed)+len(m.States.Failed)+len(m.States.Cancelled) == 0 {
		report("states", "list none that counts")
	}
}

func (m *Map) has(field string) bool {
	return slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Field == field })
}

// timed reports whether the map gives run times, and sized whether it gives processors.
func (m *Map) timed() bool { return m.has("run_time") || m.has("start") && m.has("end") }
func (m *Map) sized() bool { return m.has("processors") || m.has("allocated") }

// complete reports whether jobs can be made of the columns.
func (m *Map) complete() bool { return m.has("submit") && m.timed() && m.sized() }

// suiting lists the possible units of a field.
func suiting(units []string) string {
	named := slices.DeleteFunc(slices.Clone(units), func(unit string) bool { return unit == "" })
	text := "; leave unit out"
	switch {
	case len(named) == len(units):
		text = "; give one of " + strings.Join(named, ", ")
	case len(named) > 0:
		text += ", or give one of " + strings.Join(named, ", ")
	}
	if slices.Contains(units, "epoch") {
		text += " (epoch: seconds from any origin)"
	}
	return text
}

func (m *Map) check() error {
	var all []string
	m.Validate(func(field, message string) { all = append(all, field+" "+message) })
	if len(all) > 0 {
		return fmt.Errorf("the column map: %s", strings.Join(all, "; "))
	}
	return nil
}

// names are the columns that the map speaks of, each once.
func (m *Map) names() (all []string) {
	for _, c := range m.Columns {
		all = append(all, c.Column)
	}
	for _, f := range m.Filters {
		all = append(all, f.Column, f.Or)
	}
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(append(all, m.States.Column), func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}

// The units that fields may have, the first that of guesses.
var (
	dates     = []string{"date", "us-date", "epoch", "epoch_ms", "epoch_us", "epoch_ns"}
	durations = []string{"s", "ms", "min", "h", "d", "clock"}
	counts    = []string{"", "percent", "tres"}
	memories  = []string{"B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "slurm", "pbs", "tres"}
	texts     = []string{""}
	units     = map[string][]string{
		"id": texts, "submit": dates, "start": dates, "end": dates, "wait": durations, "run_time": durations, "walltime": durations,
		"soft_walltime": durations, "processors": counts, "allocated": counts, "nodes": counts, "gpus": counts,
		"memory": memories, "memory_total": memories, "user": texts, "group": texts, "account": texts, "queue": texts, "partition": texts,
		"property": texts, "preceding": texts, "think_time": durations,
		"check": slices.Concat(dates, durations, counts, memories),
	}
)

// needed are the fields without which a row is no job.
var needed = []string{"submit", "start", "end", "run_time", "processors", "allocated"}

//go:embed maps/*.yaml
var shipped embed.FS

// Shipped are the names of the maps that come with the program, in order.
func Shipped() []string {
	files, err := fs.ReadDir(shipped, "maps")
	if err != nil {
		panic("logtable: the maps are not embedded: " + err.Error())
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// ShippedText is the YAML of a map that comes with the program.
func ShippedText(name string) ([]byte, bool) {
	text, err := shipped.ReadFile("maps/" + name + ".yaml")
	return text, err == nil
}

// unsuited returns the mistake in the unit of a column.
func (c *Column) unsuited() string {
	if c.Unit == "" {
		return "is missing for the field " + c.Field
	}
	return fmt.Sprintf("is %q, which does not suit the field %s", c.Unit, c.Field)
}

package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/store/golden"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep/params"
	"schedsweep/sweep/schema"
)

const reference = "../docs/reference"

// TestReference: the pages of the reference say what the program knows. go test ./cmd -run TestReference -update writes them.
func TestReference(t *testing.T) {
	pages := map[string]string{"verbs.md": verbsPage(t), "metrics.md": metricsPage()}
	for _, topic := range schema.Topics() {
		pages["manifest/"+topic.Name+".md"] = topicPage(topic)
	}
	for _, s := range input.Registry().Sections {
		pages["sections/"+s.Name+".md"] = sectionPage(t, s)
	}
	for _, folder := range []string{"manifest", "sections"} {
		if *golden.Update {
			if err := os.MkdirAll(filepath.Join(reference, folder), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		there, err := os.ReadDir(filepath.Join(reference, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range there {
			if pages[folder+"/"+f.Name()] == "" {
				t.Errorf("%s/%s is of nothing that there is", folder, f.Name())
			}
		}
	}
	pages["column-map.md"] = columnMapPage(t)
	index, err := os.ReadFile(filepath.Join(reference, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		golden.Check(t, filepath.Join(reference, name), text)
		if !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/reference/README.md has no link to %s", name)
		}
	}
	exits, err := os.ReadFile(filepath.Join(reference, "exit-codes.md"))
	if err != nil || !strings.Contains(string(exits), strings.TrimPrefix(exitCodesHelp, "Exit codes:\n\n")) {
		t.Errorf("docs/reference/exit-codes.md does not say what --help says (%v)", err)
	}
	outcomes, err := os.ReadFile(filepath.Join(reference, "errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range harness.Outcomes {
		if row := o != harness.Cancelled; strings.Contains(string(outcomes), fmt.Sprintf("\n| `%s` |", o)) != row {
			t.Errorf("docs/reference/errors.md on %s, of which there are rows: %t", o, row)
		}
	}
}

// topicPage is a topic of the guide to manifests. Its indented paragraphs are YAML, or tables.
func topicPage(topic schema.Topic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Manifest: %s\n\n", topic.Name)
	example := false
	for _, paragraph := range strings.Split(topic.Text, "\n\n") {
		if indented := strings.HasPrefix(paragraph, "    "); indented != example {
			first, _, _ := strings.Cut(paragraph, "\n")
			switch {
			case !indented:
				b.WriteString("```\n\n")
			case strings.Contains(first, ":"):
				b.WriteString("```yaml\n")
			default:
				b.WriteString("```text\n")
			}
			example = indented
		} else if example {
			b.WriteString("\n")
		}
		if example {
			paragraph = strings.TrimPrefix(strings.ReplaceAll(paragraph, "\n    ", "\n"), "    ")
		}
		b.WriteString(paragraph + "\n")
		if !example {
			b.WriteString("\n")
		}
	}
	if example {
		b.WriteString("```\n\n")
	}
	if len(topic.Fields) > 0 {
		b.WriteString("## Fields\n\n")
		fieldTable(&b, topic.Fields)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// sectionPage is a section of a manifest, kind by kind. Fields that all of several kinds have stand once.
func sectionPage(t *testing.T, s params.Section) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Section %s\n\n%s\n\n", s.Name, sentence(s.Doc))
	fields := make([][]params.Parameter, len(s.Kinds))
	of := map[string]int{} // field -> kinds that have it just so
	for i, k := range s.Kinds {
		var err error
		if fields[i], err = params.Parameters(k.Params); err != nil {
			t.Fatal(err)
		}
		for _, f := range fields[i] {
			of[fmt.Sprint(f)]++
		}
	}
	shared := func(f params.Parameter) bool { return len(s.Kinds) > 2 && of[fmt.Sprint(f)] == len(s.Kinds) }
	if len(s.Kinds) > 1 {
		b.WriteString("| kind | what |\n|:---|:---|\n")
		for _, k := range s.Kinds {
			name := "[`" + k.Name + "`](#" + k.Name + ")"
			if k.Name == s.Default {
				name += " (default)"
			}
			fmt.Fprintf(&b, "| %s | %s |\n", name, cell(k.Doc))
		}
		b.WriteString("\n")
		if all := slices.DeleteFunc(slices.Clone(fields[0]), func(f params.Parameter) bool { return !shared(f) }); len(all) > 0 {
			b.WriteString("## Fields of every kind\n\n")
			fieldTable(&b, all)
		}
	}
	for i, k := range s.Kinds {
		if k.Name != "" {
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", k.Name, sentence(k.Doc))
		}
		own := slices.DeleteFunc(fields[i], shared)
		switch {
		case len(own) > 0:
			fieldTable(&b, own)
		case len(fields[i]) == 0:
			b.WriteString("It has no fields.\n\n")
		default:
			b.WriteString("It has no fields of its own.\n\n")
		}
	}
	for _, f := range s.Shared {
		own, err := f.Parameters()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "## Field %s, of every kind, for the study %s\n\n", f.Name, f.For)
		fieldTable(&b, own)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func fieldTable(b *strings.Builder, fields []params.Parameter) {
	b.WriteString("| field | type | default | what |\n|:---|:---|:---|:---|\n")
	for _, f := range fields {
		kind, doc := f.Type, f.Doc
		if f.Unit != "" {
			kind += " (" + f.Unit + ")"
		}
		named := slices.DeleteFunc(slices.Clone(f.Values), func(v params.Choosable) bool { return v.Name == "" && v.Doc == "" })
		for i, v := range named { // values with texts form a list
			switch {
			case v.Doc != "":
				doc += "\x00`" + v.Name + "`: " + v.Doc
			case i == 0:
				doc += ": `" + v.Name + "`"
			default:
				doc += ", `" + v.Name + "`"
			}
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", f.Path, cell(kind), cell(table.Dash(f.Default)),
			strings.ReplaceAll(cell(doc), "\x00", "<br>"))
	}
	b.WriteString("\n")
}

// columnFields are the fields of a column map, and how a table gives them.
var columnFields = [][2]string{
	{"id", "the number of the job; the line's number without it, in JSON and Parquet the row's"},
	{"submit", "when the job was submitted"},
	{"start", "when it started; 0 in an epoch column means never, unless the job was submitted at 0"},
	{"end", "when it ended; 0 in an epoch column means never"},
	{"wait", "how long it waited; else start less submit"},
	{"run_time", "how long it ran; else end less start"},
	{"walltime", "the limit of its run time that the user requested; 4294967294 and 4294967295 are none, as in Slurm's database, " +
		"except in `clock`"},
	{"soft_walltime", "a run time below the limit that the user expects, such as soft_walltime of PBS"},
	{"processors", "the processors that it requested; else allocated"},
	{"allocated", "the processors that it got"},
	{"nodes", "how many nodes it requested"},
	{"gpus", "how many GPUs it requested"},
	{"memory", "memory per processor that it requested"},
	{"memory_total", "memory of the whole job; it is divided by the processors. At 0 the next column counts"},
	{"user", "a name or a number; both become numbers from 0 in order of appearance"},
	{"group", "likewise"},
	{"account", "likewise"},
	{"queue", "likewise; a QOS counts as a queue"},
	{"partition", "likewise"},
	{"property", "a feature of nodes that the job requires; likewise"},
	{"preceding", "the number of the job after which it was submitted"},
	{"think_time", "time between the end of that job and its submission"},
	{"check", "a column whose values are only tested: values that the unit cannot read are counted"},
}

// columnMaps begins the page of column maps. NAMES are the maps that are shipped.
const columnMaps = "# Column maps\n\n" + `A workload of kind 'table' reads a table of jobs by a column map. The map is a YAML file, or one that is shipped:
NAMES.
A row is a job. The map says which column gives which field, and in which unit.

1. 'schedsweep workload map jobs.csv > jobs.yaml' proposes a map. Each line shows a value of its column. Lines that begin with
   '# to be' need your decision.
2. Name the map in the manifest: 'workload: {kind: table, path: jobs.csv, map: jobs.yaml}'.
3. 'schedsweep workload describe jobs.csv --set map=jobs.yaml' shows the jobs, and counts the rows that are none.

A map needs 'submit', a run time ('run_time', or 'start' and 'end') and a size ('processors' or 'allocated'):

'''yaml
separator: ";"
columns:
  - {field: submit, column: dt, unit: epoch}
  - {field: run_time, column: wall_time, unit: s}
  - {field: walltime, column: wall_limit, unit: min}
  - {field: processors, column: n_tasks}
'''

Times in 'epoch' are seconds from any origin, so a log may begin at 0. Times in 'date' without a zone need 'zone'.

## Fields and their units

| field | what | units |
|:---|:---|:---|
`

// columnUnits explains units behind the fields.
const columnUnits = `
'date' begins with the year, as in '2024-03-01 12:34:56' or '2024-03-01T12:34:56+01:00', and 'us-date' with the month, as in '03/01/2024 12:34:56'. Rewrite other dates first. 'clock' is hours, minutes and seconds, such as '1-12:30:00', also with days in words, as in '1 day 12:30:00'. For durations of Parquet every unit of a time span does, such as 's', because the schema says what they count. 'slurm' is memory as Slurm writes it, such as '4Gn' or '500Mc', and a plain number is MB. 'pbs' is memory as PBS writes it, such as '4gb', and a plain number is bytes.
'tres' is a list such as 'cpu=4,mem=8G', and 'key' names the part that counts.
Without a part of that name its types count, such as 'gres/gpu:a100'. 'percent' counts 100 as one.

## All keys

`

func columnMapPage(t *testing.T) string {
	var b strings.Builder
	marked := strings.NewReplacer("'", "`", "NAMES", "`"+strings.Join(input.ShippedMaps(), "`, `")+"`")
	b.WriteString(marked.Replace(columnMaps))
	var units []string
	all, err := params.Parameters(logtable.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if strings.HasSuffix(f.Path, ".unit") {
			for _, v := range f.Values {
				units = append(units, v.Name)
			}
		}
		if !strings.HasSuffix(f.Path, ".field") {
			continue
		}
		if len(f.Values) != len(columnFields) {
			t.Errorf("a map has %d fields, and the page of column maps %d", len(f.Values), len(columnFields))
		}
	}
	for _, f := range columnFields {
		var suit []string
		for _, unit := range units {
			m := logtable.Map{Separator: ",", Columns: []logtable.Column{{Field: f[0], Unit: unit}}}
			known := true
			m.Validate(func(field, _ string) { known = known && field != "columns[0].unit" })
			if known && unit != "" {
				suit = append(suit, "`"+unit+"`")
			} else if known {
				suit = append(suit, "none")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f[0], f[1], strings.Join(suit, ", "))
	}
	b.WriteString(marked.Replace(columnUnits))
	fieldTable(&b, all)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func metricsPage() string {
	var b strings.Builder
	b.WriteString("# Metrics\n\nEach is a column of the instances dataset. A metric that a run does not define is null. ")
	b.WriteString("Metrics *by class* exist per class of jobs too, as `METRIC__CLASS`. Jobs that are rejected are in no mean, and jobs ")
	b.WriteString("that are killed count with the time that they ran. Means of runs with such jobs have a note. Medians ")
	b.WriteString("and percentiles are interpolated linearly between the two nearest values, and null above 1,048,576 jobs.\n\n")
	b.WriteString("| metric | unit | better | by class | definition |\n|:---|:---|:---|:---|:---|\n")
	reg := input.Registry()
	for _, m := range reg.Metrics {
		by, doc := "", m.Doc
		if slices.ContainsFunc(reg.ClassMetrics, func(c params.Metric) bool { return c.Name == m.Name }) {
			by = "yes"
		}
		if m.Source != "" {
			doc += " (" + m.Source + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.Name, m.Unit, m.Better, by, cell(doc))
	}
	return b.String()
}

func verbsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Verbs and options\n\n`schedsweep VERB --help` prints the same. The archives of a release have it as manual pages too.\n")
	var write func(prefix string, all []*cli.Command)
	write = func(prefix string, all []*cli.Command) {
		for _, c := range all {
			if c.Hidden {
				continue
			}
			var help strings.Builder
			args := append(append([]string{"schedsweep"}, strings.Fields(prefix)...), c.Name, "--help")
			env := environment{args: args, stdout: &help, stderr: io.Discard, getenv: func(name string) string {
				return map[string]string{"COLUMNS": "100"}[name]
			}}
			if code := execute(env); code != exitDone {
				t.Fatalf("%s ends with %d", strings.Join(args, " "), code)
			}
			fmt.Fprintf(&b, "\n## %s%s\n\n```text\n%s\n```\n", prefix, c.Name, strings.TrimSpace(trimmed(help.String())))
			write(prefix+c.Name+" ", c.Subcommands)
		}
	}
	write("", newApp(environment{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }}).Commands)
	return b.String()
}

// trimmed is text without blanks at the ends of its lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// cell is text in a cell of a table of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`).Replace(s)
}

// sentence is a short description as a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "."
}

// TestTraceHelp: the page of traces has all changes of holds, and the help of --trace all events of the page.
func TestTraceHelp(t *testing.T) {
	var texts [2]string
	for i, file := range []string{"../sim/trace/doc.go", "../sim/hold.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	page, holds := texts[0], texts[1]
	for _, m := range regexp.MustCompile(`return "([a-z]+)"`).FindAllStringSubmatch(holds, -1) {
		if !strings.Contains(page, "\n//\t"+m[1]+" ") {
			t.Errorf("the page of traces does not have the event %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`\n//\t([a-z]+) `).FindAllStringSubmatch(page, -1) {
		if name := m[1]; name != "event" && !regexp.MustCompile(`\b`+name+`\b`).MatchString(traceHelp) {
			t.Errorf("the help of --trace does not have the event %s", name)
		}
	}
}

package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/harness/store/golden"
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
}

// topicPage is a topic of the guide to manifests. Its indented examples are YAML.
func topicPage(topic schema.Topic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Manifest: %s\n\n", topic.Name)
	example := false
	for _, paragraph := range strings.Split(topic.Text, "\n\n") {
		if indented := strings.HasPrefix(paragraph, "    "); indented != example {
			b.WriteString(map[bool]string{true: "```yaml\n", false: "```\n\n"}[indented])
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
		for i, v := range f.Values { // values with texts form a list
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

func metricsPage() string {
	var b strings.Builder
	b.WriteString("# Metrics\n\nEach is a column of the instances dataset. A metric that a run does not define is null. ")
	b.WriteString("Metrics *by class* exist per class of jobs too, as `METRIC__CLASS`.\n\n")
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

package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep/params"
	"schedsweep/sweep/schema"
	"schedsweep/sweep/text"
)

func listCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "list",
		Usage:     "list the vocabulary of manifests: kinds, fields, axes, claims, metrics, columns",
		ArgsUsage: "[SECTION [KIND] | KIND | SECTION.FIELD | KIND.FIELD | TOPIC | metrics [TEXT] | presets | columns]",
		Description: `Lists every kind. Give a section, a kind, or both to list their fields with types,
defaults and meanings. Give the path of a field to list it for every kind that has
it. A path may begin with a kind instead. Give a topic to read how that part of a
manifest is written, with examples.
The topics are
` + join(topics()) + `.

` + example(`schedsweep list
schedsweep list policy
schedsweep list conservative
schedsweep list workload.estimates
schedsweep list manifest
schedsweep list claims
schedsweep list metrics wait`),
		Action: func(c *cli.Context) error { return list(env, c.Args().Slice()) },
	})
}

func list(env environment, args []string) error {
	p := &lister{printer: printer{w: env.stdout}, screen: env.screen()}
	reg := input.Registry()
	switch {
	case len(args) == 0:
		listKinds(p, reg)
	case args[0] == "metrics" && len(args) <= 2:
		return listMetrics(p, reg, strings.Join(args[1:], ""))
	case len(args) == 1 && slices.ContainsFunc(reg.Metrics, func(m params.Metric) bool { return m.Name == args[0] }):
		return listMetrics(p, reg, args[0])
	case len(args) == 1 && args[0] == "presets":
		var rows [][]string
		for _, pr := range input.Presets() {
			rows = append(rows, []string{string(pr.Name), pr.Doc})
		}
		p.rows(rows)
	case len(args) == 1 && args[0] == "columns":
		listColumns(p)
	case slices.Contains([]string{"metrics", "presets", "columns"}, args[0]):
		return misuse("list %s takes no argument %q; see schedsweep list --help", args[0], args[len(args)-1])
	default:
		for _, t := range schema.Topics() {
			if t.Name == args[0] {
				if len(args) > 1 {
					return misuse("list %s takes no further argument", t.Name)
				}
				p.printf("%s\n\n", wrapped(t.Text, p.screen))
				printFields(p, t.Fields)
				return p.err
			}
		}
		if len(args) == 1 && strings.Contains(args[0], ".") {
			return listPath(p, reg, args[0])
		}
		return listFields(p, reg, args)
	}
	return p.err
}

// wrapped breaks the paragraphs of a text and the items of its lists, but not indented paragraphs.
func wrapped(text string, to table.Terminal) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			continue
		}
		items := strings.Split(p, "\n- ")
		for k, item := range items {
			words := strings.Join(strings.Fields(item), " ")
			if k > 0 {
				words = "- " + words
			}
			items[k] = to.Wrap(words)
		}
		paragraphs[i] = strings.Join(items, "\n")
	}
	return strings.Join(paragraphs, "\n\n")
}

type lister struct {
	printer
	screen table.Terminal
}

// rows are aligned at the left; their last texts, which explain, wrap.
func (p *lister) rows(rows [][]string) {
	if len(rows) == 0 {
		return
	}
	t := table.Table{ID: "list", Columns: make([]table.Column, len(rows[0]))}
	t.Columns[min(1, len(rows[0])-1)].Wrap = true // not at the right, where these are numbers
	t.Columns[len(rows[0])-1].Wrap = true
	for _, r := range rows {
		t.Rows = append(t.Rows, table.Row{Cells: text.Each(r, table.Text)})
	}
	if p.err == nil {
		p.err = t.WriteScreen(p.w, p.screen)
	}
}

func listable(given []string) []string {
	reg := input.Registry()
	if len(given) == 0 {
		names := text.Each(reg.Sections, func(s params.Section) string { return s.Name })
		return append(append(names, topics()...), "metrics", "presets", "columns")
	}
	var names []string
	for _, s := range reg.Sections {
		for _, k := range s.Kinds {
			if s.Name == given[0] && k.Name != "" && len(given) == 1 {
				names = append(names, k.Name)
			}
		}
	}
	return names
}

func listColumns(p *lister) {
	for i, d := range rows.Datasets() {
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s\n\n", p.screen.Wrap(d.Name+": "+d.Doc))
		rows := [][]string{{"name", "type", "unit", "definition"}}
		for _, c := range d.Columns {
			kind := c.Type.String()
			if c.Nullable {
				kind += " or null"
			}
			rows = append(rows, []string{c.Name, kind, table.Dash(c.Unit), c.Doc})
		}
		p.rows(rows)
	}
}

// listMetrics lists the metrics whose names hold the part or, where none does,
// whose meanings do.
func listMetrics(p *lister, reg *params.Registry, part string) error {
	holding := func(of func(params.Metric) string) []params.Metric {
		return text.Those(reg.Metrics, func(m params.Metric) bool { return strings.Contains(strings.ToLower(of(m)), strings.ToLower(part)) })
	}
	found := holding(func(m params.Metric) string { return m.Name })
	if found == nil {
		found = holding(func(m params.Metric) string { return m.Doc })
	}
	if found == nil {
		return misuse("no metric has %q in its name or its meaning; see schedsweep list metrics", part)
	}
	var rows [][]string
	for _, m := range found {
		doc := m.Doc
		if m.Better != "" {
			doc += "; " + m.Better + " is better"
		}
		if slices.ContainsFunc(reg.ClassMetrics, func(c params.Metric) bool { return c.Name == m.Name }) {
			doc += "; also by class"
		}
		if m.Source != "" {
			doc += " (" + m.Source + ")"
		}
		rows = append(rows, []string{m.Name, table.Dash(m.Unit), doc})
	}
	p.rows(rows)
	return p.err
}

// unlisted reports a name that list does not know. It names metrics and a few fields with such a name or value, or else the nearest name.
func unlisted(reg *params.Registry, name string) error {
	names, stem := listable(nil), strings.TrimSuffix(name, "s")
	for _, s := range reg.Sections {
		names = append(names, text.Each(s.Kinds, func(k params.Kind) string { return k.Name })...)
	}
	var found, choosing []string
	add := func(to *[]string, path string) {
		if !slices.Contains(*to, path) {
			*to = append(*to, path)
		}
	}
	err := eachField(reg, func(of string, f params.Parameter) {
		path, _, _ := strings.Cut("."+f.Path, "."+stem)
		if rest, _, _ := strings.Cut(f.Path[min(len(path), len(f.Path)):], "."); len(stem) > 3 && rest != "" {
			add(&found, strings.TrimSuffix(of+path+"."+rest, "[]"))
		}
		if slices.ContainsFunc(f.Values, func(v params.Choosable) bool { return v.Name == name }) {
			add(&choosing, of+"."+f.Path)
		}
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(found, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
	found = append(choosing, found...)
	if slices.ContainsFunc(reg.Metrics, func(m params.Metric) bool { return strings.Contains(m.Name, name) }) {
		found = append([]string{"metrics " + name}, found...)
	}
	near := text.Nearest(name, names)
	switch {
	case len(found) > 0:
		return misuse("nothing is called %q; try schedsweep list with %s", name, strings.Join(found[:min(len(found), 4)], ", or "))
	case near != "":
		return misuse("nothing is called %q; did you mean schedsweep list %s?", name, near)
	}
	return misuse("nothing is called %q; %s", name, text.MeantOneOf(name, listable(nil)))
}

func topics() []string {
	return text.Each(schema.Topics(), func(t schema.Topic) string { return t.Name })
}

func listKinds(p *lister, reg *params.Registry) {
	var rows [][]string
	for _, s := range reg.Sections {
		rows = append(rows, []string{s.Name, "", s.Doc})
		rows = append(rows, kindRows(s)...)
	}
	p.rows(append(rows, [][]string{
		{"manifest", "", "how a manifest is written: schedsweep list manifest; also " + join(topics()[1:])},
		{"metrics", "", "numbers of a run: schedsweep list metrics"},
		{"presets", "", "platforms of published studies: schedsweep list presets"},
		{"columns", "", "columns of the datasets: schedsweep list columns"},
	}...))
}

func kindRows(s params.Section) [][]string {
	var rows [][]string
	for _, k := range s.Kinds {
		if k.Name == "" {
			continue
		}
		name := k.Name
		if name == s.Default {
			name += " (default)"
		}
		rows = append(rows, []string{"", name, k.Doc})
	}
	return rows
}

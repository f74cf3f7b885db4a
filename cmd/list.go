package cmd

import (
	"fmt"
	"reflect"
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
		ArgsUsage: "[SECTION [KIND] | KIND | SECTION.FIELD | TOPIC | metrics [TEXT] | presets | columns]",
		Description: `Lists every kind. Give a section, a kind, or both to list their fields with types,
defaults and meanings. Give the path of a field to list it for every kind that has
it. Give a topic to read how that part of a manifest is written, with examples.
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
			if path, is := strings.CutPrefix(args[0], t.Name+"."); is && len(args) == 1 && below(t.Fields, path) != nil {
				printFields(p, below(t.Fields, path))
				return p.err
			}
		}
		if section, path, dotted := strings.Cut(args[0], "."); dotted && len(args) == 1 {
			return listPath(p, reg, section, path)
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

// below are the field of a path and those within it, nil for none.
func below(fields []params.Parameter, path string) []params.Parameter {
	return text.Those(fields, func(f params.Parameter) bool {
		return f.Path == path || strings.HasPrefix(f.Path, path+".") || strings.HasPrefix(f.Path, path+"[].") || within(f.Path, path)
	})
}

// within reports whether a path leads to the field in one element of a list or map: classes.0.jobs and classes[0].jobs to classes[].jobs.
func within(field, path string) bool {
	parts := func(path string) []string {
		return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
	}
	return slices.EqualFunc(parts(strings.ReplaceAll(field, "[]", "[<number>]")), parts(path), func(is, given string) bool {
		return is == given || strings.HasPrefix(is, "<")
	})
}

// fieldEnding is the section and the path of the one field whose path ends in name; "" where there is none, or several.
func fieldEnding(reg *params.Registry, name string) (section, path string) {
	for _, s := range reg.Sections {
		for _, k := range s.Kinds {
			fields, err := params.Parameters(k.Params)
			for _, f := range fields {
				if err != nil || !strings.HasSuffix("."+f.Path, "."+name) || section == s.Name && path == f.Path {
					continue
				}
				if section != "" {
					return "", ""
				}
				section, path = s.Name, f.Path
			}
		}
	}
	return section, path
}

// listPath lists a field, or the fields below it, in all kinds of the section:
// once where several kinds have the same.
func listPath(p *lister, reg *params.Registry, section, path string) error {
	at := slices.IndexFunc(reg.Sections, func(s params.Section) bool { return s.Name == section })
	if at < 0 {
		if of, whole := fieldEnding(reg, section+"."+path); of != "" {
			return listPath(p, reg, of, whole)
		}
		return unlisted(reg, section)
	}
	if path == params.KindKey && len(reg.Sections[at].Kinds) > 1 {
		p.rows(kindRows(reg.Sections[at]))
		return p.err
	}
	type same struct {
		fields []params.Parameter
		kinds  []string
	}
	var all []same
	var known []string
	look := func(kind string, fields []params.Parameter) {
		for _, f := range fields {
			known = append(known, f.Path)
		}
		found := below(fields, path)
		if found == nil {
			return
		}
		twin := slices.IndexFunc(all, func(s same) bool { return reflect.DeepEqual(s.fields, found) })
		if twin < 0 {
			all = append(all, same{fields: found})
			twin = len(all) - 1
		}
		all[twin].kinds = append(all[twin].kinds, kind)
	}
	for _, k := range reg.Sections[at].Kinds {
		fields, err := params.Parameters(k.Params)
		if err != nil {
			return err
		}
		look(table.Dash(k.Name), fields)
	}
	for _, s := range reg.Sections[at].Shared {
		fields, err := s.Parameters()
		if err != nil {
			return err
		}
		look("of every kind, for the study "+s.For, fields)
	}
	if all == nil {
		hint := ""
		if near := text.Nearest(path, known); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", section+"."+near)
		}
		return misuse("no kind of %s has a field %q%s; schedsweep list %s lists them", section, path, hint, section)
	}
	for i, s := range all {
		if i > 0 {
			p.printf("\n")
		}
		if len(reg.Sections[at].Kinds) > 1 {
			p.printf("%s %s\n", section, join(s.kinds))
		}
		printFields(p, s.fields)
	}
	return p.err
}

// unlisted reports a name that list does not know. It names metrics and a few fields with such a name, or else the nearest name.
func unlisted(reg *params.Registry, name string) error {
	names, stem := listable(nil), strings.TrimSuffix(name, "s")
	var found []string
	for _, s := range reg.Sections {
		for _, k := range s.Kinds {
			names = append(names, k.Name)
			fields, err := params.Parameters(k.Params)
			if err != nil {
				return err
			}
			for _, f := range fields {
				path, _, _ := strings.Cut("."+f.Path, "."+stem)
				rest, _, _ := strings.Cut(f.Path[min(len(path), len(f.Path)):], ".")
				if path = s.Name + path + "." + rest; len(stem) > 3 && rest != "" && !slices.Contains(found, path) {
					found = append(found, path)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
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

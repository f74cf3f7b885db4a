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
		Usage:     "list what a manifest can say: kinds, fields, axes, claims, metrics, columns",
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
	case len(args) == 1 && args[0] == "presets":
		var rows [][]string
		for _, pr := range input.Presets() {
			rows = append(rows, []string{string(pr.Name), pr.Doc})
		}
		p.rows(rows)
	case len(args) == 1 && args[0] == "columns":
		listColumns(p)
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
		if section, path, dotted := strings.Cut(args[0], "."); dotted && len(args) == 1 {
			return listPath(p, reg, section, path)
		}
		return listFields(p, reg, args)
	}
	return p.err
}

// wrapped breaks the paragraphs of a text, but not indented ones.
func wrapped(text string, to table.Terminal) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = to.Wrap(strings.ReplaceAll(p, "\n", " "))
		}
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
		var cells []table.Cell
		for _, cell := range r {
			cells = append(cells, table.Text(cell))
		}
		t.Rows = append(t.Rows, table.Row{Cells: cells})
	}
	if p.err == nil {
		p.err = t.WriteScreen(p.w, p.screen)
	}
}

func listable(given []string) []string {
	reg := input.Registry()
	if len(given) == 0 {
		names := text.Names(reg.Sections, func(s params.Section) string { return s.Name })
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
	holding := func(of func(params.Metric) string) (found []params.Metric) {
		for _, m := range reg.Metrics {
			if strings.Contains(strings.ToLower(of(m)), strings.ToLower(part)) {
				found = append(found, m)
			}
		}
		return found
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

// listPath lists a field, or the fields below it, in all kinds of the section:
// once where several kinds have the same.
func listPath(p *lister, reg *params.Registry, section, path string) error {
	at := slices.IndexFunc(reg.Sections, func(s params.Section) bool { return s.Name == section })
	if at < 0 {
		return unlisted(section)
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
		var found []params.Parameter
		for _, f := range fields {
			known = append(known, f.Path)
			if f.Path == path || strings.HasPrefix(f.Path, path+".") || strings.HasPrefix(f.Path, path+"[].") {
				found = append(found, f)
			}
		}
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

// unlisted reports a name that list does not know.
func unlisted(name string) error {
	return misuse("nothing is called %q; %s", name, text.MeantOneOf(name, listable(nil)))
}

func topics() []string {
	return text.Names(schema.Topics(), func(t schema.Topic) string { return t.Name })
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

func listFields(p *lister, reg *params.Registry, args []string) error {
	for _, s := range reg.Sections {
		if s.Name != args[0] {
			continue
		}
		if len(args) == 1 {
			return listSection(p, s)
		}
		at := slices.IndexFunc(s.Kinds, func(k params.Kind) bool { return k.Name == args[1] })
		if at < 0 || len(args) > 2 {
			kinds := text.Names(s.Kinds, func(k params.Kind) string { return k.Name })
			return misuse("%s has no kind %q; %s", s.Name, args[1], text.MeantOneOf(args[1], kinds))
		}
		fields, err := params.Parameters(s.Kinds[at].Params)
		if err != nil {
			return err
		}
		printKind(p, s, s.Kinds[at], fields, "")
		return printShared(p, s, true)
	}
	return listKindsNamed(p, reg, args)
}

// listKindsNamed lists the kinds of that name in all sections.
func listKindsNamed(p *lister, reg *params.Registry, args []string) error {
	found := false
	for _, s := range reg.Sections {
		if len(args) > 1 || !slices.ContainsFunc(s.Kinds, func(k params.Kind) bool { return k.Name == args[0] }) {
			continue
		}
		found = true
		if err := listFields(p, reg, []string{s.Name, args[0]}); err != nil {
			return err
		}
	}
	if !found {
		return unlisted(args[0])
	}
	return p.err
}

// listSection lists the kinds of a section. Fields that most kinds have alike are listed once, below the kinds.
func listSection(p *lister, s params.Section) error {
	own := make([][]params.Parameter, len(s.Kinds))
	for i, k := range s.Kinds {
		var err error
		if own[i], err = params.Parameters(k.Params); err != nil {
			return err
		}
	}
	common := commonFields(own)
	for i, k := range s.Kinds {
		var fields []params.Parameter
		lacking, others := text.Names(common, func(f params.Parameter) string { return f.Path }), []string(nil)
		for _, f := range own[i] {
			at := slices.IndexFunc(common, func(g params.Parameter) bool { return butDefault(f, g) })
			if at < 0 {
				fields = append(fields, f)
				continue
			}
			lacking = slices.DeleteFunc(lacking, func(path string) bool { return path == f.Path })
			if f.Default != common[at].Default {
				others = append(others, f.Path+" "+f.Default)
			}
		}
		says := ""
		if len(lacking) < len(common) {
			says = "also: the common fields below"
		}
		if len(others) > 0 {
			says += ", by default with " + join(others)
		}
		if says != "" && len(lacking) > 0 {
			says += ", but not " + join(lacking)
		}
		printKind(p, s, k, fields, says)
	}
	if len(common) > 0 {
		p.printf("%s\n", p.screen.Wrap(s.Name+": common fields of the kinds"))
		printFields(p, common)
		p.printf("\n")
	}
	return printShared(p, s, false)
}

// butDefault reports whether two fields are equal but for their defaults.
func butDefault(f, g params.Parameter) bool {
	f.Default = g.Default
	return reflect.DeepEqual(f, g)
}

// commonFields returns the fields that more than half of several kinds share, in the order of the kinds. Each has the default
// that most of these kinds have.
func commonFields(of [][]params.Parameter) (common []params.Parameter) {
	for i, fields := range of {
		for _, f := range fields {
			alike := func(g params.Parameter) bool { return butDefault(f, g) }
			defaults := map[string]int{}
			kinds := 0
			for _, other := range of[i:] {
				if at := slices.IndexFunc(other, alike); at >= 0 {
					kinds++
					defaults[other[at].Default]++
				}
			}
			if len(of) > 1 && 2*kinds > len(of) && !slices.ContainsFunc(common, alike) {
				for name, n := range defaults {
					if most := defaults[f.Default]; n > most || n == most && name < f.Default {
						f.Default = name
					}
				}
				common = append(common, f)
			}
		}
	}
	return common
}

// printKind lists fields of a kind, and says which others it has.
func printKind(p *lister, s params.Section, k params.Kind, fields []params.Parameter, others string) {
	if k.Name != "" {
		p.printf("%s\n", p.screen.Wrap(fmt.Sprintf("%s %s: %s", s.Name, k.Name, k.Doc)))
	} else {
		p.printf("%s\n", p.screen.Wrap(s.Name+": "+s.Doc))
	}
	printFields(p, fields)
	if others != "" {
		p.printf("%s\n", p.screen.Wrap("  "+others))
	}
	p.printf("\n")
}

// printShared lists the fields that all kinds of a section take for single studies,
// or, briefly, where they are listed.
func printShared(p *lister, s params.Section, briefly bool) error {
	if briefly && len(s.Shared) > 0 {
		var names []string
		for _, f := range s.Shared {
			names = append(names, s.Name+"."+f.Name)
		}
		p.printf("%s\n", p.screen.Wrap("Every kind also takes the fields of single studies; schedsweep list shows them: "+join(names)+"."))
		return p.err
	}
	for _, f := range s.Shared {
		fields, err := f.Parameters()
		if err != nil {
			return err
		}
		p.printf("%s\n", p.screen.Wrap(fmt.Sprintf("%s of every kind, for the study %s: %s", s.Name, f.For, f.Doc)))
		printFields(p, fields)
		p.printf("\n")
	}
	return p.err
}

func printFields(p *lister, fields []params.Parameter) {
	var rows [][]string
	for _, f := range fields {
		typ := f.Type
		if f.Unit != "" {
			typ += " (" + f.Unit + ")"
		}
		doc := f.Doc
		if len(f.Values) > 0 && f.Values[0].Doc == "" {
			doc += ": " + join(text.Names(f.Values, func(v params.Choosable) string { return v.Name }))
			f.Values = nil
		}
		rows = append(rows, []string{"  " + f.Path, typ, f.Default, doc})
		for _, v := range f.Values {
			rows = append(rows, []string{"", "", "", "  " + v.Name + ": " + v.Doc})
		}
	}
	p.rows(rows)
}

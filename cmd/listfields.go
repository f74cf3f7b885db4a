package cmd

import (
	"fmt"
	"reflect"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

func listFields(p *lister, reg *params.Registry, args []string) error {
	for _, s := range reg.Sections {
		if s.Name != args[0] {
			continue
		}
		if len(args) == 1 {
			return listSection(p, s)
		}
		if s.Kinds[0].Name == "" {
			return misuse("%s has no kinds; schedsweep list %s shows its fields", s.Name, s.Name)
		}
		at := slices.IndexFunc(s.Kinds, func(k params.Kind) bool { return k.Name == args[1] })
		if at >= 0 && len(args) > 2 {
			return misuse("list %s %s takes no further argument; schedsweep list %s.FIELD shows a field", s.Name, args[1], s.Name)
		}
		if at < 0 {
			kinds := text.Each(s.Kinds, func(k params.Kind) string { return k.Name })
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
		return unlisted(reg, args[0])
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
		lacking, others := text.Each(common, func(f params.Parameter) string { return f.Path }), []string(nil)
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
		names := text.Each(s.Shared, func(f params.Shared) string { return s.Name + "." + f.Name })
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
			doc += ": " + join(text.Each(f.Values, func(v params.Choosable) string { return v.Name }))
			f.Values = nil
		}
		rows = append(rows, []string{"  " + f.Path, typ, f.Default, doc})
		for _, v := range f.Values {
			rows = append(rows, []string{"", "", "", "  " + v.Name + ": " + v.Doc})
		}
	}
	p.rows(rows)
}

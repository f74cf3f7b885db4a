package cmd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"schedsweep/analysis/table"
	"schedsweep/sweep/params"
	"schedsweep/sweep/schema"
	"schedsweep/sweep/text"
)

// below are the field of a path and those within it, nil for none. The marks of lists may be left out.
func below(fields []params.Parameter, path string) []params.Parameter {
	bare := func(path string) string { return strings.ReplaceAll(path, "[]", "") + "." }
	return text.Those(fields, func(f params.Parameter) bool {
		return strings.HasPrefix(bare(f.Path), bare(path)) || within(f.Path, path)
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

// eachField visits the fields of all kinds and topics, with the name of their section or topic.
func eachField(reg *params.Registry, visit func(of string, f params.Parameter)) error {
	for _, s := range reg.Sections {
		for _, k := range s.Kinds {
			fields, err := params.Parameters(k.Params)
			if err != nil {
				return err
			}
			for _, f := range fields {
				visit(s.Name, f)
			}
		}
	}
	for _, t := range schema.Topics() {
		for _, f := range t.Fields {
			visit(t.Name, f)
		}
	}
	return nil
}

// pathEnding is the whole path of the one field whose path ends in name, without marks of lists; "" where there is none, or several.
func pathEnding(reg *params.Registry, name string) (path string, err error) {
	several := false
	err = eachField(reg, func(of string, f params.Parameter) {
		if whole := strings.ReplaceAll(of+"."+f.Path, "[]", ""); strings.HasSuffix(whole, "."+name) {
			several = several || path != "" && path != whole
			path = whole
		}
	})
	if several {
		return "", err
	}
	return path, err
}

// listPath lists a field, or the fields below it, of a topic, of all kinds of a section, or of one kind. The path of one field only
// may lack its beginning.
func listPath(p *lister, reg *params.Registry, whole string) error {
	first, path, _ := strings.Cut(whole, ".")
	var lacking error // a topic and a kind may have one name
	for _, t := range schema.Topics() {
		if t.Name != first {
			continue
		}
		if found := below(t.Fields, path); found != nil {
			printFields(p, found)
			return p.err
		}
		lacking = lackingField(t.Name, path, t.Fields)
	}
	for _, s := range reg.Sections {
		if s.Name == first {
			return listPathOf(p, s, path)
		}
		for _, k := range s.Kinds {
			if k.Name == "" || k.Name != first {
				continue
			}
			fields, err := params.Parameters(k.Params)
			if err != nil {
				return err
			}
			if found := below(fields, path); found != nil {
				p.printf("%s %s\n", s.Name, k.Name)
				printFields(p, found)
				return p.err
			}
			lacking = lackingField(k.Name, path, fields)
		}
	}
	ending, err := pathEnding(reg, whole)
	if err != nil {
		return err
	}
	if ending != "" {
		return listPath(p, reg, ending)
	}
	if lacking != nil {
		return lacking
	}
	return unlisted(reg, first)
}

// listPathOf lists a field, or the fields below it, in all kinds of the section: once where several kinds have the same.
func listPathOf(p *lister, s params.Section, path string) error {
	if path == params.KindKey && len(s.Kinds) > 1 {
		p.rows(kindRows(s))
		return p.err
	}
	type same struct {
		fields []params.Parameter
		kinds  []string
	}
	var all []same
	var known []params.Parameter
	look := func(kind string, fields []params.Parameter) {
		known = append(known, fields...)
		found := below(fields, path)
		if found == nil {
			return
		}
		twin := slices.IndexFunc(all, func(other same) bool { return reflect.DeepEqual(other.fields, found) })
		if twin < 0 {
			all = append(all, same{fields: found})
			twin = len(all) - 1
		}
		all[twin].kinds = append(all[twin].kinds, kind)
	}
	for _, k := range s.Kinds {
		fields, err := params.Parameters(k.Params)
		if err != nil {
			return err
		}
		look(table.Dash(k.Name), fields)
	}
	for _, f := range s.Shared {
		fields, err := f.Parameters()
		if err != nil {
			return err
		}
		look("of every kind, for the study "+f.For, fields)
	}
	if all == nil {
		return lackingField(s.Name, path, known)
	}
	for i, alike := range all {
		if i > 0 {
			p.printf("\n")
		}
		if len(s.Kinds) > 1 {
			p.printf("%s %s\n", s.Name, join(alike.kinds))
		}
		printFields(p, alike.fields)
	}
	return p.err
}

// lackingField reports a path that no field of a section, kind or topic has.
func lackingField(of, path string, known []params.Parameter) error {
	hint := ""
	if near := text.Nearest(path, text.Each(known, func(f params.Parameter) string { return f.Path })); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", of+"."+near)
	}
	return misuse("%s has no field %q%s; schedsweep list %s lists them", of, path, hint, of)
}

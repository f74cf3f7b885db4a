package params

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// Nested is a section inside the elements of a list: the key kind: and the
// fields of that kind stand beside the element's own fields.
type Nested struct {
	index   []int  // of the field in the element
	Section string // its name
	// Kinds are the section's, without the kinds that hold such lists themselves;
	// the catalog fills it in.
	Kinds *SectionInfo
}

func newChoice(f reflect.StructField, section string, index []int) (*Nested, error) {
	kind, named := f.Type, false
	if kind.Kind() == reflect.Struct && kind.NumField() == 2 {
		a, b := kind.Field(0), kind.Field(1)
		named = a.Name == "Kind" && a.Type.Kind() == reflect.String && b.Name == "Params" && b.Type == reflect.TypeFor[any]()
	}
	if !named || !f.IsExported() || section == "" {
		return nil, fmt.Errorf("the tag section %q belongs to an exported field of type struct{ Kind string; Params any }", section)
	}
	return &Nested{index: index, Section: section}, nil
}

func (s *Struct) choosing() bool {
	return s.Choice != nil || slices.ContainsFunc(s.Fields, func(f *Field) bool { return f.Fields != nil && f.Fields.choosing() })
}

// link gives the lists in a struct the kinds that their elements choose from.
func (c *Catalog) link(s *Struct) error {
	for _, f := range s.Fields {
		if f.Fields == nil {
			continue
		}
		if err := c.link(f.Fields); err != nil {
			return err
		}
		ch := f.Fields.Choice
		if ch == nil {
			continue
		}
		of := c.Section(ch.Section)
		if of == nil || of.Single {
			return fmt.Errorf("field %s: there is no section %q with kinds to choose from", f.Name, ch.Section)
		}
		if slices.ContainsFunc(of.Kinds, func(k *KindInfo) bool { return k.shared != nil }) {
			return fmt.Errorf("field %s: the kinds of section %q share fields, which have no place in a list", f.Name, ch.Section)
		}
		ch.Kinds = &SectionInfo{Name: of.Name, Doc: of.Doc, Index: of.Index, noun: of.Name, beside: f.Fields.Names()}
		for _, k := range of.Kinds {
			if k.Fields.choosing() {
				ch.Kinds.nesting = append(ch.Kinds.nesting, k.Name)
				continue
			}
			ch.Kinds.Kinds = append(ch.Kinds.Kinds, k)
			for _, name := range append(k.Fields.Names(), KindKey) {
				if f.Fields.ByName[name] != nil {
					return fmt.Errorf("field %s: its elements and %s kind %q both have a field %s", f.Name, of.Name, k.Name, name)
				}
			}
		}
	}
	return nil
}

// choose decodes the kind that an element chooses and its fields, which are
// the other keys of the element.
func (d *Decoder) choose(n *text.Node, keys []text.Entry, ch *Nested, into reflect.Value, sc Scope) {
	s := *ch.Kinds
	s.Name = sc.Path
	n = &text.Node{Shape: text.Map, Pos: n.Pos, Entries: keys}
	kind := d.KindOf(n, &s, sc.partial)
	if kind == nil {
		return
	}
	target := into.FieldByIndex(ch.index)
	target.Field(0).SetString(kind.Name)
	target.Field(1).Set(d.params(n, &s, kind, sc.partial, nil))
}

// chosen returns the kind of a decoded element, nil where it has none, and the
// struct of its parameters.
func (ch *Nested) chosen(element reflect.Value) (*KindInfo, reflect.Value) {
	c := element.FieldByIndex(ch.index)
	kind := ch.Kinds.Kind(c.Field(0).String())
	if kind == nil {
		return nil, reflect.Value{}
	}
	return kind, c.Field(1).Elem().Elem()
}

func (s *SectionInfo) checkList() error {
	if s.List == "" {
		return nil
	}
	k := s.Kind(s.List)
	if k == nil || s.Single || len(k.Fields.Fields) != 1 || k.Fields.Fields[0].Type.Kind() != reflect.Slice {
		return fmt.Errorf("sweep: section %s: a list cannot stand for the kind %q, which has to exist and to have one field, a list; its "+
			"kinds are %s",
			s.Name, s.List, strings.Join(KindNames(s.Kinds), ", "))
	}
	return nil
}

package sweep

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// choiceInfo is a section inside the elements of a list: the key kind: and the
// fields of that kind stand beside the element's own fields.
type choiceInfo struct {
	index   []int  // of the field in the element
	section string // its name
	// kinds are the section's, without those that hold such lists themselves;
	// the catalog fills it in.
	kinds *sectionInfo
}

// newChoice reads a field with the tag section.
func newChoice(f reflect.StructField, section string, index []int) (*choiceInfo, error) {
	kind, named := f.Type, false
	if kind.Kind() == reflect.Struct && kind.NumField() == 2 {
		a, b := kind.Field(0), kind.Field(1)
		named = a.Name == "Kind" && a.Type.Kind() == reflect.String && b.Name == "Params" && b.Type == reflect.TypeFor[any]()
	}
	if !named || !f.IsExported() || section == "" {
		return nil, fmt.Errorf("the tag section %q belongs to an exported field of type struct{ Kind string; Params any }", section)
	}
	return &choiceInfo{index: index, section: section}, nil
}

// choosing tells whether the struct or a list in it chooses a kind.
func (s *structInfo) choosing() bool {
	return s.choice != nil || slices.ContainsFunc(s.fields, func(f *fieldInfo) bool { return f.sub != nil && f.sub.choosing() })
}

// link gives the lists in a struct the kinds that their elements choose from.
func (c *catalog) link(s *structInfo) error {
	for _, f := range s.fields {
		if f.sub == nil {
			continue
		}
		if err := c.link(f.sub); err != nil {
			return err
		}
		ch := f.sub.choice
		if ch == nil {
			continue
		}
		of := c.section(ch.section)
		if of == nil || of.single {
			return fmt.Errorf("field %s: there is no section %q with kinds to choose from", f.name, ch.section)
		}
		ch.kinds = &sectionInfo{name: of.name, doc: of.doc, index: of.index, noun: of.name, beside: f.sub.names()}
		for _, k := range of.kinds {
			if k.fields.choosing() {
				ch.kinds.nesting = append(ch.kinds.nesting, k.name)
				continue
			}
			ch.kinds.kinds = append(ch.kinds.kinds, k)
			for _, name := range append(k.fields.names(), kindKey) {
				if f.sub.byName[name] != nil {
					return fmt.Errorf("field %s: its elements and %s kind %q both have a field %s", f.name, of.name, k.name, name)
				}
			}
		}
	}
	return nil
}

// choose decodes the kind that an element chooses and its fields, which are what
// is left of the element's keys.
func (d *decoder) choose(n *node, keys []entry, ch *choiceInfo, into reflect.Value, sc scope) {
	s := *ch.kinds
	s.name = sc.path
	n = &node{shape: mapNode, pos: n.pos, entries: keys}
	kind := d.kindOf(n, &s, sc.piece)
	if kind == nil {
		return
	}
	target := into.FieldByIndex(ch.index)
	target.Field(0).SetString(kind.name)
	target.Field(1).Set(d.params(n, &s, kind, sc.piece, nil))
}

// chosen returns the kind of a decoded element, nil where it has none, and the
// struct of its parameters.
func (ch *choiceInfo) chosen(element reflect.Value) (*kindInfo, reflect.Value) {
	c := element.FieldByIndex(ch.index)
	kind := ch.kinds.kind(c.Field(0).String())
	if kind == nil {
		return nil, reflect.Value{}
	}
	return kind, c.Field(1).Elem().Elem()
}

// checkList refuses a kind for lists that a list cannot stand for.
func (s *sectionInfo) checkList() error {
	if s.list == "" {
		return nil
	}
	k := s.kind(s.list)
	if k == nil || s.single || len(k.fields.fields) != 1 || k.fields.fields[0].typ.Kind() != reflect.Slice {
		return fmt.Errorf("sweep: section %s: a list cannot stand for the kind %q, which has to exist and to have one field, a list; its kinds are %s",
			s.name, s.list, strings.Join(s.kindNames(), ", "))
	}
	return nil
}

package params

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/text"
)

// Field is one parameter, read from the tags of a struct field.
type Field struct {
	Name     string
	Index    []int
	Type     reflect.Type
	Doc      string
	Unit     string
	Min, Max *float64 // inclusive bounds
	Above    *float64 // exclusive lower bound
	Below    *float64 // exclusive upper bound
	Enum     []string
	Meanings []string          // of Enum; "" where the field's doc says it
	Written  map[string]string // of Enum: how people write values; nil for as they are
	finite   bool
	Initial  string // default of a field inside a list's elements
	Required bool
	file     bool // names an input file
	Alone    bool // of a list of texts: a single value needs no brackets
	Unhashed bool // cannot change an answer, and is in no identity
	// Keyed is the name of the field of a list's elements that is their key: the list is written as a map, and its
	// elements are in order of their keys. "" for a plain list.
	Keyed  string
	Fields *Struct
	// Map is the struct field of the same name behind a text field: a map in place of the text fills it. The one of its
	// keys that chooses says which text it means.
	Map     *Field
	chooses string
	key     *Field // of the elements
}

// Struct is the parameters of a struct in the order of its fields.
type Struct struct {
	Type   reflect.Type
	Fields []*Field
	ByName map[string]*Field
	Choice *Nested // of a list's element that holds a section
}

func (s *Struct) Names() []string {
	return text.Each(s.Fields, func(f *Field) string { return f.Name })
}

// InUnit returns the struct with these fields in a unit that is known only now.
func (s *Struct) InUnit(unit string, names ...string) *Struct {
	out := &Struct{Type: s.Type, ByName: map[string]*Field{}, Choice: s.Choice}
	for _, f := range s.Fields {
		if slices.Contains(names, f.Name) {
			other := *f
			other.Unit, f = unit, &other
		}
		out.Fields, out.ByName[f.Name] = append(out.Fields, f), f
	}
	return out
}

// Find returns the field at the path; paths lead through structs and through
// numbered elements of lists, such as clusters[0].
func (s *Struct) Find(path []string) *Field {
	if len(path) == 0 {
		return nil
	}
	key, _, element := text.Element(path[0])
	f := s.along(key, len(path) == 1)
	switch {
	case f == nil || len(path) == 1 && !element:
		return f
	case f.Keyed != "" && !element:
		if len(path) == 2 {
			return f.Short()
		}
		return f.Fields.Find(path[2:])
	case f.Fields == nil || element != (f.Type.Kind() == reflect.Slice):
		return nil
	}
	return f.Fields.Find(path[1:])
}

// along is the field of that name at the end of a path, or on the way.
func (s *Struct) along(name string, last bool) *Field {
	f := s.ByName[name]
	if f != nil && f.Map != nil && !last {
		return f.Map
	}
	return f
}

// Paths returns the dotted path of every field that an axis may vary.
func (s *Struct) Paths() []string {
	var out []string
	for _, f := range s.Fields {
		if s.ByName[f.Name] == f {
			out = append(out, f.Name)
		}
		if f.Type.Kind() == reflect.Struct {
			out = append(out, text.Each(f.Fields.Paths(), func(p string) string { return f.Name + "." + p })...)
		}
	}
	return out
}

// reflectStruct reads a parameter struct; nil means no parameters.
func reflectStruct(t reflect.Type) (*Struct, error) {
	if t == nil {
		t = reflect.TypeFor[struct{}]()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("parameters are a %s; want a struct value", t)
	}
	return reflectNested(t, 0)
}

func reflectNested(t reflect.Type, depth int) (*Struct, error) {
	if depth > 16 {
		return nil, fmt.Errorf("%s nests too deep", t)
	}
	s := &Struct{Type: t, ByName: map[string]*Field{}}
	if err := s.collect(t, nil, depth); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Struct) collect(t reflect.Type, prefix []int, depth int) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("sweep")
		index := append(append([]int(nil), prefix...), i)
		switch {
		case tag == "-":
			continue
		case f.Anonymous && !tagged && f.Type.Kind() == reflect.Struct:
			if err := s.collect(f.Type, index, depth); err != nil {
				return err
			}
			continue
		case f.Tag.Get("section") != "":
			ch, err := newChoice(f, f.Tag.Get("section"), index)
			if err == nil && s.Choice != nil {
				err = fmt.Errorf("a second section in one struct")
			}
			if err != nil {
				return fmt.Errorf("%s.%s: %w", t, f.Name, err)
			}
			s.Choice = ch
			continue
		case !tagged:
			if f.IsExported() {
				return fmt.Errorf("%s.%s has no sweep tag; give it a name or \"-\"", t, f.Name)
			}
			continue
		case tag == "" || !f.IsExported() || strings.ContainsAny(tag, ". "):
			return fmt.Errorf("%s.%s: the sweep tag %q is not the name of an exported field", t, f.Name, tag)
		case s.ByName[tag] != nil && (s.ByName[tag].kind() != reflect.String || s.ByName[tag].Map != nil || f.Type.Kind() != reflect.Struct):
			return fmt.Errorf("%s: two fields are named %q", t, tag)
		}
		info, err := newField(f, tag, index, depth)
		if err == nil && info.Keyed != "" {
			err = info.checkKey()
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		s.Fields = append(s.Fields, info)
		if text := s.ByName[tag]; text != nil {
			text.Map = info
			continue
		}
		s.ByName[tag] = info
	}
	return nil
}

func newField(f reflect.StructField, name string, index []int, depth int) (*Field, error) {
	info := &Field{
		Name: name, Index: index, Type: f.Type,
		Doc: f.Tag.Get("doc"), Unit: f.Tag.Get("unit"), Initial: f.Tag.Get("default"),
		Required: f.Tag.Get("required") == "true",
		file:     f.Tag.Get("file") == "input",
		Alone:    f.Tag.Get("alone") == "yes",
		Unhashed: f.Tag.Get("identity") == "no",
		finite:   f.Tag.Get("finite") == "yes",
		Keyed:    f.Tag.Get("keyed"),
		chooses:  f.Tag.Get("chooses"),
	}
	var choices []string
	if e := f.Tag.Get("enum"); e != "" {
		choices = strings.Split(e, "|")
	} else if c, ok := reflect.Zero(f.Type).Interface().(interface{ Choices() []string }); ok {
		choices = c.Choices()
		if w, ok := c.(interface{ Written() map[string]string }); ok {
			info.Written = w.Written()
		}
	}
	for _, value := range choices {
		name, meaning, _ := strings.Cut(value, ": ")
		info.Enum, info.Meanings = append(info.Enum, name), append(info.Meanings, meaning)
	}
	for tag, bound := range map[string]**float64{"min": &info.Min, "max": &info.Max, "above": &info.Above, "below": &info.Below} {
		value, ok := f.Tag.Lookup(tag)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil && text.Units[info.Unit] != nil {
			v, err = text.Quantity(value, info.Unit)
		}
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("tag %s: %q is not a number", tag, value)
		}
		*bound = &v
	}
	t := f.Type
	switch t.Kind() {
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String:
		return info, nil
	case reflect.Array:
		if t.Len() == 2 && t.Elem().Kind() == reflect.Float64 {
			return info, nil
		}
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Float64, reflect.String:
			return info, nil
		case reflect.Struct:
			t = t.Elem()
		}
	}
	if t.Kind() == reflect.Struct {
		sub, err := reflectNested(t, depth+1)
		info.Fields = sub
		if err == nil && sub.Choice != nil && f.Type.Kind() != reflect.Slice {
			err = fmt.Errorf("a section can be only inside the elements of a list")
		}
		return info, err
	}
	return nil, fmt.Errorf("type %s cannot be a parameter", f.Type)
}

// SameRules reports whether two fields take the same values.
func (f *Field) SameRules(g *Field) bool {
	a, b := *f, *g
	if (a.Map == nil) != (b.Map == nil) || a.Map != nil && !a.Map.SameRules(b.Map) {
		return false
	}
	a.Index, b.Index, a.Doc, b.Doc, a.Map, b.Map = nil, nil, "", "", nil, nil
	return reflect.DeepEqual(a, b)
}

// Scalar reports whether the field holds one plain value.
func (f *Field) Scalar() bool {
	switch f.Type.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array:
		return false
	}
	return true
}

// Column returns the type of the column that an axis over the field fills.
func (f *Field) Column() ColumnType {
	switch f.Type.Kind() {
	case reflect.Float64:
		return Float
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return Int
	case reflect.Bool:
		return Bool
	}
	return String
}

// MustReflect reads a struct of this package, whose tags tests cover.
func MustReflect(t reflect.Type) *Struct {
	info, err := reflectStruct(t)
	if err != nil {
		panic(err)
	}
	return info
}

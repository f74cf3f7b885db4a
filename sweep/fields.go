package sweep

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// fieldInfo is one parameter, read from the tags of a struct field.
type fieldInfo struct {
	name     string
	index    []int
	typ      reflect.Type
	doc      string
	unit     string
	min, max *float64 // inclusive bounds
	above    *float64 // exclusive lower bound
	below    *float64 // exclusive upper bound
	enum     []string
	initial  string // default of a field inside a list's elements
	required bool
	file     bool // names an input file
	unhashed bool // cannot change an answer
	sub      *structInfo
}

// structInfo is the parameters of a struct in the order of its fields.
type structInfo struct {
	typ    reflect.Type
	fields []*fieldInfo
	byName map[string]*fieldInfo
	choice *choiceInfo // of a list's element that holds a section
}

// names returns the names of the fields in order.
func (s *structInfo) names() []string {
	var out []string
	for _, f := range s.fields {
		out = append(out, f.name)
	}
	return out
}

// find returns the field at the path; paths lead through structs, not through
// lists.
func (s *structInfo) find(path []string) *fieldInfo {
	if len(path) == 0 {
		return nil
	}
	f := s.byName[path[0]]
	if f == nil || len(path) == 1 {
		return f
	}
	if f.typ.Kind() != reflect.Struct {
		return nil
	}
	return f.sub.find(path[1:])
}

// paths returns the dotted path of every field that an axis may vary.
func (s *structInfo) paths() []string {
	var out []string
	for _, f := range s.fields {
		out = append(out, f.name)
		if f.typ.Kind() == reflect.Struct {
			for _, p := range f.sub.paths() {
				out = append(out, f.name+"."+p)
			}
		}
	}
	return out
}

// reflectStruct reads a parameter struct; nil stands for no parameters.
func reflectStruct(t reflect.Type) (*structInfo, error) {
	if t == nil {
		t = reflect.TypeFor[struct{}]()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("parameters are a %s; want a struct value", t)
	}
	return reflectNested(t, 0)
}

func reflectNested(t reflect.Type, depth int) (*structInfo, error) {
	if depth > 16 {
		return nil, fmt.Errorf("%s nests too deep", t)
	}
	s := &structInfo{typ: t, byName: map[string]*fieldInfo{}}
	if err := s.collect(t, nil, depth); err != nil {
		return nil, err
	}
	return s, nil
}

// collect adds the fields of t, those of embedded structs in line.
func (s *structInfo) collect(t reflect.Type, prefix []int, depth int) error {
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
			if err == nil && s.choice != nil {
				err = fmt.Errorf("a second section in one struct")
			}
			if err != nil {
				return fmt.Errorf("%s.%s: %w", t, f.Name, err)
			}
			s.choice = ch
			continue
		case !tagged:
			if f.IsExported() {
				return fmt.Errorf("%s.%s has no sweep tag; give it a name or \"-\"", t, f.Name)
			}
			continue
		case tag == "" || !f.IsExported() || strings.ContainsAny(tag, ". "):
			return fmt.Errorf("%s.%s: the sweep tag %q is not the name of an exported field", t, f.Name, tag)
		case s.byName[tag] != nil:
			return fmt.Errorf("%s: two fields are named %q", t, tag)
		}
		info, err := newField(f, tag, index, depth)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		s.fields = append(s.fields, info)
		s.byName[tag] = info
	}
	return nil
}

// newField reads one field's type and tags.
func newField(f reflect.StructField, name string, index []int, depth int) (*fieldInfo, error) {
	info := &fieldInfo{
		name: name, index: index, typ: f.Type,
		doc: f.Tag.Get("doc"), unit: f.Tag.Get("unit"), initial: f.Tag.Get("default"),
		required: f.Tag.Get("required") == "true",
		file:     f.Tag.Get("file") == "input",
		unhashed: f.Tag.Get("identity") == "no",
	}
	if e := f.Tag.Get("enum"); e != "" {
		info.enum = strings.Split(e, "|")
	}
	for tag, bound := range map[string]**float64{"min": &info.min, "max": &info.max, "above": &info.above, "below": &info.below} {
		text, ok := f.Tag.Lookup(tag)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && units[info.unit] != nil {
			v, err = parseQuantity(text, info.unit)
		}
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("tag %s: %q is not a number", tag, text)
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
		info.sub = sub
		if err == nil && sub.choice != nil && f.Type.Kind() != reflect.Slice {
			err = fmt.Errorf("a section stands inside the elements of a list only")
		}
		return info, err
	}
	return nil, fmt.Errorf("type %s cannot be a parameter", f.Type)
}

// scalar tells whether the field holds one plain value.
func (f *fieldInfo) scalar() bool {
	switch f.typ.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array:
		return false
	}
	return true
}

// column returns the type of the column that an axis over the field fills.
func (f *fieldInfo) column() ColumnType {
	switch f.typ.Kind() {
	case reflect.Float64:
		return Float
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return Int
	case reflect.Bool:
		return Bool
	}
	return String
}

// mustReflect reads a struct of this package, whose tags tests cover.
func mustReflect(t reflect.Type) *structInfo {
	info, err := reflectStruct(t)
	if err != nil {
		panic(err)
	}
	return info
}

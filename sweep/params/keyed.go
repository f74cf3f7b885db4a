package params

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"schedsweep/sweep/text"
)

// checkKey reports the reason why a list cannot be written as a map.
func (f *Field) checkKey() error {
	if f.Type.Kind() != reflect.Slice || f.Fields == nil || f.Fields.Choice != nil {
		return fmt.Errorf("the tag keyed belongs to a list of structs")
	}
	if f.key = f.Fields.ByName[f.Keyed]; f.key == nil || f.key.Type.Kind() != reflect.String {
		return fmt.Errorf("the tag keyed names %q, which is no text field of an element", f.Keyed)
	}
	// The key is no field of the element as it is written.
	f.Fields.Fields = slices.DeleteFunc(f.Fields.Fields, func(x *Field) bool { return x == f.key })
	delete(f.Fields.ByName, f.Keyed)
	return nil
}

// Short is the one field of elements that have a key and one plain field: its value may stand for the element. Nil for others.
func (f *Field) Short() *Field {
	if f.Keyed != "" && len(f.Fields.Fields) == 1 && f.Fields.Fields[0].Scalar() {
		return f.Fields.Fields[0]
	}
	return nil
}

func (f *Field) keyOf(element reflect.Value) string {
	return element.FieldByIndex(f.key.Index).String()
}

// element moves from a list to its element with the key, and reports whether there is one.
func (f *Field) element(at *reflect.Value, key string) bool {
	for i := range at.Len() {
		if f.keyOf(at.Index(i)) == key {
			*at = at.Index(i)
			return true
		}
	}
	return false
}

func (f *Field) valueOf(element reflect.Value) (Value, bool) {
	if short := f.Short(); short != nil {
		return ValueOf(element.FieldByIndex(short.Index)), true
	}
	return ValueOf(element), true
}

// elements returns the name of the elements of a list in a path.
func (f *Field) elements() string {
	if f.Keyed != "" {
		return f.Name + ".<" + f.Keyed + ">"
	}
	return f.Name + "[]"
}

// keyed reports whether a path leads through a list that is written as a map.
func (s *Struct) keyed(path []string) bool {
	for i, name := range path {
		f := s.along(name, i == len(path)-1)
		if f == nil {
			return false
		}
		if f.Keyed != "" {
			return true
		}
		if s = f.Fields; s == nil {
			return false
		}
	}
	return false
}

// keyed decodes a map into a list, in order of the keys.
func (d *Decoder) keyed(n *text.Node, f *Field, into reflect.Value, sc Scope) {
	if n.Shape != text.Map {
		d.Out.Add(n.Pos, "write "+f.Keyed+": value", "%s is %s; want a map", sc.Path, n.What())
		return
	}
	entries := slices.SortedFunc(slices.Values(n.Entries), func(a, b text.Entry) int { return cmp.Compare(a.Key, b.Key) })
	list := reflect.MakeSlice(into.Type(), len(entries), len(entries))
	for i, e := range entries {
		element, at := list.Index(i), sc.at(e.Key)
		if !plain(e.Key) {
			d.Out.Add(e.Pos, "use letters, digits, - and _", "%s cannot be a key of %s", text.Quote(e.Key), sc.Path)
			continue
		}
		d.initial(f.Fields, element, e.Value)
		element.FieldByIndex(f.key.Index).SetString(e.Key)
		if short := f.Short(); short != nil && e.Value.Shape == text.Scalar {
			d.Scalar(e.Value, short, element.FieldByIndex(short.Index), at.Path)
			continue
		}
		d.Structure(e.Value, f.Fields, element, at)
	}
	into.Set(list)
}

// plain reports whether a key may stand in a dotted path.
func plain(key string) bool {
	for _, r := range key {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return key != ""
}

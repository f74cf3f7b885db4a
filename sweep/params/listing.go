package params

import (
	"fmt"
	"math"
	"reflect"
)

// Parameter is a field of a kind, for people who look for its name.
type Parameter struct {
	// Path is the field's name, dotted inside its section.
	Path string
	// Type is number, integer, text and so on; Unit as in the tags.
	Type, Unit string
	// Default is the value without an entry in the manifest; "required" where an entry is needed.
	Default string
	// Doc is one line.
	Doc string
	// Values are the choices, where there are only some.
	Values []Choosable
}

// Choosable is a value that a field may have, and its meaning.
type Choosable struct{ Name, Doc string }

// Parameters lists the fields of a parameter struct in their order.
func Parameters(params any) ([]Parameter, error) {
	info, err := reflectStruct(reflect.TypeOf(params))
	if err != nil || params == nil {
		return nil, err
	}
	return Listed(nil, "", info, reflect.ValueOf(params)), nil
}

// Parameters lists the fields of a struct that all kinds of a section share.
func (s Shared) Parameters() ([]Parameter, error) {
	fields, err := Parameters(s.Params)
	for i := range fields {
		fields[i].Path = s.Name + "." + fields[i].Path
	}
	return fields, err
}

// Listed appends the fields of a struct and of those inside it; v holds their
// defaults.
func Listed(dst []Parameter, prefix string, info *Struct, v reflect.Value) []Parameter {
	for _, f := range info.Fields {
		fv := v.FieldByIndex(f.Index)
		if f.Type.Kind() == reflect.Struct {
			dst = Listed(dst, prefix+f.Name+".", f.Fields, fv)
			continue
		}
		p := Parameter{Path: prefix + f.Name, Type: typeName(f.Type), Unit: f.Unit, Default: defaultText(fv), Doc: f.Doc}
		switch {
		case f.Required:
			p.Default = "required"
		case f.Initial != "":
			p.Default = f.Initial
		}
		for i, name := range f.Enum {
			p.Values = append(p.Values, Choosable{name, f.Meanings[i]})
		}
		dst = append(dst, p)
		if f.Fields != nil {
			dst = Listed(dst, prefix+f.elements()+".", f.Fields, reflect.New(f.Fields.Type).Elem())
			if ch := f.Fields.Choice; ch != nil {
				dst = append(dst, Parameter{Path: prefix + f.elements() + "." + KindKey, Type: "text", Default: "required",
					Doc: "a kind of " + ch.Section + "; its fields stand beside it"})
			}
		}
	}
	return dst
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "true/false"
	case reflect.String:
		return "text"
	case reflect.Array:
		return "[low, high]"
	case reflect.Slice:
		return "list"
	default:
		return "integer"
	}
}

func defaultText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 {
			return "-"
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return "-"
		}
		return fmt.Sprintf("%d given", v.Len())
	case reflect.Array:
		if math.IsInf(v.Index(0).Float(), -1) && math.IsInf(v.Index(1).Float(), 1) {
			return "any"
		}
		return fmt.Sprintf("[%g, %g]", v.Index(0).Float(), v.Index(1).Float())
	}
	return fmt.Sprint(v.Interface())
}

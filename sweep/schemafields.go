package sweep

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// fields returns the properties of a struct; defaults may be the zero Value.
func (g schemaWriter) fields(info *structInfo, defaults reflect.Value) object {
	out := object{}
	for _, f := range info.fields {
		var v reflect.Value
		if defaults.IsValid() {
			v = defaults.FieldByIndex(f.index)
		}
		out[f.name] = g.field(f, v)
	}
	return out
}

// field returns the schema of one field.
func (g schemaWriter) field(f *fieldInfo, value reflect.Value) object {
	doc := f.doc
	if f.unit != "" {
		doc += " [" + f.unit + "]"
	}
	var o object
	switch f.typ.Kind() {
	case reflect.Struct:
		o = object{"type": "object", "additionalProperties": false, "properties": g.fields(f.sub, value)}
		return orNull(described(o, doc))
	case reflect.Array:
		o = object{"type": "array", "minItems": 2, "maxItems": 2, "items": numberSchema(f)}
		value = reflect.Value{} // an unbounded range has no JSON
	case reflect.Slice:
		o = object{"type": "array"}
		if f.sub != nil {
			o["items"] = g.element(f.sub)
			value = reflect.Value{}
		} else {
			o["items"] = scalarSchema(f, f.typ.Elem().Kind())
		}
	default:
		o = scalarSchema(f, f.typ.Kind())
	}
	if d, ok := jsonDefault(f, value); ok {
		o["default"] = d
	}
	return described(o, doc)
}

// element returns the schema of an element of a list: a map with its fields, or
// one such map for each kind that it may choose.
func (g schemaWriter) element(info *structInfo) object {
	var required []string
	for _, f := range info.fields {
		if f.required {
			required = append(required, f.name)
		}
	}
	if info.choice == nil {
		o := object{"type": "object", "additionalProperties": false, "properties": g.fields(info, reflect.Value{})}
		if required != nil {
			o["required"] = required
		}
		return o
	}
	// The kinds are many and so are the places where a section may stand.
	name := info.choice.section + "-" + strings.ToLower(strings.ReplaceAll(info.typ.String(), ".", "-"))
	if g.elements[name] != nil {
		return ref(name)
	}
	var kinds []any
	for _, k := range info.choice.kinds.kinds {
		props := g.fields(info, reflect.Value{})
		maps.Copy(props, g.fields(k.fields, k.defaults))
		props[kindKey] = described(object{"const": k.name}, k.doc)
		kinds = append(kinds, object{"type": "object", "additionalProperties": false, "properties": props, "required": append([]string{kindKey}, required...)})
	}
	g.elements[name] = object{"anyOf": kinds}
	return ref(name)
}

// shorthand also accepts the list that stands for one of the section's kinds.
func (g schemaWriter) shorthand(s *sectionInfo, choices ...any) []any {
	if s.list == "" {
		return choices
	}
	return append(choices, g.field(s.kind(s.list).fields.fields[0], reflect.Value{}))
}

// jsonDefault returns the default of a field, if JSON can hold it.
func jsonDefault(f *fieldInfo, v reflect.Value) (any, bool) {
	if !v.IsValid() {
		if f.initial == "" {
			return nil, false
		}
		if n, ok := parseNumber(f.initial); ok {
			return n, true
		}
		return f.initial, true
	}
	if f.required || v.Kind() == reflect.Slice && v.Len() == 0 || v.Kind() == reflect.Float64 && (math.IsInf(v.Float(), 0) || math.IsNaN(v.Float())) {
		return nil, false
	}
	return v.Interface(), true
}

// scalarSchema returns the schema of a plain value.
func scalarSchema(f *fieldInfo, k reflect.Kind) object {
	switch k {
	case reflect.Float64:
		return numberSchema(f)
	case reflect.Int, reflect.Int64, reflect.Uint64:
		if units[f.unit] != nil {
			return numberSchema(f)
		}
		o := bounded(f, object{"type": "integer"})
		if k == reflect.Uint64 && f.min == nil {
			o["minimum"] = 0
		}
		return o
	case reflect.Bool:
		return object{"type": "boolean"}
	}
	o := object{"type": "string"}
	if len(f.enum) > 0 {
		o["enum"] = f.enum
	}
	if f.required {
		o["minLength"] = 1
	}
	return o
}

// bounded adds the field's bounds.
func bounded(f *fieldInfo, o object) object {
	for key, bound := range map[string]*float64{"minimum": f.min, "maximum": f.max, "exclusiveMinimum": f.above, "exclusiveMaximum": f.below} {
		if bound != nil {
			o[key] = *bound
		}
	}
	return o
}

// numberSchema returns a number, or also text with a unit.
func numberSchema(f *fieldInfo) object {
	o := bounded(f, object{"type": "number"})
	table := units[f.unit]
	if table == nil {
		return o
	}
	names := ""
	for _, u := range slices.Sorted(maps.Keys(table)) {
		names += "|" + u
	}
	number := `[0-9]*\.?[0-9_]*([eE][-+]?[0-9]+)?`
	part := `(` + number + ` *(` + names[1:] + `)`
	if f.unit == "s" {
		part += ` *)+`
	} else {
		part += `)`
	}
	return object{"anyOf": []any{o, object{"type": "string", "pattern": "^-?" + part + "$", "examples": []string{"1" + example(f.unit)}}}}
}

// example is a unit of the kind, for the schema's example.
func example(unit string) string {
	return map[string]string{"s": "h", "B": "MB", "B/s": "Gbps", "flop": "Gflop", "flop/s": "Gflops"}[unit]
}

// analysis returns the schema of analysis:.
func (g schemaWriter) analysis() object {
	props := g.fields(mustReflect(reflect.TypeFor[Analysis]()), reflect.ValueOf(analysisDefaults))
	props["baseline"] = object{"type": "object", "description": "the point that all others are compared with", "propertyNames": ref("axis"), "additionalProperties": ref("scalar")}
	xy := func(list string, axes ...string) {
		item := props[list].(object)["items"].(object)["properties"].(object)
		item["x"] = object{"anyOf": []any{ref("axis"), ref("metric")}, "description": "axis or metric"}
		item["y"] = described(ref("metric"), "metric")
		for _, name := range axes {
			item[name] = described(ref("axis"), item[name].(object)["description"].(string))
		}
	}
	xy("trends")
	xy("figures", "series", "panels")
	props["figures"].(object)["items"].(object)["properties"].(object)[whereKey] = ref(whereKey)
	props["trends"].(object)["items"].(object)["properties"].(object)["by"] = object{"type": "array", "items": ref("axis")}
	return object{"type": "object", "additionalProperties": false, "properties": props}
}

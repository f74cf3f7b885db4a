package schema

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// fields returns the properties of a struct; defaults may be the zero Value.
func (g writer) fields(info *params.Struct, defaults reflect.Value) object {
	out := object{}
	for _, f := range info.Fields {
		var v reflect.Value
		if defaults.IsValid() {
			v = defaults.FieldByIndex(f.Index)
		}
		if info.ByName[f.Name] != f { // the map in place of a text
			out[f.Name] = described(object{"anyOf": []any{out[f.Name], g.field(f, v)}}, info.ByName[f.Name].Doc)
			continue
		}
		out[f.Name] = g.field(f, v)
	}
	return out
}

func (g writer) field(f *params.Field, value reflect.Value) object {
	doc := f.Doc
	if f.Unit != "" {
		doc += " [" + f.Unit + "]"
	}
	var o object
	switch f.Type.Kind() {
	case reflect.Struct:
		return orNull(described(closed(g.fields(f.Fields, value)), doc))
	case reflect.Array:
		o = object{"type": "array", "minItems": 2, "maxItems": 2, "items": numberSchema(f)}
		value = reflect.Value{} // an unbounded range has no JSON
	case reflect.Slice:
		o = object{"type": "array"}
		if f.Keyed != "" {
			return described(object{"type": "object", "additionalProperties": g.keyed(f)}, doc)
		}
		if f.Fields != nil {
			o["items"] = g.element(f.Fields)
			value = reflect.Value{}
		} else {
			o["items"] = scalarSchema(f, f.Type.Elem().Kind())
		}
	default:
		o = scalarSchema(f, f.Type.Kind())
	}
	if f.Alone {
		o = object{"anyOf": []any{o, scalarSchema(f, f.Type.Elem().Kind())}}
	}
	if d, ok := jsonDefault(f, value); ok {
		o["default"] = d
	}
	return described(o, doc)
}

// element returns the schema of an element of a list: a map with its fields, or
// one such map for each kind that it may choose.
func (g writer) element(info *params.Struct) object {
	var required []string
	for _, f := range info.Fields {
		if f.Required {
			required = append(required, f.Name)
		}
	}
	if info.Choice == nil {
		return closed(g.fields(info, reflect.Value{}), required...)
	}
	// The kinds are many and so are the places where a section may stand.
	name := info.Choice.Section + "-" + strings.ToLower(strings.ReplaceAll(info.Type.String(), ".", "-"))
	if g.elements[name] != nil {
		return ref(name)
	}
	g.elements[name] = object{"anyOf": text.Each(info.Choice.Kinds.Kinds, func(k *params.KindInfo) any {
		props := g.fields(info, reflect.Value{})
		maps.Copy(props, g.fields(k.Fields, k.Defaults))
		props[params.KindKey] = described(object{"const": k.Name}, k.Doc)
		return closed(props, append([]string{params.KindKey}, required...)...)
	})}
	return ref(name)
}

// keyed returns the schema of the values of a list that is written as a map.
func (g writer) keyed(f *params.Field) object {
	element := g.element(f.Fields)
	if short := f.Short(); short != nil {
		return object{"anyOf": []any{scalarSchema(short, short.Type.Kind()), element}}
	}
	return element
}

// shorthand also accepts the list that means one of the section's kinds.
func (g writer) shorthand(s *params.SectionInfo, choices ...any) []any {
	if s.List == "" {
		return choices
	}
	return append(choices, g.field(s.Kind(s.List).Fields.Fields[0], reflect.Value{}))
}

// jsonDefault returns the default of a field, if JSON can hold it.
func jsonDefault(f *params.Field, v reflect.Value) (any, bool) {
	if !v.IsValid() {
		if f.Initial == "" {
			return nil, false
		}
		if n, ok := text.Number(f.Initial); ok {
			return n, true
		}
		return f.Initial, true
	}
	if f.Required || v.Kind() == reflect.Slice && v.Len() == 0 || v.Kind() == reflect.Float64 &&
		(math.IsInf(v.Float(), 0) || math.IsNaN(v.Float())) {
		return nil, false
	}
	return v.Interface(), true
}

func scalarSchema(f *params.Field, k reflect.Kind) object {
	switch k {
	case reflect.Float64:
		return numberSchema(f)
	case reflect.Int, reflect.Int64, reflect.Uint64:
		if text.Units[f.Unit] != nil {
			return numberSchema(f)
		}
		o := bounded(f, object{"type": "integer"})
		if k == reflect.Uint64 && f.Min == nil {
			o["minimum"] = 0
		}
		return o
	case reflect.Bool:
		return object{"type": "boolean"}
	}
	o := object{"type": "string"}
	if len(f.Enum) > 0 {
		o["enum"] = f.Enum
	}
	if f.Required {
		o["minLength"] = 1
	}
	return o
}

func bounded(f *params.Field, o object) object {
	for key, bound := range map[string]*float64{"minimum": f.Min, "maximum": f.Max, "exclusiveMinimum": f.Above, "exclusiveMaximum": f.Below} {
		if bound != nil {
			o[key] = *bound
		}
	}
	return o
}

// numberSchema returns a number, or also text with a unit.
func numberSchema(f *params.Field) object {
	o := bounded(f, object{"type": "number"})
	table := text.Units[f.Unit]
	if table == nil {
		return o
	}
	names := ""
	for _, u := range slices.Sorted(maps.Keys(table)) {
		names += "|" + u
	}
	number := `[0-9]*\.?[0-9_]*([eE][-+]?[0-9]+)?`
	part := `(` + number + ` *(` + names[1:] + `)`
	if f.Unit == "s" {
		part += ` *)+`
	} else {
		part += `)`
	}
	unit := map[string]string{"s": "h", "B": "MB", "B/s": "Gbps", "flop": "Gflop", "flop/s": "Gflops", "W": "kW", "share": "%"}[f.Unit]
	return object{"anyOf": []any{o, object{"type": "string", "pattern": "^-?" + part + "$", "examples": []string{"1" + unit}}}}
}

func (g writer) analysis() object {
	props := g.fields(params.MustReflect(reflect.TypeFor[study.Analysis]()), reflect.ValueOf(study.AnalysisDefaults))
	props["baseline"] = object{"type": "object", "description": "the point that all others are compared with", "propertyNames": ref("axis"),
		"additionalProperties": ref("scalar")}
	props["figures"] = described(object{"type": "array", "items": object{"oneOf": g.figures()}},
		props["figures"].(object)["description"].(string))
	trend := props["trends"].(object)["items"].(object)["properties"].(object)
	trend["x"] = object{"anyOf": []any{ref("axis"), ref("metric")}, "description": "axis or metric"}
	trend["y"] = described(ref("metric"), "metric")
	trend["by"] = object{"type": "array", "items": ref("axis")}
	return closed(props)
}

func (g writer) figures() []any {
	info := params.MustReflect(reflect.TypeFor[study.Figure]())
	shared := g.fields(info, reflect.Value{})
	also := func(key string, choices ...any) {
		shared[key] = object{"anyOf": choices, "description": info.ByName[key].Doc}
	}
	class, quantities := object{"const": manifest.ClassAxis}, object{"enum": g.cat.Quantities}
	also("x", ref("axis"), ref("metric"), class, quantities)
	also("y", ref("metric"), quantities)
	for _, key := range []string{"series", "panels", "rows"} {
		also(key, ref("axis"), class)
	}
	shared[study.WhereKey] = ref(study.WhereKey)
	shared["published"].(object)["items"].(object)["properties"].(object)[study.WhereKey] = ref(study.WhereKey)
	var out []any
	for _, k := range study.FigureKinds {
		of := maps.Clone(shared)
		for _, key := range k.Without {
			delete(of, key)
		}
		maps.Copy(of, g.fields(k.Fields(), reflect.ValueOf(k.New()).Elem()))
		of["kind"] = described(object{"const": k.Name}, k.Doc)
		required := append([]string{"id", "x"}, k.Required...)
		if k.Name != study.DefaultFigureKind {
			required = append(required, "kind")
		}
		out = append(out, closed(of, required...))
	}
	return out
}

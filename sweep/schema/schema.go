// Package schema describes the language of manifests: as JSON Schema for editors,
// as a guide for people.
package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// object is a JSON object; encoding/json writes its keys in order.
type object = map[string]any

// JSON returns a JSON Schema (draft 2020-12) of manifests, for completion and checks in editors. It is made from the
// same reflection as the decoder. It cannot say everything: that names of axes in zip: exist, that zipped axes are
// equally long, that a kind's field is beside another kind while kinds are swept; Load does. It also refuses a null
// that takes a parent's field away.
func JSON(reg *params.Registry) ([]byte, error) {
	cat, err := params.NewCatalog(reg)
	if err != nil {
		return nil, err
	}
	g := writer{cat, object{}}
	schema := object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "schedsweep manifest",
		"type":                 "object",
		"additionalProperties": false,
		"properties":           g.root(),
		"allOf":                g.kindRules(),
		"anyOf":                []any{object{"required": []string{"name"}}, object{"required": []string{"extends"}}},
		"$defs": g.claimDefs(object{
			"metric": object{"type": "string", "anyOf": []any{object{"enum": cat.Metrics}, object{"pattern": metricByClass(cat)}}},
			"axis":   object{"type": "string", "anyOf": []any{object{"enum": g.paths()}, object{"pattern": elementPath}}},
			"axes":   g.axes(),
			"zip": object{"type": "array", "description": "groups of axes that move together",
				"items": object{"type": "array", "minItems": 2, "items": ref("axis")}},
			"exclude": object{"type": "array", "description": "points to leave out: all paths of a map must match",
				"items": object{"type": "object", "minProperties": 1, "propertyNames": ref("axis"), "additionalProperties": ref("wanted")}},
			"when": object{"type": "object", "description": "axes that are varied only where all conditions hold",
				"propertyNames": ref("axis"), "additionalProperties": object{"type": "object", "minProperties": 1, "propertyNames": ref("axis"),
					"additionalProperties": ref("wanted")}},
			"labelled": closed(object{"label": object{"type": []string{"string", "number", "boolean"}}, "value": true}, "label", "value"),
			"scalar":   object{"type": []string{"string", "number", "boolean"}},
			"values":   object{"anyOf": []any{ref("scalar"), valueList(ref("scalar"))}},
			"wanted":   object{"anyOf": []any{ref("values"), closed(object{"not": ref("values")}, "not")}},
		}),
	}
	maps.Copy(schema["$defs"].(object), g.elements)
	return json.MarshalIndent(writeOnce(schema), "", "") // blanks would be a third of it
}

// writer makes the parts of the schema.
type writer struct {
	cat      *params.Catalog
	elements object // of lists whose elements choose a kind: definitions by name
}

// ref points to a definition.
func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// described adds a description where there is one.
func described(o object, doc string) object {
	if doc != "" {
		o["description"] = doc
	}
	return o
}

// closed is a map of these properties and no others.
func closed(props object, required ...string) object {
	o := object{"type": "object", "additionalProperties": false, "properties": props}
	if required != nil {
		o["required"] = required
	}
	return o
}

// orNull also accepts nothing, as in a key without a value.
func orNull(o object) object { return object{"anyOf": []any{o, object{"type": "null"}}} }

// root returns the top-level keys.
func (g writer) root() object {
	head := params.MustReflect(reflect.TypeFor[manifest.Header]())
	props := g.fields(head, reflect.ValueOf(manifest.HeaderDefaults))
	props["name"].(object)["pattern"] = manifest.NamePattern.String()
	chosen := g.fields(params.MustReflect(reflect.TypeFor[manifest.Chosen]()), reflect.ValueOf(manifest.Chosen{Compute: "all"}))
	show := object{"type": "array", "items": ref("metric"), "uniqueItems": true, "description": chosen["show"].(object)["description"]}
	chosen["show"] = show
	props["metrics"] = object{"anyOf": []any{show, closed(chosen)}, "description": head.ByName["metrics"].Doc}
	props["classes"] = orNull(g.classes())
	props["datasets"] = object{"type": "array", "items": object{"type": "string", "enum": g.cat.Datasets}, "uniqueItems": true,
		"description": head.ByName["datasets"].Doc}
	props["extends"] = object{"type": "string", "description": "a parent manifest, relative to this one's folder"}
	own := *head.ByName["replications"]
	own.Doc += ", in this block; the manifest's number when absent"
	block := object{"name": object{"type": "string"}, "replications": g.field(&own, reflect.Value{})}
	for _, key := range []string{"axes", "zip", "exclude", "when"} {
		props[key], block[key] = orNull(ref(key)), orNull(ref(key))
	}
	for _, s := range g.cat.Sections {
		props[s.Name] = g.section(s)
		block[s.Name] = g.section(s)
	}
	props[manifest.SampleKey] = orNull(g.sample())
	props["blocks"] = orNull(described(valueList(closed(block)), "sub-sweeps over the same base; repeats are dropped"))
	props["analysis"] = orNull(g.analysis())
	props["claims"] = orNull(g.claims())
	props[study.FindKey] = orNull(g.find())
	return props
}

// sample returns the schema of sample:.
func (g writer) sample() object {
	props := g.fields(params.MustReflect(reflect.TypeFor[manifest.Methods]()), reflect.ValueOf(manifest.MethodDefaults))
	for _, method := range props {
		for _, choice := range method.(object)["anyOf"].([]any) {
			if of, ok := choice.(object)["properties"].(object); ok {
				delete(of["replications"].(object), "default") // the manifest's
			}
		}
	}
	span := object{}
	for _, f := range params.MustReflect(reflect.TypeFor[manifest.Span]()).Fields {
		o := g.field(f, reflect.Value{})
		if f.Type.Kind() == reflect.Float64 {
			o = described(object{"type": []string{"number", "string"}}, f.Doc)
		}
		span[f.Name] = o
	}
	props[manifest.OverKey] = object{"type": "object", "description": "the knobs: path -> range or list of values",
		"propertyNames":        ref("axis"),
		"additionalProperties": orNull(object{"anyOf": []any{closed(span, "from", "to"), object{"type": "array", "minItems": 2}}})}
	return described(closed(props), "drawn points that show the effect of each of many knobs")
}

// section returns a section with the fields of all its kinds; kindRules narrow
// them to the chosen one.
func (g writer) section(s *params.SectionInfo) object {
	all := map[string][]any{}
	for _, k := range s.Kinds {
		for name, schema := range g.fields(k.Fields, k.Defaults) {
			if !slices.ContainsFunc(all[name], func(x any) bool { return reflect.DeepEqual(x, schema) }) {
				all[name] = append(all[name], schema)
			}
		}
	}
	props := object{}
	for name, schemas := range all {
		props[name] = schemas[0]
		if len(schemas) > 1 {
			props[name] = object{"anyOf": schemas}
		}
	}
	if !s.Single {
		props[params.KindKey] = g.kind(s)
	}
	return object{"anyOf": g.shorthand(s, described(closed(props), s.Doc), object{"type": "null"})}
}

// kind returns the enumeration of a section's kinds with their docs.
func (g writer) kind(s *params.SectionInfo) object {
	o := object{"oneOf": text.Each(s.Kinds, func(k *params.KindInfo) any { return described(object{"const": k.Name}, k.Doc) })}
	if s.Initial != "" {
		o["default"] = s.Initial
	}
	return o
}

// kindRules allow only the fields of the chosen kind, in manifests in which
// nothing else can choose another.
func (g writer) kindRules() []any {
	var rules []any
	for _, s := range g.cat.Sections {
		if s.Single {
			continue
		}
		var kinds []any
		for _, k := range s.Kinds {
			is := object{"properties": object{params.KindKey: object{"const": k.Name}}, "type": "object"}
			if s.Fallback() != k {
				is["required"] = []string{params.KindKey}
			}
			kinds = append(kinds, object{"if": is, "then": g.tree(s, k)})
		}
		swept := object{"anyOf": []any{
			object{"required": []string{"blocks"}}, object{"required": []string{"extends"}}, object{"required": []string{manifest.SampleKey}},
			object{"required": []string{"axes"}, "properties": object{"axes": object{"type": "object", "anyOf": []any{
				object{"required": []string{s.Name}}, object{"required": []string{s.Name + "." + params.KindKey}}}}}},
		}}
		rules = append(rules, object{"if": object{"not": swept}, "then": object{"properties": object{s.Name: object{"allOf": kinds}}}})
	}
	if len(rules) == 0 {
		rules = append(rules, true)
	}
	return rules
}

// tree returns a section of the kind, with its fields and no others.
func (g writer) tree(s *params.SectionInfo, k *params.KindInfo) object {
	props := g.fields(k.Fields, k.Defaults)
	if s.Single {
		return closed(props)
	}
	name := s.Name + "-" + k.Name
	props[params.KindKey] = object{"const": k.Name}
	if g.elements[name] = closed(props); s.Fallback() != k {
		g.elements[name] = closed(props, params.KindKey)
	}
	return ref(name)
}

// paths lists everything that an axis may vary.
func (g writer) paths() []string {
	return manifest.AxisPaths(g.cat, text.Each(g.cat.Sections, func(s *params.SectionInfo) []*params.KindInfo { return s.Kinds }))
}

// axes returns the map of axes with every path as a property.
func (g writer) axes() object {
	props := object{}
	for _, s := range g.cat.Sections {
		trees := text.Each(s.Kinds, func(k *params.KindInfo) any { return g.tree(s, k) })
		props[s.Name] = orNull(described(valueList(labelled(object{"anyOf": g.shorthand(s, trees...)})), s.Doc))
		if !s.Single {
			props[s.Name+"."+params.KindKey] = orNull(valueList(perhapsLabelled(g.kind(s))))
		}
		for _, path := range g.paths() {
			section, rel := manifest.SplitPath(path)
			if section != s.Name || props[path] != nil {
				continue
			}
			fields := params.FieldsAt(s.Kinds, rel)
			choices := []any{object{"type": "null"}} // it takes an axis of the parent away
			for _, f := range fields {
				choices = append(choices, g.axisValues(f)...)
			}
			props[path] = described(object{"anyOf": choices}, fields[0].Doc)
		}
	}
	element := object{"type": []string{"array", "object", "null"}}
	return object{"type": "object", "description": "varied fields: path -> values", "additionalProperties": false, "properties": props,
		"patternProperties": object{elementPath: element}}
}

// elementPath is the pattern of a path into an element of a list, or into a node class or partition by its name.
const elementPath = `^([a-z_.]+\[[0-9]+\]|platform\.(nodes|partitions)\.[^.\[\]]+)\.`

// valueList is a list of values of an axis.
func valueList(item object) object { return object{"type": "array", "minItems": 1, "items": item} }

// labelled is a value with its label.
func labelled(value object) object {
	return object{"$ref": "#/$defs/labelled", "properties": object{"value": value}}
}

// perhapsLabelled is a plain value, which may have a label.
func perhapsLabelled(value object) object {
	return object{"anyOf": []any{value, labelled(value)}}
}

// axisValues returns what an axis over the field takes.
func (g writer) axisValues(f *params.Field) []any {
	value := g.field(f, reflect.Value{})
	if !f.Scalar() {
		return []any{valueList(labelled(value))}
	}
	out := []any{valueList(perhapsLabelled(value))}
	if f.Column() == params.Float || f.Column() == params.Int {
		out = append(out, ranges(f.Unit))
	}
	return out
}

// ranges are the ways to write numbers of a unit without listing them.
func ranges(unit string) object {
	number := numberSchema(&params.Field{Unit: unit})
	count := object{"type": "integer", "minimum": 1, "maximum": manifest.MaxAxis}
	counted := closed(object{"from": number, "to": number, "count": count}, "from", "to", "count")
	return object{"anyOf": []any{
		closed(object{"from": number, "step": number, "count": count}, "from", "step", "count"),
		closed(object{"from": number, "to": number, "step": number}, "from", "to", "step"),
		counted,
		closed(object{"logspace": counted}, "logspace"),
	}}
}

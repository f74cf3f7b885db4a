package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// number is one, or a text with a unit.
var number = object{"type": []string{"string", "number"}}

// inUnit lets fields be in a unit that the schema cannot know.
func inUnit(of object, names ...string) {
	for _, name := range names {
		if field, ok := of[name].(object); ok {
			field["type"] = number["type"]
		}
	}
}

func (g writer) claims() object {
	fields := g.fields(params.MustReflect(reflect.TypeFor[study.Claim]()), reflect.ValueOf(study.ClaimDefaults))
	maps.Copy(fields, g.fields(params.MustReflect(reflect.TypeFor[study.Bounds]()), reflect.Value{}))
	inUnit(fields, slices.DeleteFunc(slices.Clone(study.BoundsInUnit), func(b string) bool { return b == "between" })...)
	fields["between"].(object)["items"] = number
	fields["id"].(object)["pattern"] = manifest.NamePattern.String()
	fields["across"] = object{"type": "array", "items": ref("axis"), "description": fields["across"].(object)["description"]}
	fields[study.PublishedKey] = object{"type": []string{"string", "number", "boolean"}, "description": study.PublishedDoc}
	maps.Copy(fields, g.statistics(study.StatisticKinds))
	one := withOne(study.StatisticKinds, closed(fields, "id"))
	// In a family any value may be a name, so that only the keys can be checked.
	said := object{manifest.FamilyKey: object{"type": "array", "description": manifest.FamilyDoc, "minItems": 1,
		"maxItems": manifest.MaxFamily, "items": object{"type": "object", "propertyNames": object{"pattern": manifest.FamilyName.String()}}}}
	for name := range fields {
		said[name] = true
	}
	return object{"type": "array", "description": "published results, and their tests on rows", "items": object{
		"if": object{"type": "object", "required": []string{manifest.FamilyKey}}, "then": withOne(study.StatisticKinds, closed(said, "id")),
		"else": one}}
}

func (g writer) statistics(kinds []study.Kind) object {
	out := object{}
	for _, k := range kinds {
		props := g.kindFields(k, reflect.TypeFor[study.Statistic](), ref("selection"))
		props[study.RunKey] = object{"type": "string", "pattern": manifest.NamePattern.String(), "description": "another manifest's run"}
		if len(k.Is) > 0 {
			props["is"] = object{"type": "string", "enum": k.Is}
		}
		for _, key := range k.Others {
			if props[key] = ref("choice"); key == "values" {
				props[key] = object{"type": "array", "minItems": 2, "items": ref("choice")}
			}
		}
		for _, name := range []string{"by", "axis"} {
			if props[name] != nil {
				props[name] = object{"type": "string"} // of another run they are not known here
			}
		}
		o := closed(props, k.Required...)
		if k.Joins {
			o = object{"anyOf": []any{o, object{"type": "array", "minItems": 2, "maxItems": 2, "items": ref("part")}}}
		}
		out[k.Name] = described(o, k.Doc)
	}
	return out
}

// kindFields are the properties that a kind of statistic or question has from the fields of a struct, and its selections.
func (g writer) kindFields(k study.Kind, of reflect.Type, selection object) object {
	props, info := object{study.WhereKey: selection}, params.MustReflect(of)
	for _, name := range k.Fields {
		props[name] = g.field(info.ByName[name], reflect.Value{})
	}
	for _, side := range k.Sides {
		props[side] = selection
	}
	props["metric"] = described(ref("metric"), "metric")
	return props
}

func (g writer) claimDefs(defs object) object {
	defs["choice"] = object{"type": []string{"string", "number", "boolean", "null"}}
	defs["term"] = object{"anyOf": []any{ref("choice"), valueList(ref("choice")), closed(object{"from": number, "to": number}, "from", "to")}}
	defs["selection"] = orNull(object{"type": "object", "description": "axis -> value, values or {from, to}; run: another manifest's run",
		"additionalProperties": ref("term")})
	defs[study.WhereKey] = orNull(
		object{"type": "object", "description": "the points that are shown: axis -> value, values or {from, to}",
			"propertyNames": object{"anyOf": []any{ref("axis"),
				object{"enum": []string{manifest.ClassAxis, study.OutcomeKey}}}}, "additionalProperties": ref("term")})
	defs["part"] = withOne(study.PartKinds, closed(g.statistics(study.PartKinds)))
	return defs
}

func withOne(kinds []study.Kind, o object) object {
	o["oneOf"] = text.Each(kinds, func(k study.Kind) any { return object{"required": []string{k.Name}} })
	return o
}

func (g writer) find() object {
	fields := g.fields(params.MustReflect(reflect.TypeFor[study.Question]()), reflect.ValueOf(study.QuestionDefaults))
	fields["id"].(object)["pattern"] = manifest.NamePattern.String()
	inUnit(fields, study.HalfKey)
	for _, k := range study.QuestionKinds {
		props := g.kindFields(k, reflect.TypeFor[study.Asked](), ref(study.WhereKey))
		inUnit(props, study.BoundKeys...)
		for _, key := range k.Others {
			if props[key] = number; key == study.WithinKey {
				props[key] = closed(object{"from": number, "to": number}, "from", "to")
			}
		}
		fields[k.Name] = described(closed(props, k.Required...), k.Doc)
	}
	return described(valueList(withOne(study.QuestionKinds, closed(fields, "id"))), "questions, to be answered in place "+
		"of all combinations of the axes")
}

func (g writer) classes() object {
	names := text.Each(g.cat.JobFields, func(f params.JobField) string { return f.Name })
	is := object{"type": "string", "description": "comparisons of fields of jobs, joined by and, and these by or", "pattern": `^\s*(` +
		strings.Join(names, "|") + `)\s*(<|>|==|!=)`}
	return object{"type": "object", "description": "classes of jobs, which have metrics too: name -> condition",
		"propertyNames": object{"pattern": manifest.ClassPattern.String()}, "maxProperties": manifest.MaxClasses,
		"additionalProperties": object{
			"anyOf": []any{is, object{"type": "null"},
				closed(object{"is": is, "label": object{"type": []string{"string", "number", "boolean"}, "description": "its name in figures"}},
					"is")}}}
}

// metricByClass is the pattern of metrics of classes, and of those of a figure that has classes for an axis.
func metricByClass(cat *params.Catalog) string {
	names := text.Each(cat.ClassMetrics, func(m params.Metric) string { return m.Name })
	class := strings.Trim(manifest.ClassPattern.String(), "^$")
	return "^(" + strings.Join(names, "|") + ")(" + manifest.ByClass("", class) + ")?$"
}

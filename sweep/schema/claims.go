package schema

import (
	"reflect"
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// claims returns the schema of claims:.
func (g writer) claims() object {
	fields, info := g.fields(params.MustReflect(reflect.TypeFor[study.Claim]()), reflect.ValueOf(study.ClaimDefaults)), params.MustReflect(reflect.TypeFor[study.Bounds]())
	for name, schema := range g.fields(info, reflect.Value{}) {
		fields[name] = schema
	}
	fields["id"].(object)["pattern"] = manifest.NamePattern.String()
	fields["across"] = object{"type": "array", "items": ref("axis"), "description": fields["across"].(object)["description"]}
	fields[study.PublishedKey] = object{"type": []string{"string", "number", "boolean"}, "description": study.PublishedDoc}
	for name, schema := range g.statistics(study.StatisticNames()) {
		fields[name] = schema
	}
	one := object{"type": "object", "additionalProperties": false, "required": []string{"id"}, "properties": fields, "oneOf": oneKey(study.StatisticNames())}
	// In a family any value may be a name, so that only the keys can be checked.
	said := object{manifest.FamilyKey: object{"type": "array", "description": manifest.FamilyDoc, "minItems": 1, "maxItems": manifest.MaxFamily, "items": object{"type": "object", "propertyNames": object{"pattern": manifest.FamilyName.String()}}}}
	for name := range fields {
		said[name] = true
	}
	family := object{"type": "object", "additionalProperties": false, "required": []string{"id"}, "properties": said, "oneOf": oneKey(study.StatisticNames())}
	return object{"type": "array", "description": "what was published, and how the rows test it", "items": object{
		"if": object{"type": "object", "required": []string{manifest.FamilyKey}}, "then": family, "else": one}}
}

// statistics returns a property for every kind named.
func (g writer) statistics(names []string) object {
	out := object{}
	info := params.MustReflect(reflect.TypeFor[study.Statistic]())
	for _, k := range study.StatisticKinds {
		if slices.Contains(names, k.Name) {
			out[k.Name] = g.statistic(&k, info)
		}
	}
	return out
}

// statistic returns the schema of one kind.
func (g writer) statistic(k *study.StatisticKind, info *params.Struct) object {
	props := object{"where": ref("selection"), study.RunKey: object{"type": "string", "pattern": manifest.NamePattern.String(), "description": "another manifest's run"}}
	for _, name := range k.Fields {
		props[name] = g.field(info.ByName[name], reflect.Value{})
	}
	for _, side := range k.Sides {
		props[side] = ref("selection")
	}
	props["metric"] = described(ref("metric"), "metric")
	if len(k.Is) > 0 {
		props["is"] = object{"type": "string", "enum": k.Is}
	}
	switch k.Values {
	case "values":
		props["values"] = object{"type": "array", "minItems": 2, "items": ref("choice")}
	case "value":
		props["value"] = ref("choice")
	}
	for _, name := range []string{"by", "axis"} {
		if props[name] != nil {
			props[name] = object{"type": "string"} // of another run they are not known here
		}
	}
	o := object{"type": "object", "additionalProperties": false, "required": k.Required, "properties": props}
	if k.Joins {
		o = object{"anyOf": []any{o, object{"type": "array", "minItems": 2, "maxItems": 2, "items": ref("part")}}}
	}
	return described(o, k.Doc)
}

// claimDefs are the definitions that claims share.
func (g writer) claimDefs(defs object) object {
	choice := object{"type": []string{"string", "number", "boolean", "null"}}
	limit := object{"type": []string{"string", "number"}} // a text with a unit
	defs["choice"] = choice
	defs["term"] = object{"anyOf": []any{
		ref("choice"), object{"type": "array", "minItems": 1, "items": ref("choice")},
		object{"type": "object", "additionalProperties": false, "required": []string{"from", "to"}, "properties": object{"from": limit, "to": limit}}}}
	defs["selection"] = orNull(object{"type": "object", "description": "axis -> value, values or {from, to}; run: another manifest's run", "additionalProperties": ref("term")})
	defs[study.WhereKey] = orNull(object{"type": "object", "description": "the points that are shown: axis -> value, values or {from, to}", "propertyNames": object{"anyOf": []any{ref("axis"), object{"const": manifest.ClassAxis}}}, "additionalProperties": ref("term")})
	defs["part"] = object{"type": "object", "additionalProperties": false, "properties": g.statistics(study.PartNames()), "oneOf": oneKey(study.PartNames())}
	return defs
}

// oneKey demands exactly one of the keys.
func oneKey(names []string) []any {
	var out []any
	for _, name := range names {
		out = append(out, object{"required": []string{name}})
	}
	return out
}

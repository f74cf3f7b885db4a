package sweep

import (
	"reflect"
	"slices"
)

// claims returns the schema of claims:.
func (g schemaWriter) claims() object {
	fields, info := g.fields(mustReflect(reflect.TypeFor[Claim]()), reflect.ValueOf(claimDefaults)), mustReflect(reflect.TypeFor[bounds]())
	for name, schema := range g.fields(info, reflect.Value{}) {
		fields[name] = schema
	}
	fields["id"].(object)["pattern"] = namePattern.String()
	fields["across"] = object{"type": "array", "items": ref("axis"), "description": fields["across"].(object)["description"]}
	fields[publishedKey] = object{"type": []string{"string", "number", "boolean"}, "description": publishedDoc}
	for name, schema := range g.statistics(statisticNames()) {
		fields[name] = schema
	}
	one := object{"type": "object", "additionalProperties": false, "required": []string{"id"}, "properties": fields, "oneOf": oneKey(statisticNames())}
	// In a family any value may be a name, so that only the keys can be checked.
	said := object{familyKey: object{"type": "array", "description": familyDoc, "minItems": 1, "maxItems": maxFamily, "items": object{"type": "object", "propertyNames": object{"pattern": familyName.String()}}}}
	for name := range fields {
		said[name] = true
	}
	family := object{"type": "object", "additionalProperties": false, "required": []string{"id"}, "properties": said, "oneOf": oneKey(statisticNames())}
	return object{"type": "array", "description": "what was published, and how the rows test it", "items": object{
		"if": object{"type": "object", "required": []string{familyKey}}, "then": family, "else": one}}
}

// statistics returns a property for every kind named.
func (g schemaWriter) statistics(names []string) object {
	out := object{}
	info := mustReflect(reflect.TypeFor[Statistic]())
	for _, k := range statisticKinds {
		if slices.Contains(names, k.name) {
			out[k.name] = g.statistic(&k, info)
		}
	}
	return out
}

// statistic returns the schema of one kind.
func (g schemaWriter) statistic(k *statisticKind, info *structInfo) object {
	props := object{"where": ref("selection"), runKey: object{"type": "string", "pattern": namePattern.String(), "description": "another manifest's run"}}
	for _, name := range k.fields {
		props[name] = g.field(info.byName[name], reflect.Value{})
	}
	for _, side := range k.sides {
		props[side] = ref("selection")
	}
	props["metric"] = described(ref("metric"), "metric")
	if len(k.is) > 0 {
		props["is"] = object{"type": "string", "enum": k.is}
	}
	switch k.values {
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
	o := object{"type": "object", "additionalProperties": false, "required": k.required, "properties": props}
	if k.joins {
		o = object{"anyOf": []any{o, object{"type": "array", "minItems": 2, "maxItems": 2, "items": ref("part")}}}
	}
	return described(o, k.doc)
}

// claimDefs are the definitions that claims share.
func (g schemaWriter) claimDefs(defs object) object {
	choice := object{"type": []string{"string", "number", "boolean", "null"}}
	limit := object{"type": []string{"string", "number"}} // a text with a unit
	defs["choice"] = choice
	defs["term"] = object{"anyOf": []any{
		ref("choice"), object{"type": "array", "minItems": 1, "items": ref("choice")},
		object{"type": "object", "additionalProperties": false, "required": []string{"from", "to"}, "properties": object{"from": limit, "to": limit}}}}
	defs["selection"] = orNull(object{"type": "object", "description": "axis -> value, values or {from, to}; run: another manifest's run", "additionalProperties": ref("term")})
	defs[whereKey] = orNull(object{"type": "object", "description": "the points that are shown: axis -> value, values or {from, to}", "propertyNames": ref("axis"), "additionalProperties": ref("term")})
	defs["part"] = object{"type": "object", "additionalProperties": false, "properties": g.statistics(partNames()), "oneOf": oneKey(partNames())}
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

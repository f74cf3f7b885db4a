package schema

import (
	"reflect"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// find returns the schema of find:.
func (g writer) find() object {
	fields := g.fields(params.MustReflect(reflect.TypeFor[study.Question]()), reflect.ValueOf(study.QuestionDefaults))
	fields["id"].(object)["pattern"] = manifest.NamePattern.String()
	info := params.MustReflect(reflect.TypeFor[study.Asked]())
	number := object{"type": []string{"string", "number"}} // a text with a unit
	for _, k := range study.QuestionKinds {
		props := object{study.WhereKey: ref(study.WhereKey)}
		for _, name := range k.Fields {
			props[name] = g.field(info.ByName[name], reflect.Value{})
		}
		props["metric"] = described(ref("metric"), "metric")
		for _, side := range k.Selects {
			props[side] = ref(study.WhereKey)
		}
		if k.Places() {
			props[study.WithinKey] = object{"type": "object", "additionalProperties": false, "required": []string{"from", "to"}, "properties": object{"from": number, "to": number}}
			props[study.StepKey] = number
		}
		fields[k.Name] = described(object{"type": "object", "additionalProperties": false, "required": k.Required, "properties": props}, k.Doc)
	}
	return object{"type": "array", "minItems": 1, "description": "questions, of which the answers are wanted in place of all combinations of the axes", "items": object{
		"type": "object", "additionalProperties": false, "required": []string{"id"}, "properties": fields, "oneOf": oneKey(study.QuestionNames())}}
}

package schema

import (
	"reflect"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

func (g writer) find() object {
	fields := g.fields(params.MustReflect(reflect.TypeFor[study.Question]()), reflect.ValueOf(study.QuestionDefaults))
	fields["id"].(object)["pattern"] = manifest.NamePattern.String()
	number := object{"type": []string{"string", "number"}} // a text with a unit
	inUnit := func(of object, names ...string) {           // one that the schema cannot know
		for _, name := range names {
			if field, ok := of[name].(object); ok {
				field["type"] = number["type"]
			}
		}
	}
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
	return described(valueList(withOne(study.QuestionKinds, closed(fields, "id"))), "questions, of which the answers are wanted in place "+
		"of all combinations of the axes")
}

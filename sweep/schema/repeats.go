package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// leastShared is the length in bytes from which on a schema that repeats is
// written once: for shorter ones a reference saves little.
const leastShared = 60

type repeats struct {
	count map[string]int    // by text: in how many places that are no repeats themselves
	names map[string]string // by text: of its definition
	defs  object
}

func writeOnce(schema object) object {
	r := repeats{map[string]int{}, map[string]string{}, object{}}
	maps.Copy(r.defs, schema["$defs"].(object))
	r.tally(schema)
	out := inside("", schema, r.replace)
	maps.Copy(r.defs, out["$defs"].(object))
	out["$defs"] = r.defs
	return out
}

// written returns the text by which two schemas are equal.
func written(schema object) string {
	b, err := json.Marshal(schema)
	if err != nil {
		panic(err) // maps, lists and plain values have a text
	}
	return string(b)
}

// plain is the schema without its default, which is beside a reference.
func plain(schema object) object {
	if schema["default"] == nil {
		return schema
	}
	schema = maps.Clone(schema)
	delete(schema, "default")
	return schema
}

func (r *repeats) tally(schema object) {
	inside("", schema, func(_ string, sub object) object {
		t := written(plain(sub))
		if r.count[t]++; r.count[t] == 1 {
			r.tally(sub)
		}
		return sub
	})
}

// replace returns a reference for a schema that repeats, and others with
// references inside them; name is the property that it describes.
func (r *repeats) replace(name string, schema object) object {
	whole := schema
	schema = plain(schema)
	t := written(schema)
	if r.count[t] < 2 || len(t) < leastShared {
		return inside(name, whole, r.replace)
	}
	if r.names[t] == "" {
		def := name
		for n := 2; def == "" || r.defs[def] != nil; n++ {
			def = fmt.Sprint(name, "-", n)
		}
		r.names[t], r.defs[def] = def, true // taken while its own parts are named
		r.defs[def] = inside(name, schema, r.replace)
	}
	out := ref(r.names[t])
	if whole["default"] != nil {
		out["default"] = whole["default"]
	}
	return out
}

// inside returns a schema with the schemas directly in it changed. The function gets the name of the property that each
// describes.
func inside(name string, schema object, change func(name string, sub object) object) object {
	one := func(name string, v any) any {
		if sub, ok := v.(object); ok {
			return change(name, sub)
		}
		return v // true and false are schemas too
	}
	out := maps.Clone(schema)
	for _, key := range slices.Sorted(maps.Keys(schema)) { // definitions are named in one order
		v := schema[key]
		switch key {
		case "items", "additionalProperties", "propertyNames", "not", "if", "then", "else":
			out[key] = one(name, v)
		case "anyOf", "oneOf", "allOf":
			list := slices.Clone(v.([]any))
			for i := range list {
				list[i] = one(name, list[i])
			}
			out[key] = list
		case "properties", "$defs":
			props := maps.Clone(v.(object))
			for _, p := range slices.Sorted(maps.Keys(props)) {
				props[p] = one(p, props[p])
			}
			out[key] = props
		}
	}
	return out
}

// Package params reads parameters. A registry lists the sections, kinds and parameter structs. A decoder turns nodes of
// a manifest into structs and reports mistakes. Ids are made of the canonical encoding of a section.
//
// # Parameter structs
//
// Fields of type float64, int, int64, uint64, bool, string, [2]float64 (a range),
// []float64, []string, struct and []struct carry tags: sweep (the name, "-" to skip), doc, unit (s, B, B/s, flop, flop/s), min,
// max, above, below (the last two exclusive), finite ("yes"), alone ("yes": one text may stand for a list), enum ("a|b"; or the
// field's type has a method Choices() []string, and may have Written() map[string]string), required ("true"), file ("input": ids
// have the content's hash in place of the path), identity ("no": not hashed) and, inside the elements of a list, default. A list of
// structs with the tag keyed:"NAME" is written as a map: each key is the field NAME of an element, and the elements are in order of
// their keys, so that the order in the manifest does not matter. Where the elements have one other field, its value may stand
// beside the key. A struct field with the name of a text field before it is the map that may be written in place of the text. Its
// fields with the tag chooses:"TEXT" say which text the map means. An element of a list may hold a section: a field of type
// struct{ Kind string; Params any } with the tag section:"policy" and no other takes the element's key kind and the fields of
// that kind. These are beside the element's own. Kinds that have such lists cannot be chosen there. A struct whose pointer has
// the method Validate(report func(field, message string)) checks rules between its fields.
// Each message is a predicate of the field, such as "is empty; name a table".
// The method Needs(report func(missing, field, message string)) names fields that change nothing at the value of another one, which
// lacks a better one. They are valid where an axis writes that one, or a part of it.
package params

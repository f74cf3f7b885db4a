package sweep

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
)

// kindKey is the name of the key that chooses a section's kind.
const kindKey = "kind"

// kindOf returns the kind that the section's node chooses, or nil after a
// report; a piece of a section need not say it.
func (d *decoder) kindOf(n *node, s *sectionInfo, piece bool) *kindInfo {
	if s.single {
		return s.kinds[0]
	}
	k := n.get(kindKey)
	if k == nil {
		if s.fallback() == nil && !piece {
			d.out.add(n.pos, s.name, "valid: "+strings.Join(s.kindNames(), ", "), "%s.kind is missing", s.name)
		}
		return s.fallback()
	}
	return d.kindNamed(k, s)
}

// kindNamed returns the kind that the scalar names, or nil after a report.
func (d *decoder) kindNamed(n *node, s *sectionInfo) *kindInfo {
	path := s.name + "." + kindKey
	if n.shape != scalarNode || n.isNull() {
		d.out.add(n.pos, path, "valid: "+strings.Join(s.kindNames(), ", "), "%s is %s; want the name of a kind", path, n.what())
		return nil
	}
	kind := s.kind(n.text)
	switch {
	case kind == nil && slices.Contains(s.nesting, n.text):
		d.out.add(n.pos, path, "valid: "+strings.Join(s.kindNames(), ", "), "%s cannot be %s, which holds a list like this one", path, n.text)
	case kind == nil:
		d.out.add(n.pos, path, meantOneOf(n.text, s.kindNames()), "there is no %s kind %s", s.called(), quote(n.text))
	}
	return kind
}

// unknownKey returns what to do about a key that the kind does not have. Kinds
// in play are those which the manifest gives the section anywhere: their fields
// may stand beside, and are ignored where another kind is chosen.
func (d *decoder) unknownKey(s *sectionInfo, kind *kindInfo, play []*kindInfo) func(entry, string, *structInfo) {
	return func(e entry, path string, fields *structInfo) {
		rel := strings.Split(strings.TrimPrefix(path, s.name+"."), ".")
		for _, k := range play {
			if k != kind && k.fields.find(rel) != nil {
				return
			}
		}
		of := s.name
		if kind.name != "" {
			of += " kind " + kind.name
		}
		var owners []string
		for _, k := range s.kinds {
			if k != kind && k.fields.find(rel) != nil {
				owners = append(owners, k.name)
			}
		}
		names := fields.names()
		if len(rel) == 1 && !s.single {
			names = append(append(names, kindKey), s.beside...)
		}
		if len(owners) > 0 {
			hint := ""
			// A near name of the chosen kind is the likelier slip.
			if near := nearest(e.key, names); near != "" && distance(e.key, near, 3) <= 1 {
				hint = `did you mean "` + near + `"?`
			}
			d.out.add(e.pos, path, hint, "%s is a field of %s kind %s, not %s", e.key, s.called(), strings.Join(owners, ", "), kind.name)
			return
		}
		where := of
		if len(rel) > 1 {
			where = path[:strings.LastIndex(path, ".")] + " (" + of + ")"
		}
		d.out.add(e.pos, path, didYouMean(e.key, names), "unknown key %s in %s", quote(e.key), where)
	}
}

// section decodes one variant of a section; the result is nil when its kind is
// unknown.
func (d *decoder) section(n *node, s *sectionInfo) *Resolved {
	kind := d.kindOf(n, s, false)
	if kind == nil {
		return nil
	}
	r := &Resolved{Section: s.name, Kind: kind.name, Params: d.params(n, s, kind, false, nil).Interface(), info: s, kind: kind}
	r.Canonical = d.canonical(r)
	r.Hash = sha256.Sum256(r.Canonical)
	return r
}

// piece decodes what is written of a section, or one value of it, as the given
// kind; fields of the kinds in play may stand there. The result has no hash.
func (d *decoder) piece(n *node, s *sectionInfo, kind *kindInfo, play []*kindInfo) *Resolved {
	return &Resolved{Section: s.name, Kind: kind.name, Params: d.params(n, s, kind, true, play).Interface(), info: s, kind: kind}
}

// validator is a struct of parameters with rules between its fields.
type validator interface {
	Validate(report func(field, message string))
}

// params decodes the fields of a kind into a new struct and returns the pointer
// to it.
func (d *decoder) params(n *node, s *sectionInfo, kind *kindInfo, piece bool, play []*kindInfo) reflect.Value {
	params := reflect.New(kind.fields.typ)
	if kind.defaults.IsValid() {
		params.Elem().Set(kind.defaults)
	}
	var skip []string
	if !s.single {
		skip = []string{kindKey}
	}
	unknown := func(entry, string, *structInfo) {} // pieces have been checked one by one
	if piece {
		unknown = d.unknownKey(s, kind, play)
	}
	before := d.out.count
	d.structure(n, kind.fields, params.Elem(), scope{s.name, unknown, piece}, skip...)
	if piece {
		return params
	}
	// Rules between fields say nothing of use about fields that did not decode.
	if v, ok := params.Interface().(validator); ok && before == d.out.count {
		v.Validate(func(field, message string) {
			path := s.name
			if field != "" {
				path += "." + field
			}
			d.out.add(n.place(field), path, "", "%s: %s", path, message)
		})
	}
	return params
}

// value returns what the section has at the path below it; ok is false where
// the path does not exist in its kind.
func (r *Resolved) value(rel []string) (v Value, ok bool) {
	if len(rel) == 0 || len(rel) == 1 && rel[0] == kindKey && !r.info.single {
		return Value{Kind: String, S: r.Kind}, r.Kind != ""
	}
	at, fields := reflect.ValueOf(r.Params).Elem(), r.kind.fields
	for i, name := range rel {
		f := fields.byName[name]
		if f == nil {
			return Value{}, false
		}
		at = at.FieldByIndex(f.index)
		if i == len(rel)-1 {
			return valueOf(at), true
		}
		if f.typ.Kind() != reflect.Struct {
			return Value{}, false
		}
		fields = f.sub
	}
	return Value{}, false
}

// fieldsAt returns the fields at the path in the kinds given.
func fieldsAt(kinds []*kindInfo, rel []string) []*fieldInfo {
	var out []*fieldInfo
	for _, k := range kinds {
		if f := k.fields.find(rel); f != nil {
			out = append(out, f)
		}
	}
	return out
}

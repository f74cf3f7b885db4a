package params

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// KindKey is the name of the key that chooses a section's kind.
const KindKey = "kind"

// KindOf returns the kind that the section's node chooses, or nil after a
// report; a piece of a section need not say it.
func (d *Decoder) KindOf(n *text.Node, s *SectionInfo, partial bool) *KindInfo {
	if s.Single {
		return s.Kinds[0]
	}
	k := n.Get(KindKey)
	if k == nil {
		if s.Fallback() == nil && !partial {
			d.Out.Add(n.Pos, "valid: "+strings.Join(KindNames(s.Kinds), ", "), "%s.kind is missing", s.Name)
		}
		return s.Fallback()
	}
	return d.KindNamed(k, s)
}

// KindNamed returns the kind that the scalar names, or nil after a report.
func (d *Decoder) KindNamed(n *text.Node, s *SectionInfo) *KindInfo {
	path := s.Name + "." + KindKey
	if n.Shape != text.Scalar || n.IsNull() {
		d.Out.Add(n.Pos, "valid: "+strings.Join(KindNames(s.Kinds), ", "), "%s is %s; want the name of a kind", path, n.What())
		return nil
	}
	kind := s.Kind(n.Text)
	switch {
	case kind == nil && slices.Contains(s.nesting, n.Text):
		d.Out.Add(n.Pos, "valid: "+strings.Join(KindNames(s.Kinds), ", "), "%s cannot be %s, which holds a list like this one", path, n.Text)
	case kind == nil && s.valued(n.Text) != "":
		d.Out.Add(n.Pos, "write "+s.Name+"."+s.valued(n.Text)+": "+n.Text, "there is no %s kind %s, which is a value of %s.%s", s.called(),
			text.Quote(n.Text), s.Name, s.valued(n.Text))
	case kind == nil:
		d.Out.Add(n.Pos, text.MeantOneOf(n.Text, KindNames(s.Kinds)), "there is no %s kind %s", s.called(), text.Quote(n.Text))
	}
	return kind
}

// valued returns the field of the section's kinds that has the value, or "" where none has.
func (s *SectionInfo) valued(value string) string {
	for _, k := range s.Kinds {
		for _, f := range k.Fields.Fields {
			if slices.Contains(f.Enum, value) {
				return f.Name
			}
		}
	}
	return ""
}

// unknownKey returns a remedy for a key that the kind does not have. Kinds
// in play are those which the manifest gives the section anywhere: their fields
// may stand beside, and are ignored where another kind is chosen.
func (d *Decoder) unknownKey(s *SectionInfo, kind *KindInfo, play []*KindInfo) func(text.Entry, string, *Struct) {
	return func(e text.Entry, path string, fields *Struct) {
		rel := strings.Split(strings.TrimPrefix(path, s.Name+"."), ".")
		if keys := strings.Split(e.Key, "."); len(keys) > 1 && len(KindsWith(s.Kinds, rel)) > 0 {
			d.Out.Add(e.Pos, "write "+strings.Join(keys, ": {")+": ..."+strings.Repeat("}", len(keys)-1),
				"%s is a path, where only the name of a field can be", text.Quote(e.Key))
			return
		}
		other := func(k *KindInfo) bool { return k != kind }
		if slices.ContainsFunc(KindsWith(play, rel), other) {
			return
		}
		of := s.Name
		if kind.Name != "" {
			of += " kind " + kind.Name
		}
		names := fields.Names()
		if len(rel) == 1 && !s.Single {
			names = append(append(names, KindKey), s.beside...)
		}
		paths := text.Each(kind.Fields.Paths(), func(path string) string { return s.Name + "." + path })
		if owners := KindsWith(s.Kinds, rel); slices.ContainsFunc(owners, other) {
			hint := "remove it, or choose another kind"
			// A near name of the chosen kind is the likelier slip.
			if near := text.Nearest(e.Key, names); near != "" && text.Distance(e.Key, near, 3) <= 1 {
				hint = `did you mean "` + near + `"?`
			} else if within := text.Within(e.Key, paths); within != "" {
				hint = within
			}
			d.Out.Add(e.Pos, hint, "%s is a field of %s kind %s, not %s", e.Key, s.called(),
				strings.Join(KindNames(slices.DeleteFunc(owners, func(k *KindInfo) bool { return k == kind })), ", "), kind.Name)
			return
		}
		where := of
		if len(rel) > 1 {
			where = path[:strings.LastIndex(path, ".")] + " (" + of + ")"
		}
		d.Out.Add(e.Pos, text.DidYouMean(e.Key, names, paths...), "unknown key %s in %s", text.Quote(e.Key), where)
	}
}

// Section decodes one variant of a section; the result is nil when its kind is
// unknown.
func (d *Decoder) Section(n *text.Node, s *SectionInfo) *Resolved {
	kind := d.KindOf(n, s, false)
	if kind == nil {
		return nil
	}
	r := kind.resolved(s.Name, s, d.params(n, s, kind, false, nil))
	r.Canonical = d.Canonical(r)
	r.Hash = sha256.Sum256(r.Canonical)
	return r
}

// Partial decodes the written part of a section, or one value of it, as the given
// kind. Fields of the kinds in play may stand there. The result has no hash.
func (d *Decoder) Partial(n *text.Node, s *SectionInfo, kind *KindInfo, play []*KindInfo) *Resolved {
	return kind.resolved(s.Name, s, d.params(n, s, kind, true, play))
}

// resolved is a section of this kind with the parameters that params points to.
func (k *KindInfo) resolved(section string, s *SectionInfo, params reflect.Value) *Resolved {
	return &Resolved{Section: section, Kind: k.Name, Params: k.own(params), info: s, kind: k, whole: params}
}

type validator interface {
	Validate(report func(field, message string))
}

// needing are parameters with fields that change nothing at some values of another field. An axis over the other field may have these
// values.
type needing interface {
	Needs(report func(missing, field, message string))
}

// params decodes the fields of a kind into a new struct and returns the pointer
// to it.
func (d *Decoder) params(n *text.Node, s *SectionInfo, kind *KindInfo, partial bool, play []*KindInfo) reflect.Value {
	params := reflect.New(kind.Fields.Type)
	if kind.Defaults.IsValid() {
		params.Elem().Set(kind.Defaults)
	}
	var skip []string
	if !s.Single {
		skip = []string{KindKey}
	}
	unknown := func(text.Entry, string, *Struct) {} // pieces have been checked one by one
	if partial {
		unknown = d.unknownKey(s, kind, play)
	}
	before := d.Out.Count
	d.Structure(n, kind.Fields, params.Elem(), Scope{s.Name, unknown, partial}, skip...)
	if partial {
		return params
	}
	// Rules between fields say nothing of use about fields that did not decode.
	if before == d.Out.Count {
		report := func(field, message string) {
			path := s.Name
			if field != "" {
				path += "." + field
			}
			d.Out.Add(n.Place(field), "", "%s %s", path, message)
		}
		kind.validate(params, report)
		kind.needs(params, func(missing, field, message string) {
			holds := func(whole, part string) bool { return strings.HasPrefix(s.Name+"."+part+".", whole+".") }
			if !slices.ContainsFunc(d.Axes, func(axis string) bool {
				return strings.HasPrefix(axis+".", s.Name+"."+missing+".") || holds(axis, missing) && !holds(axis, field)
			}) {
				report(field, message)
			}
		})
	}
	return params
}

// Value returns the section's value at the path below it; ok is false where
// the path does not exist in its kind.
func (r *Resolved) Value(rel []string) (v Value, ok bool) {
	if len(rel) == 0 || len(rel) == 1 && rel[0] == KindKey && !r.info.Single {
		return Value{Kind: String, S: r.Kind}, r.Kind != ""
	}
	at, fields := r.whole.Elem(), r.kind.Fields
	for i := 0; i < len(rel); i++ {
		name := rel[i]
		key, number, element := text.Element(name)
		f := fields.along(key, i == len(rel)-1)
		if f == nil {
			return Value{}, false
		}
		at = at.FieldByIndex(f.Index)
		if i == len(rel)-1 {
			return ValueOf(at), true
		}
		if f.Keyed != "" && !element {
			if i++; !f.element(&at, rel[i]) {
				return Value{}, false
			}
			if i == len(rel)-1 {
				return f.valueOf(at)
			}
			fields = f.Fields
			continue
		}
		if f.Fields == nil || element != (at.Kind() == reflect.Slice) || element && number >= at.Len() {
			return Value{}, false
		}
		if element {
			at = at.Index(number)
		}
		fields = f.Fields
	}
	return Value{}, false
}

// KindsWith returns those of the kinds that have a field at the path.
func KindsWith(kinds []*KindInfo, rel []string) []*KindInfo {
	return slices.DeleteFunc(slices.Clone(kinds), func(k *KindInfo) bool { return k.Fields.Find(rel) == nil })
}

func KindNames(kinds []*KindInfo) []string {
	return text.Each(kinds, func(k *KindInfo) string { return k.Name })
}

// FieldsAt returns the fields at the path in the kinds given.
func FieldsAt(kinds []*KindInfo, rel []string) []*Field {
	var out []*Field
	for _, k := range kinds {
		if f := k.Fields.Find(rel); f != nil {
			out = append(out, f)
		}
	}
	return out
}

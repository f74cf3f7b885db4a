package params

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// Pattern is a variant of a section from which others are made by exchanging plain
// values: a tenth of the work of decoding and encoding each from its node.
type Pattern struct {
	of     *Resolved
	lines  []string // of its canonical encoding without the fields, sorted
	fields []exchange
}

// Params are those of the variant that others extend.
func (p *Pattern) Params() any { return p.of.Params }

type exchange struct {
	path    string
	at      [][]int // indices of the structs on the way to the field
	info    *Field
	initial reflect.Value // the field's default
}

// Pattern makes a pattern of a variant where all of the paths lead to plain fields,
// which leave everything else as it is; else it returns nil.
func (d *Decoder) Pattern(r *Resolved, paths [][]string) *Pattern {
	p := &Pattern{of: r, lines: d.encode(nil, "", r.kind.Fields, r.whole.Elem(), r.kind.Defaults)}
	slices.Sort(p.lines)
	for _, rel := range paths {
		f := r.kind.Fields.Find(rel)
		inList := slices.ContainsFunc(rel, func(part string) bool { return strings.Contains(part, "[") }) || r.kind.Fields.keyed(rel)
		if f == nil || inList || !f.Scalar() || f.file || f.Unhashed {
			return nil
		}
		x := exchange{path: strings.Join(rel, "."), info: f, initial: r.kind.Defaults}
		fields := r.kind.Fields
		if !x.initial.IsValid() {
			x.initial = reflect.Zero(fields.Type)
		}
		for i, name := range rel {
			step := fields.along(name, i == len(rel)-1)
			x.at = append(x.at, step.Index)
			x.initial = x.initial.FieldByIndex(step.Index)
			fields = step.Fields
		}
		p.lines = slices.DeleteFunc(p.lines, func(l string) bool { return strings.HasPrefix(l, x.path+" ") })
		p.fields = append(p.fields, x)
	}
	return p
}

// Variant makes the variant with the values, one for each of the pattern's paths.
// It returns nil where there is something to report, which takes a look at the
// whole section.
func (p *Pattern) Variant(d *Decoder, values []*text.Node) *Resolved {
	trial := d.Trial()
	params := reflect.New(p.of.kind.Fields.Type)
	params.Elem().Set(p.of.whole.Elem())
	lines := slices.Clone(p.lines)
	for i, x := range p.fields {
		into := params.Elem()
		for _, index := range x.at {
			into = into.FieldByIndex(index)
		}
		trial.Scalar(values[i], x.info, into, x.path)
		for _, l := range trial.encodeField(nil, x.path, x.info, into, x.initial) { // one, or none at the default
			at, _ := slices.BinarySearch(lines, l)
			lines = slices.Insert(lines, at, l)
		}
	}
	if trial.Out.Count == 0 {
		p.of.kind.validate(params, func(field, message string) { trial.Out.Count++ })
		p.of.kind.needs(params, func(missing, field, message string) { trial.Out.Count++ })
	}
	if trial.Out.Count > 0 {
		return nil
	}
	r := p.of.kind.resolved(p.of.Section, p.of.info, params)
	r.Canonical = canonicalOf(r, lines)
	r.Hash = sha256.Sum256(r.Canonical)
	return r
}

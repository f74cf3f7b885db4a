package sweep

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
)

// pattern is a variant of a section from which the others of a long axis are made
// by exchanging plain values: a tenth of the work of decoding and encoding each
// from its node.
type pattern struct {
	of     *Resolved
	lines  []string // of its canonical encoding without the fields, sorted
	fields []exchange
}

// exchange is a field that an axis varies.
type exchange struct {
	axis int // in the block
	path string
	at   [][]int // indices of the structs on the way to the field
	info *fieldInfo

	initial reflect.Value // the field's default
}

// pattern makes a pattern of a variant where all axes of its section vary plain
// fields of it, which leave everything else as it is; else it returns nil.
func (t *variantTable) pattern(d *decoder, r *Resolved) *pattern {
	p := &pattern{of: r, lines: d.encode(nil, "", r.kind.fields, reflect.ValueOf(r.Params).Elem(), r.kind.defaults)}
	slices.Sort(p.lines)
	for _, s := range t.slots {
		for _, i := range s.axes {
			a := t.block.axes[i]
			f := r.kind.fields.find(a.rel)
			if f == nil || !f.scalar() || f.file || f.unhashed {
				return nil
			}
			x := exchange{axis: i, path: strings.Join(a.rel, "."), info: f}
			fields := r.kind.fields
			x.initial = r.kind.defaults
			if !x.initial.IsValid() {
				x.initial = reflect.Zero(fields.typ)
			}
			for _, name := range a.rel {
				x.at = append(x.at, fields.byName[name].index)
				x.initial = x.initial.FieldByIndex(fields.byName[name].index)
				fields = fields.byName[name].sub
			}
			p.lines = slices.DeleteFunc(p.lines, func(l string) bool { return strings.HasPrefix(l, x.path+" ") })
			p.fields = append(p.fields, x)
		}
	}
	return p
}

// variant makes the variant with the digits of the block's axes. It returns nil
// where that takes a look at the whole section: where an axis stands at the base,
// and where there is something to report.
func (p *pattern) variant(d *decoder, t *variantTable, digits []int) *Resolved {
	if p == nil {
		return nil
	}
	quiet := d.quiet()
	params := reflect.New(p.of.kind.fields.typ)
	params.Elem().Set(reflect.ValueOf(p.of.Params).Elem())
	lines := slices.Clone(p.lines)
	for _, x := range p.fields {
		values := t.block.axes[x.axis].values
		if digits[x.axis] >= len(values) {
			return nil
		}
		into := params.Elem()
		for _, index := range x.at {
			into = into.FieldByIndex(index)
		}
		quiet.scalar(values[digits[x.axis]].tree, x.info, into, x.path)
		for _, l := range quiet.encodeField(nil, x.path, x.info, into, x.initial) { // one, or none at the default
			at, _ := slices.BinarySearch(lines, l)
			lines = slices.Insert(lines, at, l)
		}
	}
	if v, ok := params.Interface().(interface {
		Validate(func(field, message string))
	}); ok {
		v.Validate(func(field, message string) { quiet.out.count++ })
	}
	if quiet.out.count > 0 {
		return nil
	}
	r := &Resolved{Section: p.of.Section, Kind: p.of.Kind, Params: params.Interface(), info: p.of.info, kind: p.of.kind}
	r.Canonical = canonicalOf(r, lines)
	r.Hash = sha256.Sum256(r.Canonical)
	return r
}

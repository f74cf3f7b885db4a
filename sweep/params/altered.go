package params

import (
	"crypto/sha256"
	"reflect"
)

// Altered returns a section that differs from r in what alter changes of a copy of its parameters (see [Resolved.Params]), or nil
// where alter reports that it changes nothing. alter sets fields, and does not change what lists hold.
func (d *Decoder) Altered(r *Resolved, alter func(params any) bool) *Resolved {
	params := reflect.New(r.kind.Fields.Type)
	params.Elem().Set(r.whole.Elem())
	if !alter(r.kind.own(params)) {
		return nil
	}
	out := r.kind.resolved(r.Section, r.info, params)
	out.Canonical = d.Canonical(out)
	out.Hash = sha256.Sum256(out.Canonical)
	return out
}

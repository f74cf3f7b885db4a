package params

import (
	"fmt"
	"reflect"
	"slices"
)

// newKind reads a kind. Where the section has structs that all kinds share, the kind's parameters and the shared ones
// that it does not hide become the fields of one struct.
func newKind(k Kind, shared []Shared) (*KindInfo, error) {
	info := &KindInfo{Name: k.Name, Written: k.Written, Doc: k.Doc, version: k.Version, Defaults: reflect.ValueOf(k.Params)}
	var err error
	if info.Fields, err = reflectStruct(reflect.TypeOf(k.Params)); err != nil {
		return nil, err
	}
	shared = slices.DeleteFunc(slices.Clone(shared), func(s Shared) bool { return info.Fields.ByName[s.Name] != nil })
	if len(shared) == 0 {
		return info, nil
	}
	own := info.Defaults
	if !own.IsValid() {
		own = reflect.ValueOf(struct{}{})
	}
	parts := []reflect.StructField{{Name: "Own", Type: own.Type()}}
	values := []reflect.Value{own}
	for _, s := range shared {
		parts = append(parts, reflect.StructField{Name: fmt.Sprint("Shared", len(parts)), Type: reflect.TypeOf(s.Params),
			Tag: reflect.StructTag(fmt.Sprintf("doc:%q", s.Doc))})
		values, info.shared = append(values, reflect.ValueOf(s.Params)), append(info.shared, s.Name)
	}
	whole := reflect.StructOf(parts)
	info.Fields.Type = whole
	for _, f := range info.Fields.Fields {
		f.Index = append([]int{0}, f.Index...)
	}
	info.Defaults = reflect.New(whole).Elem()
	for i, v := range values {
		info.Defaults.Field(i).Set(v)
		if i == 0 {
			continue
		}
		f, err := newField(parts[i], info.shared[i-1], []int{i}, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", info.shared[i-1], err)
		}
		info.Fields.Fields, info.Fields.ByName[f.Name] = append(info.Fields.Fields, f), f
	}
	return info, nil
}

func (k *KindInfo) own(params reflect.Value) any {
	if k.shared != nil {
		params = params.Elem().Field(0).Addr()
	}
	return params.Interface()
}

func (k *KindInfo) validate(params reflect.Value, report func(field, message string)) {
	if v, ok := k.own(params).(validator); ok {
		v.Validate(report)
	}
	for i, name := range k.shared {
		if v, ok := params.Elem().Field(i + 1).Addr().Interface().(validator); ok {
			v.Validate(func(field, message string) { report(name+"."+field, message) })
		}
	}
}

func (k *KindInfo) needs(params reflect.Value, report func(missing, field, message string)) {
	if v, ok := k.own(params).(needing); ok {
		v.Needs(report)
	}
	for i, name := range k.shared {
		if v, ok := params.Elem().Field(i + 1).Addr().Interface().(needing); ok {
			v.Needs(func(missing, field, message string) { report(name+"."+missing, name+"."+field, message) })
		}
	}
}

// Shared returns the pointer to the section's shared struct of that name; ok is
// false where the kind hides it.
func (r *Resolved) Shared(name string) (params any, ok bool) {
	i := slices.Index(r.kind.shared, name)
	if i < 0 {
		return nil, false
	}
	return r.whole.Elem().Field(i + 1).Addr().Interface(), true
}

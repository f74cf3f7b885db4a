package workload_test

import (
	"reflect"
	"slices"
	"testing"

	"schedsweep/sim/workload"
)

// TestParams walks through the parameters of every kind. Each has a unique name and a description. The defaults of a kind that
// needs no input are accepted.
func TestParams(t *testing.T) {
	for _, k := range workload.Kinds.Kinds() {
		walk(t, k.Name, reflect.TypeOf(k.Params), map[string]bool{})
		p := reflect.New(reflect.TypeOf(k.Params))
		p.Elem().Set(reflect.ValueOf(k.Params))
		var reported, want []string
		if v, ok := p.Interface().(interface {
			Validate(func(field, message string))
		}); ok {
			v.Validate(func(field, _ string) { reported = append(reported, field) })
		}
		for _, f := range reflect.VisibleFields(p.Elem().Type()) {
			if f.Tag.Get("required") == "true" {
				want = append(want, f.Tag.Get("sweep"))
			}
		}
		if !slices.Equal(reported, want) {
			t.Errorf("%s: the defaults are refused for %v, want %v", k.Name, reported, want)
		}
	}
}

func walk(t *testing.T, path string, ty reflect.Type, seen map[string]bool) {
	for i := range ty.NumField() {
		f := ty.Field(i)
		if f.Anonymous {
			walk(t, path, f.Type, seen)
			continue
		}
		name := f.Tag.Get("sweep")
		if name == "" || f.Tag.Get("doc") == "" {
			t.Errorf("%s.%s lacks a name or a description", path, f.Name)
		}
		if seen[name] {
			t.Errorf("%s has two parameters %q", path, name)
		}
		seen[name] = true
		inner := f.Type
		if inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		switch inner.Kind() {
		case reflect.Struct:
			walk(t, path+"."+name, inner, map[string]bool{})
		case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String:
		case reflect.Array:
			if inner != reflect.TypeFor[[2]float64]() {
				t.Errorf("%s.%s is a %s", path, name, inner)
			}
		default:
			t.Errorf("%s.%s is a %s", path, name, inner)
		}
	}
}

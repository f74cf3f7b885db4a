package workload_test

import (
	"reflect"
	"testing"

	"schedsweep/sim/workload"
)

// TestParams walks through the parameters of every kind: each has a unique name
// and a description, and the defaults of those that need no input are accepted.
func TestParams(t *testing.T) {
	kinds := workload.Kinds.Kinds()
	names := []string{}
	for _, k := range kinds {
		names = append(names, k.Name)
		walk(t, k.Name, reflect.TypeOf(k.Params), map[string]bool{})
		p := reflect.New(reflect.TypeOf(k.Params))
		p.Elem().Set(reflect.ValueOf(k.Params))
		var reported []string
		p.Interface().(interface {
			Validate(func(field, message string))
		}).Validate(func(field, _ string) { reported = append(reported, field) })
		want := map[string]string{"swf": "path", "list": "jobs", "grid": "logs"}[k.Name]
		if want == "" && len(reported) > 0 || want != "" && (len(reported) != 1 || reported[0] != want) {
			t.Errorf("%s: the defaults are refused for %v", k.Name, reported)
		}
	}
	if want := []string{"bsp", "grid", "list", "lublin", "poisson", "swf"}; !reflect.DeepEqual(names, want) {
		t.Errorf("kinds %v, want %v", names, want)
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

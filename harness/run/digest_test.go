package run

import (
	"reflect"
	"strings"
	"testing"

	"schedsweep/sim"
)

// TestEveryFieldIsInTheDigest: two jobs that differ in one field have two digests, but for their number.
func TestEveryFieldIsInTheDigest(t *testing.T) {
	of := func(j sim.JobSpec) int64 {
		var d digest
		d.job(&j)
		return int64(d.sum >> 12)
	}
	var plain sim.JobSpec
	seen := map[int64]string{of(plain): "none"}
	differs := func(name string, set func(v reflect.Value)) {
		j := plain
		set(reflect.ValueOf(&j).Elem().FieldByName(name))
		h := of(j)
		if other, is := seen[h]; is != (name == "ID") {
			t.Errorf("the digest of a job with another %s is that of one with another %s: %v", name, other, is)
		}
		seen[h] = name
	}
	for _, n := range []int64{1, 2} {
		for _, f := range reflect.VisibleFields(reflect.TypeFor[sim.JobSpec]()) {
			switch f.Type.Kind() {
			case reflect.Float64:
				differs(f.Name, func(v reflect.Value) { v.SetFloat(float64(n)) })
			case reflect.Int32, reflect.Int64:
				differs(f.Name, func(v reflect.Value) { v.SetInt(n) })
			case reflect.Uint8:
				differs(f.Name, func(v reflect.Value) { v.SetUint(uint64(n)) })
			case reflect.String:
				differs(f.Name, func(v reflect.Value) { v.SetString(strings.Repeat("x", int(n))) })
			case reflect.Array:
				for i := range f.Type.Len() {
					differs(f.Name, func(v reflect.Value) { v.Index(i).SetUint(uint64(n)) })
				}
			case reflect.Pointer:
				for i := range reflect.TypeFor[sim.Request]().NumField() {
					differs(f.Name, func(v reflect.Value) {
						r := &sim.Request{}
						if v.Set(reflect.ValueOf(r)); i < 4 {
							of := reflect.ValueOf(r).Elem().Field(i)
							of.Set(reflect.ValueOf(n).Convert(of.Type()))
						} else {
							r.Licences[1] = int32(n)
						}
					})
				}
			default:
				t.Errorf("the test knows no %s, which %s is", f.Type, f.Name)
			}
		}
	}
}

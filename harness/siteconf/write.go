package siteconf

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
)

// flow writes a value of a parameter on one line. A struct is a map, without the field skip, and without fields of value zero but for
// numbers whose default is another. A list with keys is a map too.
func flow(v reflect.Value, tag reflect.StructTag, skip string) string {
	switch v.Kind() {
	case reflect.Struct:
		var parts []string
		for i := range v.NumField() {
			f, tag := v.Field(i), v.Type().Field(i).Tag
			name := tag.Get("sweep")
			needed := tag.Get("default") != "" && (f.Kind() == reflect.Float64 || f.Kind() == reflect.Int)
			if name != "-" && name != skip && (needed || !f.IsZero()) {
				parts = append(parts, name+": "+flow(f, tag, ""))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.Slice:
		list := strings.Join(elements(v, tag), ", ")
		if tag.Get("keyed") != "" {
			return "{" + list + "}"
		}
		return "[" + list + "]"
	case reflect.String:
		return strconv.Quote(strings.ToValidUTF8(v.String(), "?"))
	case reflect.Float64:
		return quantity(v.Float(), tag.Get("unit"))
	}
	return params.ValueOf(v).String()
}

// elements are the elements of a list, each with its key where the list has keys.
func elements(v reflect.Value, tag reflect.StructTag) (all []string) {
	key := tag.Get("keyed")
	for k := range v.Len() {
		e, head := v.Index(k), ""
		for i := 0; key != "" && i < e.NumField(); i++ {
			if e.Type().Field(i).Tag.Get("sweep") == key {
				head = flow(e.Field(i), "", "") + ": "
			}
		}
		all = append(all, head+flow(e, tag, key))
	}
	return all
}

// quantity writes a number in the largest unit that divides it.
func quantity(x float64, unit string) string {
	for _, u := range []struct {
		of, name string
		worth    float64
	}{{"s", "d", 86400}, {"s", "h", 3600}, {"s", "min", 60}, {"s", "s", 1}, {"B", "MiB", 1 << 20}} {
		if n := x / u.worth; u.of == unit && n >= 1 && n < 1e15 && n == math.Trunc(n) {
			return fmt.Sprintf("%.0f%s", n, u.name)
		}
	}
	if unit == "" && x == math.Trunc(x) && math.Abs(x) < 1e15 { // a weight of 1000000, and not 1e+06
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return params.FormatFloat(x)
}

// appendFields writes the fields of a struct of parameters at a depth: lists with an element on each line, and others on one.
func appendFields(b []byte, depth int, v any) []byte {
	of, indent := reflect.ValueOf(v), strings.Repeat("  ", depth)
	for i := range of.NumField() {
		f, tag := of.Field(i), of.Type().Field(i).Tag
		switch name := indent + tag.Get("sweep") + ":"; {
		case f.IsZero():
		case f.Kind() != reflect.Slice:
			b = fmt.Appendln(b, name, flow(f, tag, ""))
		default:
			b = fmt.Appendln(b, name)
			dash := "- "
			if tag.Get("keyed") != "" {
				dash = ""
			}
			for _, e := range elements(f, tag) {
				b = fmt.Appendf(b, "%s  %s%s\n", indent, dash, e)
			}
		}
	}
	return b
}

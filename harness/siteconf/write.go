package siteconf

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
)

// appendFlow writes a struct of parameters as a map on one line. It leaves out fields of value zero, but for numbers whose default is
// another. The field skip, if any, is written elsewhere.
func appendFlow(b []byte, v reflect.Value, skip string) []byte {
	b = append(b, '{')
	first := true
	for i := range v.NumField() {
		f, tag := v.Field(i), v.Type().Field(i).Tag
		name := tag.Get("sweep")
		if name == "-" || name == skip || f.IsZero() && (tag.Get("default") == "" || f.Kind() != reflect.Float64 && f.Kind() != reflect.Int) {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = appendValue(append(append(b, name...), ": "...), f, tag)
	}
	return append(b, '}')
}

func appendValue(b []byte, f reflect.Value, tag reflect.StructTag) []byte {
	switch f.Kind() {
	case reflect.Struct:
		return appendFlow(b, f, "")
	case reflect.Slice:
		return appendList(b, f, tag)
	case reflect.String:
		return append(b, strconv.Quote(strings.ToValidUTF8(f.String(), "?"))...)
	case reflect.Float64:
		return append(b, quantity(f.Float(), tag.Get("unit"))...)
	}
	return append(b, params.ValueOf(f).String()...)
}

// appendList writes a list, one with keys as a map.
func appendList(b []byte, f reflect.Value, tag reflect.StructTag) []byte {
	key := tag.Get("keyed")
	ends := "[]"
	if key != "" {
		ends = "{}"
	}
	b = append(b, ends[0])
	for k := range f.Len() {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = appendElement(b, f.Index(k), key, tag)
	}
	return append(b, ends[1])
}

// appendElement writes an element of a list, with its key where it has one.
func appendElement(b []byte, v reflect.Value, key string, tag reflect.StructTag) []byte {
	if key == "" {
		return appendValue(b, v, tag)
	}
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("sweep") == key {
			b = append(append(b, strconv.Quote(v.Field(i).String())...), ": "...)
		}
	}
	return appendFlow(b, v, key)
}

// quantity is a number in the largest unit of which it is a multiple.
func quantity(x float64, unit string) string {
	for _, u := range []struct {
		of, name string
		worth    float64
	}{{"s", "d", 86400}, {"s", "h", 3600}, {"s", "min", 60}, {"B", "MiB", 1 << 20}} {
		if n := x / u.worth; u.of == unit && n >= 1 && n < 1e15 && n == math.Trunc(n) {
			return fmt.Sprintf("%.0f%s", n, u.name)
		}
	}
	return params.FormatFloat(x)
}

// appendField writes a field of this depth: lists with an element on each line, and others on one.
func appendField(b []byte, depth int, name string, f reflect.Value, tag reflect.StructTag) []byte {
	if f.IsZero() {
		return b
	}
	b = append(append(append(b, strings.Repeat("  ", depth)...), name...), ':')
	if f.Kind() != reflect.Slice {
		return append(appendValue(append(b, ' '), f, tag), '\n')
	}
	b = append(b, '\n')
	key := tag.Get("keyed")
	for k := range f.Len() {
		b = append(b, strings.Repeat("  ", depth+1)...)
		if key == "" {
			b = append(b, "- "...)
		}
		b = append(appendElement(b, f.Index(k), key, tag), '\n')
	}
	return b
}

// appendFields writes all fields of a struct of parameters.
func appendFields(b []byte, depth int, v any) []byte {
	of := reflect.ValueOf(v)
	for i := range of.NumField() {
		tag := of.Type().Field(i).Tag
		b = appendField(b, depth, tag.Get("sweep"), of.Field(i), tag)
	}
	return b
}

package frame

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Printed writes values as people read them.
func Printed(values []Value) []string { return text.Each(values, Value.String) }

// PointKey is equal for points with the same values; labels do not matter.
func PointKey(point []Value) string { return strings.Join(text.Each(point, Value.Plain), "\x00") }

// ValueOf is the value as in the dataset's column.
func ValueOf(v params.Value) Value {
	switch {
	case v.Null:
		return Null()
	case v.Kind == params.Float:
		return Number(v.F)
	case v.Kind == params.Int:
		return Number(float64(v.I))
	default:
		return Text(v.String())
	}
}

// List writes names one behind the other.
func List(names []string) string { return strings.Join(names, ", ") }

// Value is one cell of an axis: a number, a text, or null (the axis does not apply to the row).
type Value struct {
	Text   string
	Number float64 // NaN for texts and null
	IsText bool
	IsNull bool
	Label  string // name of the value; "" for none
}

func Null() Value { return Value{Number: math.NaN(), IsNull: true} }

func Text(s string) Value { return Value{Text: s, Number: math.NaN(), IsText: true} }

// Number makes a number; NaN is null.
func Number(v float64) Value {
	if math.IsNaN(v) {
		return Null()
	}
	return Value{Number: v + 0}
}

// String is the label, the text, the shortest form of the number that reads back exactly, or "-" for null.
func (v Value) String() string {
	if v.Label != "" {
		return v.Label
	}
	return v.Plain()
}

// Plain is String without the label.
func (v Value) Plain() string {
	switch {
	case v.IsNull:
		return "-"
	case v.IsText:
		return v.Text
	case math.IsInf(v.Number, 0): // as manifests write it
		return strings.Replace(strings.TrimPrefix(strconv.FormatFloat(v.Number, 'g', -1, 64), "+"), "Inf", ".inf", 1)
	case math.Abs(v.Number) >= 1e-4 && math.Abs(v.Number) < 1e15 || v.Number == 0:
		return strconv.FormatFloat(v.Number, 'f', -1, 64)
	default:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	}
}

// Is reports whether two values are one: the number 12 and the text "12" are, and a value and its label.
func (v Value) Is(w Value) bool {
	if plain := func(v *Value) bool { return !v.IsText && !v.IsNull && v.Label == "" }; plain(&v) && plain(&w) {
		return v.Number == w.Number // as their shortest forms are equal then alone
	}
	return v.IsNull == w.IsNull && (v.Plain() == w.Plain() || v.String() == w.String())
}

// Equal reports whether two values are one, also under different names.
func (v Value) Equal(w Value) bool { return Compare(v, w) == 0 }

// key is the same for values that are [Value.Equal].
func (v Value) key() Value {
	if v.IsText || v.IsNull {
		v.Number = 0 // NaN is no key
	}
	v.Label = ""
	return v
}

// Compare orders null first, then numbers, then texts.
func Compare(a, b Value) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if a.IsText {
		return cmp.Compare(a.Text, b.Text)
	}
	return cmp.Compare(a.Number, b.Number)
}

func rank(v Value) int {
	switch {
	case v.IsNull:
		return 0
	case v.IsText:
		return 2
	default:
		return 1
	}
}

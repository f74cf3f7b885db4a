package params

import (
	"math"
	"reflect"
	"strconv"
	"strings"
)

// ColumnType is the type of an axis' column.
type ColumnType uint8

const (
	Float ColumnType = iota
	Int
	Bool
	String
)

func (t ColumnType) String() string {
	return [...]string{"float", "int", "bool", "string"}[t&3]
}

// Value is the value of an instance in the column of an axis. Only the field of its Kind is set,
// and none where Null is. Values can be compared with ==.
type Value struct {
	Kind ColumnType
	Null bool
	B    bool
	F    float64
	I    int64
	S    string
}

// String returns the value as text; null is "null".
func (v Value) String() string {
	switch {
	case v.Null:
		return "null"
	case v.Kind == Float:
		return FormatFloat(v.F)
	case v.Kind == Int:
		return strconv.FormatInt(v.I, 10)
	case v.Kind == Bool:
		return strconv.FormatBool(v.B)
	}
	return v.S
}

// As converts the value to the column's type; whole numbers may become floats.
func (v Value) As(t ColumnType) Value {
	switch {
	case v.Null:
		return Value{Kind: t, Null: true}
	case v.Kind == t:
		return v
	case v.Kind == Int && t == Float:
		return Value{Kind: Float, F: float64(v.I)}
	case t == String:
		return Value{Kind: String, S: v.String()}
	}
	return Value{Kind: t, Null: true}
}

// FormatFloat writes a float so that it reads back as the same number; minus
// zero is zero.
func FormatFloat(f float64) string {
	if f == 0 {
		return "0"
	}
	if math.IsInf(f, 1) {
		return ".inf"
	}
	if math.IsInf(f, -1) {
		return "-.inf"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// Decimal writes a float for people, in full unless that takes many digits.
func Decimal(f float64) string {
	if size := math.Abs(f); size >= 1e-6 && size < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return FormatFloat(f)
}

// Ends are the least and the greatest of some numbers, as [Decimal] has them.
func Ends(of []Value) (low, high string) {
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, v := range of {
		f := v.As(Float).F
		least, greatest = min(least, f), max(greatest, f)
	}
	return Decimal(least), Decimal(greatest)
}

// ValueOf returns the value of a decoded field; lists and structs become text.
func ValueOf(v reflect.Value) Value {
	switch v.Kind() {
	case reflect.Float64:
		return Value{Kind: Float, F: v.Float() + 0}
	case reflect.Int, reflect.Int64:
		return Value{Kind: Int, I: v.Int()}
	case reflect.Uint64:
		return Value{Kind: Int, I: int64(v.Uint())}
	case reflect.Bool:
		return Value{Kind: Bool, B: v.Bool()}
	case reflect.String:
		return Value{Kind: String, S: v.String()}
	}
	return Value{Kind: String, S: compact(v)}
}

// compact writes a list in one line, such as [3600, 14400].
func compact(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, compact(v.Index(i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Struct:
		info, err := reflectNested(v.Type(), 0)
		if err != nil {
			return ""
		}
		var parts []string
		for _, f := range info.Fields {
			parts = append(parts, f.Name+": "+compact(v.FieldByIndex(f.Index)))
		}
		if info.Choice != nil {
			c := v.FieldByIndex(info.Choice.index)
			parts = append(parts, KindKey+": "+c.Field(0).String())
			if p := c.Field(1); !p.IsNil() {
				if inner := strings.TrimSuffix(strings.TrimPrefix(compact(p.Elem().Elem()), "{"), "}"); inner != "" {
					parts = append(parts, inner)
				}
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return ValueOf(v).String()
}

package sweep

import (
	"math"
	"reflect"
)

// number reads a float, with a unit where the field has one.
func (d *decoder) number(n *node, f *fieldInfo, path string, fail func(hint, want string)) (float64, bool) {
	if v, ok := parseNumber(n.text); ok {
		if n.quoted {
			fail("remove the quotes", f.wants(f.kind()))
		}
		return v, !n.quoted
	}
	if units[f.unit] == nil || !looksLikeQuantity(n.text) {
		hint := ""
		if looksLikeQuantity(n.text) {
			hint = "the field has no unit"
		}
		fail(hint, f.wants(f.kind()))
		return 0, false
	}
	v, err := parseQuantity(n.text, f.unit)
	if err != nil {
		d.out.add(n.pos, path, "", "%s: %s %v", path, quote(n.text), err)
		return 0, false
	}
	return v, true
}

// looksLikeQuantity tells whether the text begins with a number.
func looksLikeQuantity(s string) bool {
	if len(s) > 1 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return s != "" && (s[0] >= '0' && s[0] <= '9' || s[0] == '.')
}

// whole reads an integer of any of the three types.
func (d *decoder) whole(n *node, f *fieldInfo, into reflect.Value, path string, fail func(hint, want string)) {
	magnitude, negative, ok := parseInteger(n.text)
	switch {
	case ok && n.quoted:
		fail("remove the quotes", "a whole number")
		return
	case !ok:
		v, isNumber := d.number(n, f, path, fail)
		if !isNumber {
			return
		}
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			fail("", "a whole number")
			return
		}
		negative, magnitude = v < 0, uint64(math.Abs(v))
	}
	approx := float64(magnitude)
	if negative {
		approx = -approx
	}
	if !f.within(d.out, n, path, approx) {
		return
	}
	if into.Kind() == reflect.Uint64 {
		if negative {
			d.out.add(n.pos, path, "", "%s is %s, below its least value 0", path, n.text)
			return
		}
		into.SetUint(magnitude)
		return
	}
	limit := uint64(math.MaxInt64)
	if into.Kind() == reflect.Int {
		limit = math.MaxInt
	}
	if magnitude > limit {
		d.out.add(n.pos, path, "", "%s is %s, beyond the largest whole number %d", path, n.text, limit)
		return
	}
	if negative {
		into.SetInt(-int64(magnitude))
	} else {
		into.SetInt(int64(magnitude))
	}
}

// within reports a value outside the field's bounds.
func (f *fieldInfo) within(out *sink, n *node, path string, v float64) bool {
	unit := ""
	if f.unit != "" {
		unit = " " + f.unit
	}
	switch {
	case math.IsNaN(v):
		out.add(n.pos, path, "", "%s is not a number", path)
	case f.min != nil && v < *f.min:
		out.add(n.pos, path, "use "+formatFloat(*f.min)+" or more", "%s is %s, below its least value %s%s", path, n.text, formatFloat(*f.min), unit)
	case f.above != nil && v <= *f.above:
		out.add(n.pos, path, "use a value above "+formatFloat(*f.above), "%s is %s; it must be above %s%s", path, n.text, formatFloat(*f.above), unit)
	case f.max != nil && v > *f.max:
		out.add(n.pos, path, "use "+formatFloat(*f.max)+" or less", "%s is %s, above its greatest value %s%s", path, n.text, formatFloat(*f.max), unit)
	case f.below != nil && v >= *f.below:
		out.add(n.pos, path, "use a value below "+formatFloat(*f.below), "%s is %s; it must be below %s%s", path, n.text, formatFloat(*f.below), unit)
	default:
		return true
	}
	return false
}

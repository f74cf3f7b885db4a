package params

import (
	"math"
	"reflect"
	"strings"

	"schedsweep/sweep/text"
)

func (d *Decoder) number(n *text.Node, f *Field, path string, fail func(hint, want string)) (float64, bool) {
	if v, ok := text.Number(n.Text); ok {
		if n.Quoted {
			fail("remove the quotes", f.Wants(f.kind()))
		}
		return v, !n.Quoted
	}
	if text.Units[f.Unit] == nil || !LooksLikeQuantity(n.Text) {
		hint := ""
		if LooksLikeQuantity(n.Text) {
			hint = "the field has no unit: write the number alone"
		}
		fail(hint, f.Wants(f.kind()))
		return 0, false
	}
	v, err := text.Quantity(n.Text, f.Unit)
	if err != nil {
		d.Out.Add(n.Pos, "", "%s: %s %v", path, text.Quote(n.Text), err)
		return 0, false
	}
	return v, true
}

// exact is the largest number up to which floating point has every whole number.
const exact = 1 << 53

// LooksLikeQuantity reports whether the text begins with a number.
func LooksLikeQuantity(s string) bool {
	if len(s) > 1 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	digits := strings.TrimPrefix(s, ".")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

func (d *Decoder) whole(n *text.Node, f *Field, into reflect.Value, path string, fail func(hint, want string)) {
	magnitude, negative, ok := text.Integer(n.Text)
	switch {
	case ok && n.Quoted:
		fail("remove the quotes", "a whole number")
		return
	case !ok:
		v, isNumber := d.number(n, f, path, fail)
		if !isNumber {
			return
		}
		if v != math.Trunc(v) || math.IsInf(v, 0) {
			fail("", "a whole number")
			return
		}
		if math.Abs(v) > exact {
			if f.within(d.Out, n, path, v) {
				d.Out.Add(n.Pos, "", "%s is %s, beyond the largest whole number %d", path, n.Text, exact)
			}
			return
		}
		negative, magnitude = v < 0, uint64(math.Abs(v))
	}
	approx := float64(magnitude)
	if negative {
		approx = -approx
	}
	if !f.within(d.Out, n, path, approx) {
		return
	}
	if into.Kind() == reflect.Uint64 && negative {
		d.Out.Add(n.Pos, "use 0 or more", "%s is %s, below its least value 0", path, n.Text)
		return
	}
	limit := uint64(math.MaxInt64) // of a column of rows
	if into.Kind() == reflect.Int {
		limit = math.MaxInt
	}
	if magnitude > limit {
		d.Out.Add(n.Pos, "", "%s is %s, beyond the largest whole number %d", path, n.Text, limit)
		return
	}
	switch {
	case into.Kind() == reflect.Uint64:
		into.SetUint(magnitude)
	case negative:
		into.SetInt(-int64(magnitude))
	default:
		into.SetInt(int64(magnitude))
	}
}

// bound writes a bound as people write it: a time of whole days, hours or minutes in them.
func (f *Field) bound(v float64) string {
	if f.Unit == "s" {
		for _, u := range []struct {
			name  string
			worth float64
		}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
			if n := v / u.worth; n >= 1 && n == math.Trunc(n) {
				return Decimal(n) + u.name
			}
		}
	}
	return Decimal(v)
}

func (f *Field) within(out *text.Sink, n *text.Node, path string, v float64) bool {
	unit := text.Shown(f.Unit)
	if unit != "" {
		unit = " " + unit
	}
	atMost := func(remedy string) string { // 95 was to be a percentage
		if f.Unit == "share" && 1 < v && v <= 100 && !strings.HasSuffix(n.Text, "%") {
			return "write " + n.Text + " %"
		}
		return remedy
	}
	switch {
	case math.IsNaN(v):
		out.Add(n.Pos, "", "%s is not a number", path)
	case f.finite && math.IsInf(v, 0):
		out.Add(n.Pos, "", "%s is %s; it must be finite", path, n.Text)
	case f.Min != nil && v < *f.Min:
		out.Add(n.Pos, "use "+f.bound(*f.Min)+" or more", "%s is %s, below its least value %s%s", path, n.Text, Decimal(*f.Min), unit)
	case f.Above != nil && v <= *f.Above:
		out.Add(n.Pos, "use a value above "+Decimal(*f.Above), "%s is %s; it must be above %s%s", path, n.Text, Decimal(*f.Above), unit)
	case f.Max != nil && v > *f.Max:
		out.Add(n.Pos, atMost("use "+f.bound(*f.Max)+" or less"), "%s is %s, above its greatest value %s%s", path, n.Text, Decimal(*f.Max), unit)
	case f.Below != nil && v >= *f.Below:
		out.Add(n.Pos, atMost("use a value below "+Decimal(*f.Below)), "%s is %s; it must be below %s%s", path, n.Text, Decimal(*f.Below), unit)
	default:
		return true
	}
	return false
}

package frame

import "strings"

// SlopeUnit is "s", "s per B/s", "per flop" or "".
func SlopeUnit(y, x string) string {
	if x == "" {
		return y
	}
	return strings.TrimSpace(y + " per " + x)
}

// AxisName is the last part of an axis's path, or the path where that is not unique.
func AxisName(axis string, all []string) string {
	short := axis[strings.LastIndex(axis, ".")+1:]
	for _, a := range all {
		if a != axis && a[strings.LastIndex(a, ".")+1:] == short {
			return axis
		}
	}
	return short
}

package text

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// scale is the value of one unit in the base unit: factor * 10^exponent. Powers of ten are kept
// apart so that 24us and 24e-6 are the same number to the last bit.
type scale struct {
	exponent int
	factor   float64
}

// Units lists the suffixes of each unit tag. The base unit is the tag itself.
var Units = map[string]map[string]scale{
	"s": {
		"ns": {-9, 1}, "us": {-6, 1}, "ms": {-3, 1}, "s": {0, 1},
		"m": {0, 60}, "min": {0, 60}, "h": {0, 3600}, "d": {0, 86400}, "w": {0, 7 * 86400},
	},
	"B":      prefixed("B", 1, true),
	"B/s":    merged(prefixed("Bps", 1, true), prefixed("B/s", 1, true), prefixed("bps", 1.0/8, false), prefixed("bit/s", 1.0/8, false)),
	"flop":   merged(prefixed("flop", 1, false), prefixed("flops", 1, false)),
	"flop/s": merged(prefixed("flops", 1, false), prefixed("flop/s", 1, false)),
	"W":      prefixed("W", 1, false),
	"share":  {"%": {-2, 1}},
}

// Shown returns the unit in which values are shown: a share may be written in percent, and is a plain number.
func Shown(unit string) string {
	if unit == "share" {
		return ""
	}
	return unit
}

// UnitExamples gives examples of the values of a unit.
var UnitExamples = map[string]string{
	"s":      "90s, 1h30m, 30d or a plain number of seconds",
	"B":      "16MB, 4KiB or a plain number of bytes",
	"B/s":    "1Gbps (bits), 125MBps (bytes) or a plain number of bytes a second",
	"flop":   "2.5Gflop or a plain number of operations",
	"flop/s": "2.5Gflops or a plain number of operations a second",
	"W":      "300W, 1.2kW or a plain number of watts",
	"share":  "a percentage such as 60 %, or a plain number such as 0.6",
}

func prefixed(unit string, worth float64, binary bool) map[string]scale {
	out := map[string]scale{unit: {0, worth}}
	for i, p := range []string{"k", "M", "G", "T", "P", "E"} {
		out[p+unit] = scale{3 * (i + 1), worth}
		if binary {
			out[strings.ToUpper(p)+"i"+unit] = scale{0, worth * math.Pow(1024, float64(i+1))}
		}
	}
	return out
}

func merged(tables ...map[string]scale) map[string]scale {
	out := map[string]scale{}
	for _, t := range tables {
		maps.Copy(out, t)
	}
	return out
}

// part is a number, which an exponent belongs to when digits follow it, and its unit.
var part = regexp.MustCompile(`^([0-9._]*)([eE][-+]?[0-9]+)? *([^0-9 .]*) *`)

// Quantity reads a number with a unit, such as 1h30m or 125MBps, in the
// base unit. Only durations have several parts.
func Quantity(text, unit string) (float64, error) {
	table := Units[unit]
	rest := strings.TrimSpace(text)
	sign := 1.0
	if strings.HasPrefix(rest, "-") {
		sign, rest = -1, rest[1:]
	}
	if rest == "" {
		return 0, fmt.Errorf("is empty; write %s", UnitExamples[unit])
	}
	total := 0.0
	for parts := 0; rest != ""; parts++ {
		if parts > 0 && unit != "s" {
			return 0, fmt.Errorf("has text after its unit; write %s", UnitExamples[unit])
		}
		m := part.FindStringSubmatch(rest)
		if m[1] == rest {
			return 0, fmt.Errorf("has a part without a unit; write %s", UnitExamples[unit])
		}
		number, suffix := m[1]+m[2], m[3]
		rest = rest[len(m[0]):]
		by, known := table[suffix]
		if !known {
			if strings.HasPrefix(suffix, ",") {
				return 0, errors.New("has a comma; write a decimal point, and nothing between thousands")
			}
			if near := Nearest(suffix, slices.Sorted(maps.Keys(table))); near != "" {
				return 0, fmt.Errorf("has the unknown unit %q (did you mean %s?); write %s", suffix, near, UnitExamples[unit])
			}
			return 0, fmt.Errorf("has the unknown unit %q; write %s", suffix, UnitExamples[unit])
		}
		value, err := scaled(strings.ReplaceAll(number, "_", ""), by)
		if err != nil {
			return 0, fmt.Errorf("does not begin with a number; write %s", UnitExamples[unit])
		}
		total += value
	}
	if math.IsInf(total, 0) {
		return 0, fmt.Errorf("is too large")
	}
	return sign * total, nil
}

// scaled returns the decimal number times the scale, rounded once where the
// factor is a power of ten or of two.
func scaled(number string, by scale) (float64, error) {
	if by.exponent != 0 && !strings.ContainsAny(number, "eE") {
		number += "e" + strconv.Itoa(by.exponent)
		by.exponent = 0
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, err
	}
	return f * math.Pow10(by.exponent) * by.factor, nil
}

// Number reads a YAML number: decimal or hexadecimal digits, underscores
// between digits, an exponent with or without a point, .inf. Go's strconv is
// not enough for underscores and infinities; YAML libraries miss 1e6.
func Number(text string) (float64, bool) {
	switch text {
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return math.Inf(1), true
	case "-.inf", "-.Inf", "-.INF":
		return math.Inf(-1), true
	}
	if !looksNumeric(text) {
		return 0, false
	}
	clean := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(clean, 0, 64); err == nil && isHex(clean) {
		return float64(i), true
	}
	f, err := strconv.ParseFloat(clean, 64)
	if err != nil || math.IsInf(f, 0) || isHex(clean) {
		return 0, false
	}
	return f, true
}

func isHex(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")
}

// looksNumeric reports whether the text begins like a number and holds nothing
// else, so that words which strconv would take ("infinity", "nan") are words.
func looksNumeric(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if s == "" || !(s[0] >= '0' && s[0] <= '9' || s[0] == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9') {
		return false
	}
	return isHex(s) || strings.Trim(s, "0123456789._eE+-") == ""
}

// Integer reads a whole number exactly; negative tells its sign.
func Integer(text string) (magnitude uint64, negative, ok bool) {
	if !looksNumeric(text) {
		return 0, false, false
	}
	clean := strings.ReplaceAll(text, "_", "")
	switch {
	case strings.HasPrefix(clean, "-"):
		negative, clean = true, clean[1:]
	case strings.HasPrefix(clean, "+"):
		clean = clean[1:]
	}
	base := 10
	if isHex(clean) {
		base, clean = 16, clean[2:]
	}
	if u, err := strconv.ParseUint(clean, base, 64); err == nil {
		return u, negative && u != 0, true
	}
	// 3e6 is a whole number too; beyond 2^53 an exponent is not exact.
	f, err := strconv.ParseFloat(clean, 64)
	if base != 10 || err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false, false
	}
	if f < 0 {
		negative, f = !negative, -f
	}
	return uint64(f), negative && f != 0, true
}

func Bool(text string) (value, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// Counted is a number and its noun, such as 1 row or 2 rows.
func Counted(n int, what string) string { return fmt.Sprintf("%d %s", n, Noun(n, what)) }

// Either is the words for one thing, or for another number of things, such as "job is" or "jobs are".
func Either(n int, one, other string) string {
	if n == 1 {
		return one
	}
	return other
}

// Noun is the noun of a number of things, such as row or rows.
func Noun(n int, what string) string { return Either(n, what, what+"s") }

// FirstOf lists the first of some names and counts the others: "a, b and 2 other metrics".
func FirstOf(names []string, most int, other string) string {
	named := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		named += " and " + Counted(n, "other "+other)
	}
	return named
}

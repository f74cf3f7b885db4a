package text

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// scale is what one unit is worth in the base unit: factor * 10^exponent.
// Powers of ten are kept apart so that 24us and 24e-6 are the same number to
// the last bit.
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
	"share":  {"%": {-2, 1}},
}

// UnitExamples shows how values of a unit are written.
var UnitExamples = map[string]string{
	"s":      "90s, 1h30m, 30d or a plain number of seconds",
	"B":      "16MB, 4KiB or a plain number of bytes",
	"B/s":    "1Gbps (bits), 125MBps (bytes) or a plain number of bytes a second",
	"flop":   "2.5Gflop or a plain number of operations",
	"flop/s": "2.5Gflops or a plain number of operations a second",
	"share":  "2 %, or the plain number 0.02",
}

// prefixed returns the unit with decimal and, where binary is set, binary
// prefixes.
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

// merged joins maps of units.
func merged(maps ...map[string]scale) map[string]scale {
	out := map[string]scale{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

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
		digits := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789._", r) })
		if digits < 0 {
			return 0, fmt.Errorf("has a part without a unit; write %s", UnitExamples[unit])
		}
		number := rest[:digits]
		// An exponent belongs to the number when digits follow it.
		if e := exponentLen(rest[digits:]); e > 0 {
			number += rest[digits : digits+e]
			digits += e
		}
		rest = strings.TrimLeft(rest[digits:], " ")
		end := strings.IndexFunc(rest, func(r rune) bool { return r >= '0' && r <= '9' || r == ' ' || r == '.' })
		if end < 0 {
			end = len(rest)
		}
		suffix := rest[:end]
		rest = strings.TrimLeft(rest[end:], " ")
		by, known := table[suffix]
		if !known {
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

// exponentLen returns the length of an exponent such as e6 or e-3 at the start
// of s, or 0.
func exponentLen(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	from := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == from {
		return 0
	}
	return i
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

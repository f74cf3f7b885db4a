package text

import (
	"fmt"
	"maps"
	"math"
	"regexp"
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

package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

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

// looksNumeric tells whether the text begins like a number and holds nothing
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

// Counted is a number and what it counts, such as 1 row or 2 rows.
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

package swf

import (
	"math"
	"strconv"
)

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// maxExact is the largest whole number below which a float64 holds every one.
const maxExact = 1 << 53

// scan reads the numbers of a line into v. It returns how many there are, at
// most one more than v holds, and the index and text of the first that is not a
// finite number, nil when all are.
func scan(line []byte, v *[Fields]float64) (n int, bad []byte) {
	i := 0
	for {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
			i++
		}
		if i == len(line) {
			return n, nil
		}
		if n == Fields {
			return n + 1, nil
		}
		begin, negative := i, false
		if line[i] == '-' {
			negative = true
			i++
		}
		var mantissa uint64
		first := i
		for i < len(line) && line[i]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(line[i]-'0')
			i++
		}
		digits, decimals := i-first, 0
		if i < len(line) && line[i] == '.' {
			i++
			point := i
			for i < len(line) && line[i]-'0' <= 9 {
				mantissa = mantissa*10 + uint64(line[i]-'0')
				i++
			}
			decimals = i - point
			digits += decimals
		}
		if i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' || digits == 0 || digits > 15 {
			// An exponent, many digits, or no number at all.
			for i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' {
				i++
			}
			x, ok := slowNumber(line[begin:i])
			if !ok {
				return n, line[begin:i]
			}
			v[n] = x
			n++
			continue
		}
		// Up to 15 digits both parts are exact, so the quotient is rounded once.
		x := float64(mantissa)
		if decimals > 0 {
			x /= pow10[decimals]
		}
		if negative {
			x = -x
		}
		v[n] = x
		n++
	}
}

// slowNumber reads a decimal number in any notation of strconv that has only
// digits, signs, a point and an exponent.
func slowNumber(text []byte) (float64, bool) {
	if len(text) > 64 {
		return 0, false
	}
	for _, c := range text {
		switch {
		case c-'0' <= 9, c == '-', c == '+', c == '.', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// limits returns the bounds of a field.
func limits(field int) (lo, hi float64) {
	switch {
	case field == 0:
		return -maxExact, maxExact
	case whole[field]:
		return math.MinInt32, math.MaxInt32
	}
	return math.Inf(-1), math.Inf(1)
}

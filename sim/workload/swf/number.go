package swf

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// maxExact is the largest whole number below which a float64 holds every one.
const maxExact = 1 << 53

const longest = 64

// scan reads the numbers of a line into v. It returns how many there are, at most one more than v holds. bad is the
// text of the first that is not a finite number, at index n, and nil when all are. Plain says that all are whole and
// have at most nine digits.
func scan(line []byte, v *[Fields]float64) (n int, plain bool, bad []byte) {
	i, end := uint(0), uint(len(line)) // unsigned, so that the compiler knows them to be in the line
	plain = true
	for {
		for i < end && blank(line[i]) {
			i++
		}
		if i == end {
			return n, plain, nil
		}
		if n == Fields {
			return n + 1, plain, nil
		}
		begin := i
		if line[i] == '-' {
			if i++; i+1 < end && line[i] == '1' && line[i+1] == ' ' { // half of most logs
				v[n] = -1
				n++
				i += 2
				continue
			}
		}
		first, whole := i, int64(0)
		for i < end && line[i]-'0' <= 9 {
			whole = whole*10 + int64(line[i]-'0')
			i++
		}
		if i > first && i <= first+15 && (i == end || blank(line[i])) {
			v[n] = float64(whole)
			if begin < first {
				v[n] = -v[n]
			}
			n++
			plain = plain && i <= first+9
			continue
		}
		plain = false
		for i < end && !blank(line[i]) {
			i++
		}
		x, ok := Number(line[begin:i])
		if !ok {
			return n, plain, line[begin:i]
		}
		v[n] = x
		n++
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// Number reads a finite decimal number without other text; scan spares whole ones the way here.
func Number(text []byte) (float64, bool) {
	rest, negative := text, len(text) > 0 && text[0] == '-'
	if negative {
		rest = rest[1:]
	}
	mantissa, digits, point := uint64(0), 0, len(rest)
	for i, c := range rest {
		switch {
		case c-'0' <= 9:
			mantissa = mantissa*10 + uint64(c-'0')
			digits++
		case c == '.' && point == len(rest):
			point = i + 1
		default: // an exponent, or no number at all
			return slowNumber(text)
		}
	}
	if digits == 0 || digits > 15 {
		return slowNumber(text)
	}
	// Up to 15 digits both parts are exact, so the quotient is rounded once.
	x := float64(mantissa) / pow10[len(rest)-point]
	if negative {
		x = -x
	}
	return x, true
}

// slowNumber reads a decimal number in any notation of strconv that has only
// digits, signs, a point and an exponent.
func slowNumber(text []byte) (float64, bool) {
	if len(text) > longest {
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

// Farthest bounds the times of jobs, from a log's time 0 or from 1970, in seconds: 317 years. Beyond are values that no clock wrote.
const Farthest = 1e10

func limits(field int) (lo, hi float64) {
	switch {
	case field == 0:
		return -maxExact, maxExact
	case timed[field]:
		return -Farthest, Farthest
	case whole[field]:
		return math.MinInt32, math.MaxInt32
	}
	return math.Inf(-1), math.Inf(1)
}

// misfit names the fault of a number as the value of a field, "" if it has none.
func misfit(field int, x float64) string {
	if whole[field] && x != math.Trunc(x) {
		return "not a whole number"
	}
	if lo, hi := limits(field); x < lo || x > hi {
		return fmt.Sprintf("out of the range [%.0f, %.0f]", lo, hi)
	}
	return ""
}

// LineError is a line that cannot be read.
type LineError struct {
	// Name is the log's name as given to [Parse].
	Name string
	// Line is the line in the file, from 1.
	Line int
	// Field is the field's number from 1, or 0 where the line as a whole is
	// wrong.
	Field int
	// Text is the beginning of the text there.
	Text string
	// Problem names the fault of the field or line.
	Problem string

	short bool
}

func (e *LineError) Error() string {
	where := e.Name + ":" + strconv.Itoa(e.Line) + ": "
	if e.Field > 0 {
		where += fmt.Sprintf("field %d (%s): ", e.Field, fieldNames[e.Field-1])
	}
	return where + fmt.Sprintf("%s: %q; correct the line, or set invalid: skip to leave such lines out", e.Problem, e.Text)
}

func excerpt(text []byte) string {
	const most = 60
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// Decimal reads a decimal number, with a comma for its point too. What may be thousands, such as 1,024, is no number.
func Decimal(b []byte) (float64, bool) {
	x, ok := Number(b)
	if !ok && bytes.Count(b, []byte(",")) == 1 && bytes.IndexByte(b, '.') < 0 && !Grouped(b) {
		return Number(bytes.Replace(b, []byte(","), []byte("."), 1))
	}
	return x, ok
}

// Grouped reports whether a comma may separate thousands: it has three digits behind it, and one to three before it that begin
// with none of value zero.
func Grouped(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	at := bytes.LastIndexByte(b, ',')
	return at > 0 && len(b) == at+4 && b[0] != '0' && (at <= 3 || b[at-4] == ',')
}

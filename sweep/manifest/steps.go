package manifest

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ladder returns the function i -> from + i*(high-low)/parts, computed in
// decimal and rounded once: three steps of 0.1 are 0.3 and not
// 0.30000000000000004, for the same value must have one id however a manifest
// writes it. A number means its shortest decimal text.
func ladder(from, high, low float64, parts int) func(i int) float64 {
	f, h, l := decimalOf(from), decimalOf(high), decimalOf(low)
	exponent := min(f.exponent, h.exponent, l.exponent, 0)
	fi, ok1 := f.shifted(exponent)
	hi, ok2 := h.shifted(exponent)
	li, ok3 := l.shifted(exponent)
	if ok1 && ok2 && ok3 && exponent >= -15 {
		// Whole numbers below 2^53 are exact, and so their quotient is rounded once.
		den := math.Pow10(-exponent) * float64(parts)
		return func(i int) float64 {
			a, b := fi*float64(parts), (hi-li)*float64(i)
			if den < 1<<53 && math.Abs(a) < 1<<52 && math.Abs(b) < 1<<52 {
				return (a + b) / den
			}
			return rational(from, high, low, i, parts)
		}
	}
	return func(i int) float64 { return rational(from, high, low, i, parts) }
}

// stepsTo counts the whole steps that lead from a number not beyond another; it is
// negative where none does.
func stepsTo(from, to, step float64) float64 {
	if from == to {
		return 0
	}
	if step == 0 || (to > from) != (step > 0) {
		return -1
	}
	n := new(big.Rat).Sub(ratOf(to), ratOf(from))
	n.Quo(n, ratOf(step))
	f, _ := new(big.Float).SetInt(new(big.Int).Quo(n.Num(), n.Denom())).Float64()
	return f
}

// rational is the ladder for numbers of any size.
func rational(from, high, low float64, i, parts int) float64 {
	step := new(big.Rat).Sub(ratOf(high), ratOf(low))
	step.Mul(step, big.NewRat(int64(i), int64(parts)))
	v, _ := step.Add(step, ratOf(from)).Float64()
	return v
}

// ratOf returns the number that the float's shortest decimal text means.
func ratOf(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// decimalNumber is mantissa * 10^exponent; the mantissa is a whole number.
type decimalNumber struct {
	mantissa float64
	exponent int
}

// decimalOf splits the shortest decimal text of a number.
func decimalOf(f float64) decimalNumber {
	digits, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	exponent, err := strconv.Atoi(exp)
	if err != nil {
		return decimalNumber{f, 0}
	}
	if whole, fraction, ok := strings.Cut(digits, "."); ok {
		digits = whole + fraction
		exponent -= len(fraction)
	}
	mantissa, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return decimalNumber{f, 0}
	}
	return decimalNumber{mantissa, exponent}
}

// shifted returns the number in units of 10^exponent, if that is a whole number
// below 2^52.
func (d decimalNumber) shifted(exponent int) (float64, bool) {
	by := d.exponent - exponent
	if d.mantissa == 0 {
		return 0, true
	}
	if by > 22 {
		return 0, false
	}
	v := d.mantissa * math.Pow10(by)
	return v, math.Abs(v) < 1<<52
}

package manifest

import (
	"math"
	"math/big"
	"strconv"
)

// ladder returns the function i -> from + i*(high-low)/parts, computed in
// decimal and rounded once: three steps of 0.1 are 0.3 and not
// 0.30000000000000004, for the same value must have one id however a manifest
// writes it. A number means its shortest decimal text.
func ladder(from, high, low float64, parts int) func(i int) float64 {
	first, step := ratOf(from), new(big.Rat).Sub(ratOf(high), ratOf(low))
	step.Quo(step, big.NewRat(int64(parts), 1))
	// Both over one denominator. Whole numbers below 2^53 are exact, and so their
	// quotient is rounded once: a million values take no time.
	a, b, over := product(first.Num(), step.Denom()), product(step.Num(), first.Denom()), product(first.Denom(), step.Denom())
	return func(i int) float64 {
		if rise := b * float64(i); over < 1<<53 && math.Abs(a) < 1<<52 && math.Abs(rise) < 1<<52 {
			return (a + rise) / over
		}
		v := new(big.Rat).Mul(step, big.NewRat(int64(i), 1))
		f, _ := v.Add(v, first).Float64()
		return f
	}
}

// product is exact below 2^53.
func product(x, y *big.Int) float64 {
	f, _ := new(big.Float).SetInt(new(big.Int).Mul(x, y)).Float64()
	return f
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

// ratOf returns the number that the float's shortest decimal text means.
func ratOf(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

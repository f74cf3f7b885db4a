package manifest

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// rational is the ladder in exact arithmetic.
func rational(from, high, low float64, i, parts int) float64 {
	step := new(big.Rat).Sub(ratOf(high), ratOf(low))
	step.Mul(step, big.NewRat(int64(i), int64(parts)))
	v, _ := step.Add(step, ratOf(from)).Float64()
	return v
}

// The fast way must give the bits of exact arithmetic.
func TestLadderIsExactArithmeticRoundedOnce(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) float64 {
		digits := float64(rapid.Int64Range(-99999, 99999).Draw(t, "digits"))
		for range rapid.IntRange(0, 12).Draw(t, "places") {
			digits /= 10
		}
		return digits
	})
	rapid.Check(t, func(rt *rapid.T) {
		from := rapid.OneOf(number, rapid.Float64Range(-1e12, 1e12)).Draw(rt, "from")
		high, low := number.Draw(rt, "high"), rapid.SampledFrom([]float64{0, from}).Draw(rt, "low")
		parts := rapid.IntRange(1, 1000).Draw(rt, "parts")
		i := rapid.IntRange(0, 1000).Draw(rt, "i")
		if got, want := ladder(from, high, low, parts)(i), rational(from, high, low, i, parts); got != want {
			rt.Fatalf("%v + %d*(%v - %v)/%d is %v, want %v", from, i, high, low, parts, got, want)
		}
		if at := ladder(from, high, from, parts); at(0) != from || at(parts) != high {
			rt.Fatalf("from %v to %v in %d begins at %v and ends at %v", from, high, parts, at(0), at(parts))
		}
	})
}

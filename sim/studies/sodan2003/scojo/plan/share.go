package plan

import "math"

// Share is a part of a site, in millionths: whole numbers, so that sums of shares are
// exact and 40 + 40 + 20 % is exactly a site.
type Share int32

// Whole is the whole site.
const Whole Share = 1_000_000

// ShareOf is the least share that is not below the fraction of a site, in [0, 2000];
// what the fraction is off by rounding (1e-9 of it) is not rounded up.
func ShareOf(fraction float64) Share {
	return Share(math.Ceil(fraction * (1 - 1e-9) * float64(Whole)))
}

// Fraction is the share as a fraction of the site.
func (s Share) Fraction() float64 { return float64(s) / float64(Whole) }

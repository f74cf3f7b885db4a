package analysis

import (
	"math"

	"schedsweep/analysis/stats"
)

// imprecise warns where the half-width of the mean of n values is above this share of the mean, and tells how many values
// would bring it down: a half-width falls with the square root of their number. A share of 0 asks for nothing, and nothing is
// said of fewer than two values or of a mean of 0, which have a warning of their own or no relative precision.
func imprecise(mean stats.Interval, n int, share float64) []stats.Warning {
	is := mean.HalfWidth() / math.Abs(mean.Estimate)
	if share == 0 || n < 2 || !(is > share) || math.IsInf(is, 1) {
		return nil
	}
	enough := math.Ceil(float64(n) * (is / share) * (is / share))
	return []stats.Warning{stats.Warnf(stats.Imprecise, n, "the mean is known to %.2g %% only, not to %.2g %%: that takes about %.0f replications, or runs %.2g times as long", 100*is, 100*share, enough, enough/float64(n))}
}

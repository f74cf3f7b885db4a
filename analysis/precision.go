package analysis

import (
	"math"
	"strconv"

	"schedsweep/analysis/stats"
)

// imprecise warns where the half-width of the mean of n values is above this share of the mean, and tells how many values
// would bring it down. A share of 0 asks for nothing, and nothing is
// said of fewer than two values or of a mean of 0, which have a warning of their own or no relative precision.
func imprecise(mean stats.Interval, n int, share, confidence float64) []stats.Warning {
	is := mean.HalfWidth() / math.Abs(mean.Estimate)
	if share == 0 || n < 2 || !(is > share) || math.IsInf(is, 1) {
		return nil
	}
	enough := float64(stats.ReplicationsFor(n, share/is, confidence))
	return []stats.Warning{stats.Warnf(stats.Imprecise, "the mean is known to %s %% only, not to %s %%: that takes about %.0f replications, or runs %s times as long", twoDigits(100*is), twoDigits(100*share), enough, twoDigits(enough/float64(n)))}
}

// twoDigits prints a number with two significant digits and without an exponent; all digits before the point stay.
func twoDigits(v float64) string {
	if math.Abs(v) >= 10 {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

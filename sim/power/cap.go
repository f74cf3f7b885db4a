package power

import "math"

// Cap bounds the power of the machine. No start, boot or shutdown brings the power above the cap in force.
type Cap struct {
	// Watts is the cap over time. It is known from time 0 on.
	Watts *Steps
	// Ahead reports that planners know the cap of all times. Otherwise they know the one in force, and expect that it stays.
	Ahead bool
	// Kill has jobs killed until the cap holds when it falls below the power. The latest start goes first. They count as killed by an
	// event of the platform. Otherwise such jobs run on, and none starts before the power is low enough.
	Kill bool
}

// First returns the first time from t on from which the cap is enough: for d seconds, where planners know it. It is +Inf where it never is.
func (c *Cap) First(t, d float64, enough func(watts float64) bool) float64 {
	if enough(c.Watts.Least()) {
		return t
	}
	for begin, i := math.Inf(1), 0; i <= 2*len(c.Watts.From) && !math.IsInf(t, 1); i++ { // begin: since when it is enough
		next := c.Watts.After(t)
		if !enough(c.Watts.At(t)) {
			begin = math.Inf(1)
		} else if begin = min(begin, t); !c.Ahead || next-begin >= d {
			return begin
		}
		t = next
	}
	return math.Inf(1)
}

// Slack is the rounding error of the power, relative to the cap.
const Slack = 1e-9

package stats

import (
	"math"
	"slices"
)

// MostTransient is a growth of the mean response time behind the first eighth of the runs, with transientErrors standard errors of
// it. Beyond it no steady state is shown: the beginning of the runs is then a large part of the error of their mean.
// With one standard error, sweeps whose runs happen to grow little have a mean that is too low (results/intervals/steady.md).
const (
	MostTransient   = .15
	transientErrors = 2
)

// Transient returns the growth of the mean response time behind the first eighth of runs, and two standard errors of it, from one value
// a replication, as P. D. Welch pools replications to see how long the system takes to settle ("The statistical analysis of
// simulation results", 1983). Runs are too short for a steady state if both together exceed [MostTransient]. Values that are not
// finite are left out. One run tells nothing: both are 0.
func Transient(growths []float64) (growth, spread float64) {
	s := TakeSample(slices.DeleteFunc(growths, func(v float64) bool { return !Finite(v) }))
	if s.N() < 2 {
		return 0, 0
	}
	return s.Mean(), transientErrors * s.SD() / math.Sqrt(float64(s.N()))
}

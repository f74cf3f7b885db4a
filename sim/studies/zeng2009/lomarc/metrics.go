package lomarc

import (
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// Metrics are the numbers of a run that the policy tells: those of time slices,
// and those about groups.
var Metrics = append(slices.Clone(timeslice.Metrics),
	sim.Metric{Name: "groups", Doc: "number of groups formed"},
	sim.Metric{Name: "group_memberships", Doc: "sum of the sizes of the groups"},
	sim.Metric{Name: "group_size", Doc: "mean number of jobs in a group"},
	sim.Metric{Name: "grouped_share", Share: true, Doc: "part of the measured medium and long jobs that were ever in a group"},
	sim.Metric{Name: "match_candidates", Doc: "mean number of jobs that may be matched with a primary, over all attempts to form a group"},
	sim.Metric{Name: "few_candidates_share", Share: true, Doc: "part of the attempts to form a group with fewer than 4 candidates"},
	sim.Metric{Name: "unfair_groups", Doc: "groups that the fairness check rejected"},
	sim.Metric{Name: "serial_bursts", Doc: "times that serial jobs were started together on one node"},
	sim.Metric{Name: "serial_burst_jobs", Doc: "serial jobs that were started so"},
)

// stats counts what a run's metrics need.
type stats struct {
	groups, members, matches, candidates, few, unfair, bursts, burstJobs int
}

// count notes an attempt to form a group of n candidates.
func (l *Policy) count(candidates int) {
	l.stats.matches++
	l.stats.candidates += candidates
	if candidates < 4 {
		l.stats.few++
	}
}

func (l *Policy) Values(dst []float64) []float64 {
	st := &l.stats
	f := func(n int) float64 { return float64(n) }
	return append(l.Scheduler.Values(dst), f(st.groups), f(st.members), f(st.members)/f(st.groups), l.GroupedShare(),
		f(st.candidates)/f(st.matches), f(st.few)/f(st.matches), f(st.unfair), f(st.bursts), f(st.burstJobs))
}

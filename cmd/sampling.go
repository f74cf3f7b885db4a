package cmd

import (
	"fmt"
	"math"

	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/sweep/text"
)

// sampling says how far the replications of a plan repeat one another where they
// take their jobs from a log: one text for each different choice of jobs.
func sampling(st study) (texts []string, err error) {
	all, err := harness.Samplings(st.plan, st.inputs)
	return text.Names(all, func(s harness.Sampling) string { return s.Name + ": " + sharing(s) }), err
}

func sharing(s harness.Sampling) string {
	samples := make([]frame.Sample, len(s.Samples))
	for i, x := range s.Samples {
		samples[i] = frame.Sample{Of: float64(x.Of), Jobs: float64(x.Jobs), First: float64(x.First), Digest: float64(x.First)}
		if x.First < 0 {
			samples[i].First, samples[i].Digest = math.NaN(), math.NaN()
		}
		if x.Redrawn {
			samples[i].Digest = math.NaN()
		}
	}
	n, x := frame.SharingOf(samples), s.Samples[0]
	switch {
	case n.Distinct == 1 && x.Jobs < x.Of:
		return fmt.Sprintf("all %d replications play the same %d of %d jobs and are identical, so that they tell no more than one; take 1 replication, or smaller windows", n.Replications, x.Jobs, x.Of)
	case n.Distinct == 1:
		return fmt.Sprintf("all %d replications play the same %d jobs and are identical, so that they tell no more than one; draw other logs of its users (workload.replicate: {by: user}), windows of it (workload.select: {jobs: ..., sample: window}), or take 1 replication", n.Replications, x.Jobs)
	case x.First < 0:
		return fmt.Sprintf("%d random samples of %d jobs from %d: replications share %s of their jobs on average", n.Replications, x.Jobs, x.Of, percent(n.Overlap))
	case x.Jobs == x.Of:
		return fmt.Sprintf("all %d replications play the same %d jobs, and differ in what is drawn for them", n.Replications, x.Jobs)
	}
	return fmt.Sprintf("%d windows of %d jobs from %d: replications share %s of their jobs on average", n.Replications, x.Jobs, x.Of, percent(n.Overlap))
}

func percent(share float64) string {
	if share >= .1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

package workload

import (
	"slices"

	"schedsweep/sim"
)

// What tests of the laws behind the jobs need to see.
var (
	DailyCycle        = dailyCycle
	LublinTypeless    = lublinTypeless
	LublinBatch       = lublinBatch
	LublinInteractive = lublinInteractive
)

// FromJobs makes a workload of jobs at hand. It keeps a copy, in order of submission.
func FromJobs(name string, jobs []sim.JobSpec, t Transforms, in Input) (Workload, error) {
	if err := check(name, t.Validate); err != nil {
		return nil, err
	}
	return build(&listOrigin{name: name, jobs: sorted(slices.Clone(jobs))}, t, in)
}

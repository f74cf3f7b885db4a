package simtest

import "schedsweep/sim"

// List is a source of the jobs in it; it is used up by one run.
type List []sim.JobSpec

// Next takes the first job.
func (l *List) Next(j *sim.JobSpec) (bool, error) {
	if len(*l) == 0 {
		return false, nil
	}
	*j, *l = (*l)[0], (*l)[1:]
	return true, nil
}

// Source is a fresh pass over the jobs.
func Source(jobs []sim.JobSpec) sim.Source {
	l := List(jobs)
	return &l
}

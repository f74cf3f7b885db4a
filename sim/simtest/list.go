package simtest

import "schedsweep/sim"

// List is a source of the jobs in it; it is used up by one run.
type List = sim.JobList

// Source is a fresh pass over the jobs.
func Source(jobs []sim.JobSpec) sim.Source {
	l := List(jobs)
	return &l
}

// Chain is a source of which each job comes Think seconds after the end of the one
// before it, the first as it says.
type Chain struct {
	List
	Think float64
	given int
}

// Next gives the first job, and then one for each that has ended.
func (c *Chain) Next(j *sim.JobSpec) (bool, error) {
	if c.given > 0 {
		return false, nil
	}
	c.given++
	return c.List.Next(j)
}

// Ended makes the next job known.
func (c *Chain) Ended(_ *sim.Job, now float64) bool {
	if len(c.List) == 0 {
		return false
	}
	c.List[0].Submit, c.given = now+c.Think, 0
	return true
}

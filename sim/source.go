package sim

// Source yields the jobs of a workload in order of submission.
type Source interface {
	// Next fills in the next job and reports whether there was one. The engine
	// asks for one job ahead of the clock, so a source of any length needs no
	// more memory than one job.
	Next(*JobSpec) (bool, error)
}

// JobList is a source of the jobs in it, which one pass uses up.
type JobList []JobSpec

// Next takes the first job.
func (l *JobList) Next(j *JobSpec) (bool, error) {
	if len(*l) == 0 {
		return false, nil
	}
	*j, *l = (*l)[0], (*l)[1:]
	return true, nil
}

// PoissonStream is the law by which the jobs of a cluster come: times between submissions that are exponential
// and independent, and jobs independent of these and of one another.
type PoissonStream struct {
	Jobs         int     // until it ends
	Rate         float64 // jobs a second
	Work, Square float64 // mean of a job's processor-seconds, and of their square
}

// Responsive is implemented by a source whose jobs wait for the end of others: it hears the ends of its jobs.
type Responsive interface {
	Source
	// Ended reports that j was finished, killed or rejected at time now, by j.State(), and
	// reports whether jobs come of it. If so the engine asks Next again, also where Next returned false before. The
	// answer replaces the job given last, which was not submitted yet; Next must give that job again in its turn.
	// Jobs that come are submitted at now at the earliest. It hears of a job that the policy made, too.
	Ended(j *Job, now float64) bool
}

package sim

// Requeue selects the jobs that end with work left and go back to the queue, to run again from their beginning. The zero value: none.
//
// A job that is requeued stays one job: its submission is the first, its start the last. Its wait, start - submission, so contains the
// attempts that were lost. The policy hears [Policy.Ended] and then [Policy.Submitted].
type Requeue struct {
	// After says after what: "" or "never", "node_fail" (a platform event began on its processors), or "kill" (that, its walltime, or
	// the policy).
	After string
	// AtMost is the largest number of requeues of one job; a job that is killed once more is over.
	AtMost int
	// Last puts a job behind the ones that were submitted by then. Otherwise it keeps the place of its submission.
	Last bool
	// WalltimeFactor multiplies the walltime of a job that was killed at it. Of 1 such a job is not requeued, since it would end the same
	// way. 0 means 1.
	WalltimeFactor float64
}

// requeueObserver is implemented by an observer that also wants to see that a job waits again. [Observer.Held] reported
// the end of its attempt before. Its number ([Job.Seq]) may be another from now on, and so may its walltime.
type requeueObserver interface{ Requeued(s *View, j *Job) }

// requeues reports whether j, which was killed, goes back to the queue.
func (e *Engine) requeues(j *Job) bool {
	r := &e.cfg.Requeue
	if r.AtMost <= int(j.requeues) || r.After != "kill" && !(r.After == "node_fail" && j.failed) {
		return false
	}
	return j.failed || e.state.now < j.PlannedEnd() || r.WalltimeFactor > 1
}

// requeue puts j, which holds nothing any more, back into the queue.
func (e *Engine) requeue(j *Job) {
	s := &e.state
	j.state = Killed
	e.cfg.Policy.Ended(s, j)
	e.res.Requeued++
	lost, times, seq, energy, charged, estimate := j.Area(), j.requeues+1, j.seq, j.energy, j.charged, j.Estimate()
	if e.cfg.Requeue.Last {
		seq = e.res.Submitted + e.behind
		e.behind++
	}
	if !j.failed && s.now >= j.PlannedEnd() {
		j.spec.Walltime *= e.cfg.Requeue.WalltimeFactor
	}
	j.reset()
	j.seq, j.lost, j.requeues, j.energy, j.charged, j.estimate, j.state = seq, lost, times, energy, charged, estimate, Waiting
	s.queue(j, 1)
	e.pass = true
	for _, o := range e.requeued {
		o.Requeued(&s.view, j)
	}
	e.cfg.Policy.Submitted(s, j)
	e.reap()
}

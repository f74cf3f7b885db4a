package sim

import "math"

// Rates is the machine as a progress model sees it, with all of [View]. By Rates the model also sets how much work
// running jobs have and how fast they do it.
type Rates struct {
	*view
	observers []rateObserver
}

// TrackProcs asks that the processors of each job be known, not only their
// number on each cluster. A model that uses the numbers of processors calls it from Reset.
func (s *Rates) TrackProcs() { s.tracked = true }

// Fail ends the run with an error: a model calls it when it meets a job that it
// cannot treat. The first error counts.
func (s *Rates) Fail(err error) { s.stop(err) }

// UpdateAt asks for an Update at time t, which is not before now.
func (s *Rates) UpdateAt(t float64) { s.wake(t, rankPhase) }

// SetWork gives j its work, from the progress model's Started.
func (s *Rates) SetWork(j *Job, work float64) {
	j.total, j.work, j.since = work, work, s.now
}

// SetRate makes the running job j advance by rate units of work a second from
// now on, and moves its end accordingly.
func (s *Rates) SetRate(j *Job, rate float64) {
	if j.state != Running || !(rate >= 0) {
		s.fail("gives job %d, which is %s, the rate %g", j.spec.ID, j.state, rate)
		return
	}
	if rate == j.rate {
		return
	}
	for _, o := range s.observers {
		o.RateChanged(s.view, j, j.rate, rate)
	}
	j.work -= j.rate * (s.now - j.since)
	j.rate, j.since = rate, s.now
	finish := math.Inf(1)
	if rate > 0 {
		finish = s.now + max(j.work, 0)/rate
	}
	if j.toBeKilled {
		return // it ends at this instant at any rate
	}
	limit := s.limit(j)
	j.kill = limit < finish
	s.heap.move(int(j.pos), min(limit, finish))
}

// EndNow ends the running job j at this instant as finished: a progress model
// calls it from Advanced when rounding alone keeps j from its end.
func (s *Rates) EndNow(j *Job) {
	j.kill = false
	s.heap.move(int(j.pos), s.now)
}

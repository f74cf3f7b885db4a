package sim

import "math"

// CanPreempt reports whether the progress model of the run lets running jobs be
// suspended. A policy that preempts asks in Reset.
func (s *State) CanPreempt() bool {
	_, ok := s.model.(Suspending)
	return ok
}

// Preempt suspends the running job j: it gives its processors back, does nothing
// from now on and keeps what it has done. Its walltime does not run meanwhile.
func (s *State) Preempt(j *Job) {
	model, ok := s.model.(Suspending)
	switch {
	case j.state != Running:
		s.fail("preempts job %d, which is %s", j.spec.ID, j.state)
		return
	case j.shared != nil:
		s.fail("preempts job %d, which shares its processors", j.spec.ID)
		return
	case !ok:
		s.fail("preempts job %d under a progress model that cannot suspend jobs", j.spec.ID)
		return
	case j.toBeKilled:
		s.fail("preempts job %d, which it has killed", j.spec.ID)
		return
	case s.err != nil:
		return
	}
	s.changing(j)
	s.rates.SetRate(j, 0)
	j.state, j.left = Suspended, s.now
	s.heap.move(int(j.pos), math.Inf(1))
	j.kill = true
	s.give(j)
	s.suspended++
	s.held(j)
	model.Preempted(&s.rates, j)
}

// Resume continues the suspended job j now on the processors that it held; all
// of them must be free. Where processors are not tracked it takes as many on
// each cluster as it held.
func (s *State) Resume(j *Job) {
	if j.state != Suspended {
		s.fail("resumes job %d, which is %s", j.spec.ID, j.state)
		return
	}
	if s.err != nil {
		return
	}
	for c, n := range j.alloc.Counts {
		if n > s.free[c] {
			s.fail("resumes job %d on %s of cluster %d with %d free there", j.spec.ID, Counted(n, "processor"), c, s.free[c])
			return
		}
	}
	if s.tracked && !s.procs.takeAll(j.alloc.Procs) {
		s.fail("resumes job %d on processors %s, not all of them free", j.spec.ID, AppendSpans(nil, j.alloc.Procs))
		return
	}
	s.changing(j)
	s.take(j)
	s.suspended--
	j.state, j.since = Running, s.now
	j.idle += s.now - j.left
	s.heap.move(int(j.pos), s.limit(j))
	s.held(j)
	s.model.(Suspending).Resumed(&s.rates, j)
}

package sim

import "math"

// CanPreempt reports whether the progress model of the run lets running jobs be
// suspended. A policy that preempts asks in Reset.
func (s *State) CanPreempt() bool {
	_, ok := s.progress.(Suspending)
	return ok
}

// Preempt suspends the running job j: it gives its processors back, does nothing
// from now on and keeps what it has done. Its walltime stands still meanwhile.
func (s *State) Preempt(j *Job) {
	model, ok := s.progress.(Suspending)
	switch {
	case j.State != Running:
		s.fail("preempts job %d, which is %s", j.ID, j.State)
		return
	case !ok:
		s.fail("preempts job %d under a progress model that cannot suspend jobs", j.ID)
		return
	case s.err != nil:
		return
	}
	s.SetRate(j, 0)
	j.State, j.left = Suspended, s.now
	s.heap.move(int(j.pos), math.Inf(1))
	j.kill = true
	for c, n := range j.Alloc.Counts {
		s.free[c] += n
	}
	s.total += int(j.Procs)
	if s.tracked {
		s.procs.giveAll(j.Alloc.Procs)
	}
	s.running--
	s.suspended++
	s.changed = true
	for _, o := range s.preemptions {
		o.Preempted(s, j)
	}
	model.Preempted(s, j)
}

// Resume continues the suspended job j now on the processors that it held; all
// of them must be free. Where processors are not tracked it takes as many on
// each cluster as it held.
func (s *State) Resume(j *Job) {
	if j.State != Suspended {
		s.fail("resumes job %d, which is %s", j.ID, j.State)
		return
	}
	if s.err != nil {
		return
	}
	for c, n := range j.Alloc.Counts {
		if n > s.free[c] {
			s.fail("resumes job %d on %d processors of cluster %d with %d free there", j.ID, n, c, s.free[c])
			return
		}
	}
	if s.tracked && !s.procs.takeAll(j.Alloc.Procs) {
		s.fail("resumes job %d on processors %s, not all of them free", j.ID, AppendSpans(nil, j.Alloc.Procs))
		return
	}
	for c, n := range j.Alloc.Counts {
		s.free[c] -= n
	}
	s.total -= int(j.Procs)
	s.suspended--
	s.running++
	j.State, j.since = Running, s.now
	j.idle += s.now - j.left
	s.heap.move(int(j.pos), s.limit(j))
	s.changed = true
	for _, o := range s.preemptions {
		o.Resumed(s, j)
	}
	s.progress.(Suspending).Resumed(s, j)
}

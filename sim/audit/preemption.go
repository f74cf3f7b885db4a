package audit

import (
	"slices"

	"schedsweep/sim"
)

// Preempted strikes out the processors that the job gives back.
func (a *Audit) Preempted(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	if !b.ran || b.idle {
		a.violate("A8", "job %d was preempted at %g s without running", j.ID(), s.Now())
		return
	}
	if j.Rate() != 0 {
		a.violate("A8", "job %d was preempted and keeps the rate %g", j.ID(), j.Rate())
	}
	b.idle, b.left = true, s.Now()
	a.leave(b)
}

// Resumed enters them again and checks that they are the same and that nothing
// was done meanwhile.
func (a *Audit) Resumed(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	if !b.idle {
		a.violate("A8", "job %d was resumed at %g s without being suspended", j.ID(), s.Now())
		return
	}
	b.idle, b.account.since = false, s.Now()
	b.lost += s.Now() - b.left
	if !slices.Equal(b.held, j.Alloc().Procs) || !slices.Equal(b.on, j.Alloc().Counts) {
		a.violate("A8", "job %d was preempted on the processors %s and resumed on %s", j.ID(), sim.AppendSpans(nil, b.held), sim.AppendSpans(nil, j.Alloc().Procs))
	}
	if done := j.Work() - j.WorkLeft(s.Now()); done-b.done > tolerance*j.Work() || b.done-done > tolerance*j.Work() {
		a.violate("A8", "job %d had done %g units of work when it was preempted and %g when it was resumed", j.ID(), b.done, done)
	}
	a.take(s, j, b)
}

package switching

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"schedsweep/sim"
)

// Stage is a policy and the time from which on it decides.
type Stage struct {
	// From is in s; the first stage's is 0, and the others follow in order.
	From float64
	// Name is the policy's, for messages.
	Name string
	// Policy is a [sim.Successor]. It may be that of other stages too.
	Policy sim.Policy
}

// Policy is a sequence of policies; each decides until the next does.
//
// A switch happens after all ends and submissions of its instant, and a pass of the new policy follows it. In event
// orders with more than one pass at an instant, the old policy has the passes that follow the ends and submissions. The
// new policy is reset, then hears of the running jobs (Adopt), and then of the waiting ones (Submitted), both in order of
// submission. Running jobs stay where they are. The old policy hears nothing any more. Its plans and reservations
// are gone, and waiting jobs are in the new queue in order of submission, or in the new policy's own order.
//
// It costs constant time for a submission and an end, on average, and a switch
// costs time in the jobs in the system.
type Policy struct {
	stages []Stage
	at     int       // the stage that decides
	jobs   []present // in order of submission, with some that have left
}

// present is a job in the system as long as it has this number.
type present struct {
	job *sim.Job
	seq int64
}

func (p present) stays() bool {
	return p.job.Seq() == p.seq && (p.job.State() == sim.Waiting || p.job.State() == sim.Running)
}

// check reports mistakes in stages. A stage without a policy is known to be one.
func check(stages []Stage, report func(field, message string)) {
	if len(stages) == 0 {
		report("stages", "are none; name at least one policy")
	}
	for i, st := range stages {
		field := fmt.Sprintf("stages[%d]", i)
		switch {
		case i == 0 && st.From != 0:
			report(field+".from", fmt.Sprintf("is %g s, and the first policy decides from 0 on; write 0", st.From))
		case i > 0 && !(st.From > stages[i-1].From):
			report(field+".from", fmt.Sprintf("is %g s, not after the stage before, which begins at %g s; write stages in order of time",
				st.From, stages[i-1].From))
		case math.IsInf(st.From, 1):
			report(field+".from", "is never; write a finite time")
		}
		if _, ok := st.Policy.(sim.Successor); !ok && st.Policy != nil {
			report(field+".kind", fmt.Sprintf("is %s, which cannot be one stage of several, because it cannot take over running jobs from "+
				"another policy and leave none suspended", st.Name))
		}
	}
}

func New(stages []Stage) (*Policy, error) {
	var errs []error
	check(stages, func(field, message string) { errs = append(errs, fmt.Errorf("%s %s", field, message)) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &Policy{stages: stages}, nil
}

// AbsoluteTimes says that switches have times of their own.
func (p *Policy) AbsoluteTimes() bool { return true }

// Policies returns those of the stages.
func (p *Policy) Policies() (all []sim.Policy) {
	for _, st := range p.stages {
		all = append(all, st.Policy)
	}
	return all
}

// Reset prepares a run: every policy says whether it accepts it. Limits and delays would need a policy that decides to the end of the run.
func (p *Policy) Reset(s *sim.State) error {
	p.at, p.jobs = 0, p.jobs[:0]
	for i, st := range p.stages {
		if err := st.Policy.Reset(s); err != nil {
			return fmt.Errorf("stages[%d] (%s): %w", i, st.Name, err)
		}
		if site, ok := st.Policy.(sim.SitePolicy); ok && (len(site.Limits()) > 0 || site.Shift() != nil) {
			return fmt.Errorf("stages[%d] (%s) has limits or a shift, which no stage of several can have: drop them, or take the policy alone",
				i, st.Name)
		}
		if i > 0 {
			s.WakeAt(st.From)
		}
	}
	return nil
}

func (p *Policy) Close() error {
	var errs []error
	for _, st := range p.stages {
		if c, ok := st.Policy.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

func (p *Policy) now() sim.Policy { return p.stages[p.at].Policy }

func (p *Policy) Submitted(s *sim.State, j *sim.Job) {
	if len(p.jobs) > 2*(s.Waiting()+s.Running())+64 {
		kept := p.jobs[:0]
		for _, e := range p.jobs {
			if e.stays() {
				kept = append(kept, e)
			}
		}
		p.jobs = kept
	}
	if j.Requeues() > 0 { // the entry of its last attempt would count again
		p.jobs = slices.DeleteFunc(p.jobs, func(e present) bool { return e.job == j })
	}
	at, _ := slices.BinarySearchFunc(p.jobs, j.Seq(), func(e present, seq int64) int { return cmp.Compare(e.seq, seq) })
	p.jobs = slices.Insert(p.jobs, at, present{j, j.Seq()})
	p.now().Submitted(s, j)
}

func (p *Policy) Ended(s *sim.State, j *sim.Job) { p.now().Ended(s, j) }

func (p *Policy) Pass(s *sim.State) { p.now().Pass(s) }

// Woken switches when it is time, and otherwise passes the wake-up on.
func (p *Policy) Woken(s *sim.State) {
	if p.at+1 < len(p.stages) && s.Now() >= p.stages[p.at+1].From {
		p.at++
		p.takeOver(s)
		return
	}
	if w, ok := p.now().(sim.Woken); ok {
		w.Woken(s)
	}
}

// takeOver hands the machine to the policy that decides now. A wake-up of the old one brings no pass of it: in an order that changes with
// time, another job might be first then.
func (p *Policy) takeOver(s *sim.State) {
	next := p.now().(sim.Successor)
	if n := s.Suspended(); n > 0 {
		s.Fail(fmt.Errorf("stages[%d] (%s) left %s suspended, which a successor must not", p.at-1, p.stages[p.at-1].Name,
			sim.Counted(n, "job")))
		return
	}
	s.ForgetWakeUps()
	for _, st := range p.stages[p.at+1:] {
		s.WakeAt(st.From)
	}
	if err := next.Reset(s); err != nil {
		s.Fail(fmt.Errorf("stages[%d] (%s): %w", p.at, p.stages[p.at].Name, err))
		return
	}
	for _, e := range p.jobs {
		if e.stays() && e.job.State() == sim.Running {
			next.Adopt(s, e.job)
		}
	}
	for _, e := range p.jobs {
		if e.stays() && e.job.State() == sim.Waiting {
			next.Submitted(s, e.job)
		}
	}
}

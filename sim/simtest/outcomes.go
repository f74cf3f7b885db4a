package simtest

import "schedsweep/sim"

// Outcome is what became of a job; a rejected one has no times.
type Outcome struct {
	ID            int64
	State         string
	Start, Finish float64
	Procs         string
}

// Outcomes is an observer that notes them by the jobs' numbers in the run.
type Outcomes []Outcome

// Submitted makes room.
func (o *Outcomes) Submitted(*sim.View, *sim.Job) { *o = append(*o, Outcome{}) }

// Held needs no note.
func (o *Outcomes) Held(_ *sim.View, _, _ *sim.Hold) {}

// Ended notes the job.
func (o *Outcomes) Ended(_ *sim.View, j *sim.Job) {
	e := Outcome{ID: j.ID(), State: j.State().String(), Start: j.Start(), Finish: j.Finish(),
		Procs: string(sim.AppendSpans(nil, j.Alloc().Procs))}
	if j.State() == sim.Rejected {
		e.Start, e.Finish = -1, -1
	}
	(*o)[j.Seq()] = e
}

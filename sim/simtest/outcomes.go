package simtest

import "schedsweep/sim"

// Outcome is the end of a job; a rejected job has no times.
type Outcome struct {
	ID            int64
	State         string
	Start, Finish float64
	Procs         string
}

// Outcomes is an observer that notes them by the jobs' numbers in the run.
type Outcomes []Outcome

func (o *Outcomes) Submitted(*sim.View, *sim.Job) { *o = append(*o, Outcome{}) }

func (o *Outcomes) Held(_ *sim.View, _, _ *sim.Hold) {}

func (o *Outcomes) Ended(_ *sim.View, j *sim.Job) {
	e := Outcome{ID: j.ID(), State: j.State().String(), Start: j.Start(), Finish: j.Finish(),
		Procs: string(sim.AppendSpans(nil, j.Alloc().Procs))}
	if j.State().Refused() {
		e.Start, e.Finish = -1, -1
	}
	(*o)[j.Seq()] = e
}

// Watch makes an observer of o, which has some of the methods Submitted, Started,
// Preempted, Resumed and Ended, each of a view and a job, or hears messages.
func Watch(o any) sim.Observer {
	w := watch{o: o}
	if l, ok := o.(listener); ok {
		return struct {
			watch
			listener
		}{w, l}
	}
	return w
}

type listener interface{ Reported(*sim.View, *sim.Message) }

type watch struct {
	sim.Quiet
	o any
}

func (w watch) Submitted(v *sim.View, j *sim.Job) {
	if x, ok := w.o.(interface{ Submitted(*sim.View, *sim.Job) }); ok {
		x.Submitted(v, j)
	}
}

// Held passes it on under the name of the change.
func (w watch) Held(v *sim.View, now, before *sim.Hold) {
	if now.Job == nil {
		return
	}
	switch now.Change(before) {
	case "start":
		if x, ok := w.o.(interface{ Started(*sim.View, *sim.Job) }); ok {
			x.Started(v, now.Job)
		}
	case "preempt":
		if x, ok := w.o.(interface{ Preempted(*sim.View, *sim.Job) }); ok {
			x.Preempted(v, now.Job)
		}
	case "resume":
		if x, ok := w.o.(interface{ Resumed(*sim.View, *sim.Job) }); ok {
			x.Resumed(v, now.Job)
		}
	}
}

func (w watch) Ended(v *sim.View, j *sim.Job) {
	if x, ok := w.o.(interface{ Ended(*sim.View, *sim.Job) }); ok {
		x.Ended(v, j)
	}
}

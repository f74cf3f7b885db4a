package main

import (
	"slices"

	"schedsweep/sim"
)

// kind is the policy as manifests know it.
var kind = sim.Kind[sim.NewPolicy]{
	Name: "mine",
	Doc:  "starts all that fits, the narrowest jobs first",
	// Version counts in the ids of rows: raise it whenever a change alters
	// schedules, or old rows pass for new ones.
	Version: 1,
	Params:  Params{},
	New: func(params any, env sim.Env) (sim.Policy, error) {
		return &Policy{params: *params.(*Params)}, nil
	},
}

// Params are the parameters of the policy in manifests; the tags are those of CONTRIBUTING.md.
type Params struct {
	Widest bool `sweep:"widest" doc:"the widest jobs first instead"`
}

// Policy decides the starts of jobs. sim.State documents its possible actions.
type Policy struct {
	params  Params
	waiting []*sim.Job
}

// Reset prepares a run: nothing of the one before may be left.
func (p *Policy) Reset(*sim.State) error {
	p.waiting = p.waiting[:0]
	return nil
}

// Submitted adds the job to the waiting ones, in order of size and then of submission.
func (p *Policy) Submitted(_ *sim.State, j *sim.Job) {
	i := len(p.waiting)
	for i > 0 && p.before(j, p.waiting[i-1]) {
		i--
	}
	p.waiting = slices.Insert(p.waiting, i, j)
}

func (p *Policy) before(a, b *sim.Job) bool {
	if p.params.Widest {
		a, b = b, a
	}
	return a.Procs() < b.Procs()
}

// Ended needs no record here: the engine counts free processors.
func (p *Policy) Ended(*sim.State, *sim.Job) {}

// Pass is called whenever something has happened.
func (p *Policy) Pass(s *sim.State) {
	p.waiting = slices.DeleteFunc(p.waiting, func(j *sim.Job) bool {
		fits := int(j.Procs()) <= s.Free()
		if fits {
			s.Start(j)
		}
		return fits
	})
}

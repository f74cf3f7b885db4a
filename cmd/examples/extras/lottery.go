package main

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"schedsweep/sim"
)

// lottery is the kind of policy as manifests know it. Version counts in the ids of
// rows: raise it when a change alters schedules, and the rows of before are no
// longer taken for those of now.
var lottery = sim.Kind[sim.NewPolicy]{
	Name:    "lottery",
	Doc:     "starts jobs that fit, in an order that is drawn anew at each instant",
	Version: 1,
	Params:  LotteryParams{Tickets: "equal"},
	New: func(params any, env sim.Env) (sim.Policy, error) {
		return &Lottery{p: *params.(*LotteryParams), env: env}, nil
	},
}

// LotteryParams are the parameters of the policy lottery.
type LotteryParams struct {
	Tickets string `sweep:"tickets" enum:"equal: one each|narrow: jobs of few processors have more, in proportion" doc:"number of tickets of a waiting job"`
}

// Lottery draws which of the waiting jobs come first.
type Lottery struct {
	p       LotteryParams
	env     sim.Env
	draws   *rand.Rand
	waiting []*sim.Job
	keys    map[*sim.Job]float64
}

// Reset prepares a run. The policy has a random stream of its own in each run.
func (p *Lottery) Reset(*sim.State) error {
	*p = Lottery{p: p.p, env: p.env, draws: p.env.Stream("tickets"), waiting: p.waiting[:0], keys: map[*sim.Job]float64{}}
	return nil
}

// Submitted adds the job to the waiting ones.
func (p *Lottery) Submitted(_ *sim.State, j *sim.Job) { p.waiting = append(p.waiting, j) }

// Ended needs no record: the engine counts free processors.
func (p *Lottery) Ended(*sim.State, *sim.Job) {}

// Pass starts what fits, in the order of the draw. Exponential keys, each with its
// job's number of tickets as the rate, are a draw without replacement.
func (p *Lottery) Pass(s *sim.State) {
	clear(p.keys)
	for _, j := range p.waiting {
		key := p.draws.ExpFloat64()
		if p.p.Tickets == "narrow" {
			key *= float64(j.Procs())
		}
		p.keys[j] = key
	}
	slices.SortStableFunc(p.waiting, func(a, b *sim.Job) int { return cmp.Compare(p.keys[a], p.keys[b]) })
	p.waiting = slices.DeleteFunc(p.waiting, func(j *sim.Job) bool {
		fits := int(j.Procs()) <= s.Free()
		if fits {
			s.Start(j)
		}
		return fits
	})
}

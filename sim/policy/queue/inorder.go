package queue

import (
	"math"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "queue",
		Doc:    "a queue in some order without backfilling: the head blocks all behind it",
		Params: Ordered{Order: "fcfs"},
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			o, err := orderByName(params.(*Ordered).Order)
			return &InOrder{queued{waiting{order: o}}}, err
		},
	})
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "scan",
		Doc:    "first fit: every waiting job that fits starts, in the order of the queue, and nobody is protected",
		Params: Ordered{Order: "fcfs"},
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			o, err := orderByName(params.(*Ordered).Order)
			return &Scan{queued{waiting{order: o}}}, err
		},
	})
}

// queued is what policies have in common that keep a queue in some order and no plan.
type queued struct{ queue waiting }

// Reset empties the queue.
func (p *queued) Reset(*sim.State) error {
	p.queue.reset()
	return nil
}

// Submitted puts the job into the queue.
func (p *queued) Submitted(s *sim.State, j *sim.Job) { p.queue.push(j, s.Now()) }

// Adopt needs no record: the engine counts free processors.
func (p *queued) Adopt(*sim.State, *sim.Job) {}

// Ended needs no record: the engine counts free processors.
func (p *queued) Ended(*sim.State, *sim.Job) {}

// AbsoluteTimes reports whether the queue order has times of its own.
func (p *queued) AbsoluteTimes() bool { return p.queue.order.Absolute }

// InOrder starts jobs strictly in the order of the queue, each as soon as enough
// processors are free. A start costs O(log k) with k jobs waiting.
type InOrder struct{ queued }

// Pass starts heads of the queue while they fit.
func (p *InOrder) Pass(s *sim.State) {
	if s.Free() == 0 {
		return
	}
	p.queue.sort(s.Now())
	for p.queue.count > 0 {
		j := p.queue.job(p.queue.first())
		if int(j.Procs()) > s.Free() {
			return
		}
		p.queue.remove(j)
		s.Start(j)
	}
}

// Scan starts every waiting job that fits, in the order of the queue. A pass
// visits only jobs that start: O(log k) each with k jobs waiting, because the
// queue knows where its narrow jobs are.
type Scan struct{ queued }

// Pass starts what fits.
func (p *Scan) Pass(s *sim.State) {
	if s.Free() == 0 {
		return
	}
	p.queue.sort(s.Now())
	r := room{now: s.Now(), free: int32(s.Free()), longest: math.Inf(1), shadow: math.Inf(1)}
	at := after{key: math.Inf(-1)}
	for r.free > 0 {
		x := p.queue.fitting(p.queue.root, at, &r)
		if x == 0 {
			return
		}
		at = p.queue.place(x)
		j := p.queue.job(x)
		p.queue.remove(j)
		r.free -= j.Procs()
		s.Start(j)
	}
}

package queue

import (
	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

func init() {
	add("fcfs", "FCFS", "first come first served: the head of the queue blocks all behind it", None{}, fcfs)
	add("queue", "", "a queue in some order without backfilling: the head blocks all behind it", backfill.InOrder("fcfs"), fcfs)
	add("scan", "", "first fit: every waiting job that fits starts, in the order of the queue, and no job is protected",
		backfill.InOrder("fcfs"), func(w waiting) sim.Policy { return &FirstFit{waiting: w, counts: true} })
	add("first-fit", "", "each waiting job in order of submission starts when enough processors are free, on the lowest numbered ones; "+
		"no job has a reservation", None{}, func(w waiting) sim.Policy { return &FirstFit{waiting: w} })
}

// None are the parameters of policies that have none.
type None struct{}

// add adds a kind of policy with an order, or in order of submission.
func add(name, written, doc string, params any, policy func(waiting) sim.Policy) {
	build := func(params any, env sim.Env) (sim.Policy, error) {
		order := backfill.InOrder("fcfs")
		if p, ok := params.(*backfill.Ordered); ok {
			order = *p
		}
		q, err := order.Queue(env)
		return policy(waiting{queue: q}), err
	}
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: name, Written: written, Doc: doc, Params: params, New: build})
}

func fcfs(w waiting) sim.Policy { return &FCFS{w} }

// waiting holds the common parts of policies that keep a queue and no plan: the engine counts free processors.
type waiting struct {
	queue backfill.Queue
	lends bool // some processors may be reserved for some jobs
}

func (w *waiting) Reset(s *sim.State) error {
	w.lends = s.Reserves()
	return w.queue.Reset(s)
}

func (w *waiting) Submitted(s *sim.State, j *sim.Job) { w.queue.Push(s, j) }

func (w *waiting) Adopt(s *sim.State, j *sim.Job) { w.queue.Started(s, j) }

func (w *waiting) Ended(s *sim.State, j *sim.Job) { w.queue.Ended(s, j) }

// CapacityChanged needs no record: the pass that follows sees the free processors.
func (w *waiting) CapacityChanged(*sim.State) {}

// AbsoluteTimes reports whether the queue order has times of its own.
func (w *waiting) AbsoluteTimes() bool { return w.queue.AbsoluteTimes() }

// Admits reports why a job has no place in the order.
func (w *waiting) Admits(j *sim.JobSpec, _ sim.Records) error { return w.queue.Admits(j) }

// ByUsers is [backfill.Queue.ByUsers] of the order.
func (w *waiting) ByUsers() string { return w.queue.ByUsers() }

func (w *waiting) start(s *sim.State, j *sim.Job) {
	w.queue.Remove(j)
	s.Start(j)
	w.queue.Started(s, j)
}

// FCFS starts jobs strictly in the order of the queue, each as soon as enough
// processors are free. The zero value keeps the order of submission. A start costs O(log k) with k jobs waiting.
type FCFS struct{ waiting }

// Ranks reports whether the run has no events, which may bring jobs back.
func (p *FCFS) Ranks() bool { return p.queue.Ranks() }

// Rank returns the key of a waiting job now.
func (p *FCFS) Rank(j *sim.Job) float64 { return p.queue.Rank(j) }

// RankedAt returns when all keys were computed, and whether they must be computed anew.
func (p *FCFS) RankedAt(int32) (float64, bool) { return p.queue.RankedAt() }

func (p *FCFS) Pass(s *sim.State) {
	for (p.lends || s.Free() > 0) && p.queue.Len() > 0 {
		j := p.queue.Head(s)
		if int(j.Procs()) > s.FreeFor(j) {
			return
		}
		p.start(s, j)
	}
}

// FirstFit starts every waiting job that fits, in the order of the queue. The zero value keeps the order of submission.
// A large job may wait for ever behind small ones. A pass visits only jobs that start, but all jobs where events reserve processors.
type FirstFit struct {
	waiting
	counts bool // no policy needs the numbers of processors
}

func (p *FirstFit) Reset(s *sim.State) error {
	if !p.counts {
		s.TrackProcs()
	}
	return p.waiting.Reset(s)
}

func (p *FirstFit) Pass(s *sim.State) {
	if p.lends {
		for j := range p.queue.All(s) {
			if int(j.Procs()) <= s.FreeFor(j) {
				p.start(s, j)
			}
		}
		return
	}
	if s.Free() == 0 {
		return
	}
	for j := range p.queue.Fitting(s) {
		p.start(s, j)
	}
}

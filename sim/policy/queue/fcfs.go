package queue

import "schedsweep/sim"

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "fcfs",
		Doc:    "first come first served: the head of the queue blocks all behind it",
		Params: FCFSParams{},
		New:    func(any, sim.Env) (sim.Policy, error) { return &FCFS{}, nil },
	})
}

// FCFSParams are the parameters of the policy fcfs: it has none.
type FCFSParams struct{}

// FCFS starts jobs strictly in order of submission, each as soon as enough
// processors are free.
type FCFS struct{ queue fifo }

// Reset empties the queue.
func (p *FCFS) Reset(*sim.State) error {
	p.queue.reset()
	return nil
}

// Submitted appends the job to the queue.
func (p *FCFS) Submitted(_ *sim.State, j *sim.Job) { p.queue.push(j) }

// Adopt needs no record: the engine counts free processors.
func (p *FCFS) Adopt(*sim.State, *sim.Job) {}

// Ended needs no record: the engine counts free processors.
func (p *FCFS) Ended(*sim.State, *sim.Job) {}

// Pass starts heads of the queue while they fit.
func (p *FCFS) Pass(s *sim.State) {
	for p.queue.len() > 0 && int(p.queue.head().Procs()) <= s.Free() {
		s.Start(p.queue.pop())
	}
}

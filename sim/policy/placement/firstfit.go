package placement

import "schedsweep/sim"

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "first-fit",
		Doc:    "each waiting job in order of submission starts when enough processors are free, on the lowest numbered ones; nobody is reserved anything",
		Params: FirstFitParams{},
		New:    func(any, sim.Env) (sim.Policy, error) { return &FirstFit{}, nil },
	})
}

// FirstFitParams are the parameters of the policy first-fit: it has none.
type FirstFitParams struct{}

// FirstFit starts whoever fits, in order of submission, on the lowest-numbered
// free processors. A large job may wait for ever behind small ones. A pass
// takes time in the number of waiting jobs.
type FirstFit struct{ waiting []*sim.Job }

// Reset empties the queue.
func (p *FirstFit) Reset(s *sim.State) error {
	s.TrackProcs()
	clear(p.waiting)
	p.waiting = p.waiting[:0]
	return nil
}

// Submitted appends the job to the queue.
func (p *FirstFit) Submitted(_ *sim.State, j *sim.Job) { p.waiting = append(p.waiting, j) }

// Adopt needs no record: the engine knows the free processors.
func (p *FirstFit) Adopt(*sim.State, *sim.Job) {}

// Ended needs no record: the engine knows the free processors.
func (p *FirstFit) Ended(*sim.State, *sim.Job) {}

// Pass starts everybody who fits.
func (p *FirstFit) Pass(s *sim.State) {
	kept := p.waiting[:0]
	for _, j := range p.waiting {
		if int(j.Procs()) <= s.Free() {
			s.Start(j)
		} else {
			kept = append(kept, j)
		}
	}
	clear(p.waiting[len(kept):])
	p.waiting = kept
}

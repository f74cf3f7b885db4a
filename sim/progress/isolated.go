package progress

import "schedsweep/sim"

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name:   "isolated",
		Doc:    "each job runs for its own run time, on clusters of any speed and beside any other job",
		Params: IsolatedParams{},
		New:    func(any, sim.Env) (sim.Progress, error) { return Isolated{}, nil },
	})
}

// IsolatedParams are the parameters of the model isolated: it has none.
type IsolatedParams struct{}

// Isolated lets each job run for its run time. Work is counted in seconds and
// every rate is 1, so a finish is exactly start + run time.
type Isolated struct{}

func (Isolated) Reset(*sim.Rates) error { return nil }

func (Isolated) Started(s *sim.Rates, j *sim.Job) {
	s.SetWork(j, j.RunTime())
	s.SetRate(j, 1)
}

// Preempted has nothing to do: the engine has set the rate to 0.
func (Isolated) Preempted(*sim.Rates, *sim.Job) {}

func (Isolated) Resumed(s *sim.Rates, j *sim.Job) { s.SetRate(j, 1) }

func (Isolated) Stopped(*sim.Rates, *sim.Job) {}

func (Isolated) Update(*sim.Rates) {}

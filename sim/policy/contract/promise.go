package contract

import (
	"io"
	"math"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// Planner is implemented by a policy that promises starts. The promise is kept
// where jobs end at their walltimes: a job starts no later than any start that
// was ever planned for it.
type Planner interface {
	// Planned returns the planned start of the waiting job j in seconds, or NaN
	// where nothing is promised.
	Planned(j *sim.Job) float64
}

// witness wraps a policy and remembers the earliest start that was ever planned
// for each job.
type witness struct {
	sim.Policy
	planner  Planner
	waiting  []*sim.Job
	promised []float64
}

func (w *witness) Submitted(s *sim.State, j *sim.Job) {
	w.waiting = append(w.waiting, j)
	w.promised = append(w.promised, math.Inf(1))
	w.Policy.Submitted(s, j)
}

func (w *witness) Pass(s *sim.State) {
	w.Policy.Pass(s)
	kept := w.waiting[:0]
	for _, j := range w.waiting {
		if j.State() != sim.Waiting {
			continue
		}
		kept = append(kept, j)
		if at := w.planner.Planned(j); at < w.promised[j.Seq()] {
			w.promised[j.Seq()] = at
		}
	}
	w.waiting = kept
}

func (w *witness) Woken(s *sim.State) {
	if p, ok := w.Policy.(sim.Woken); ok {
		p.Woken(s)
	}
}

func (w *witness) Close() error {
	if p, ok := w.Policy.(io.Closer); ok {
		return p.Close()
	}
	return nil
}

func (w *witness) check(t *rapid.T, set setting, outcomes simtest.Outcomes) {
	t.Helper()
	for i, o := range outcomes {
		if o.Start > w.promised[i] {
			t.Fatalf("%s: job %d was planned to start at %g s and started at %g s", set, o.ID, w.promised[i], o.Start)
		}
	}
}

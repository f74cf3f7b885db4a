// Package slowdowns says how jobs bear sharing nodes in the study of X. Zeng and A.
// Sodan (JSSPP 2009): a law that workloads draw from, and what policies ask of it.
package slowdowns

import (
	"math"

	"schedsweep/sim"
)

// Slowdowns are the factors by which a job runs longer when processes share nodes, after X. Zeng
// and A. Sodan, "Job scheduling with lookahead group matchmaking for time/space sharing on
// multi-core parallel machines", JSSPP 2009, section 4.9.
type Slowdowns struct {
	// Node is SL_sno, the factor for two of its own processes on a node, on different CPUs. Core is SL_scr, the further
	// factor for four of them, two on each CPU. Factors below 1 are speedups. 0 counts as 1.
	Node, Core float64
	// Key is the job's own random number, from which [Slowdowns.Beside] makes the slowdown that a neighbour causes. 0
	// means a job that neither suffers from neighbours nor troubles them.
	Key uint64
}

func Of(j *sim.Job) Slowdowns { return FromTraits(j.Traits()) }

// FromTraits are the slowdowns that [sim.JobSpec.Traits] carry.
func FromTraits(t [3]uint64) Slowdowns {
	return Slowdowns{math.Float64frombits(t[0]), math.Float64frombits(t[1]), t[2]}
}

// Traits are the slowdowns as [sim.JobSpec.Traits].
func (s Slowdowns) Traits() [3]uint64 {
	return [3]uint64{math.Float64bits(s.Node), math.Float64bits(s.Core), s.Key}
}

// Own is the factor by which the job runs longer with this number of its processes on a node: 1 for one, SL_sno for
// two, SL_sno*SL_scr for more.
func (s Slowdowns) Own(perNode int) float64 {
	f := 1.0
	if perNode > 1 && s.Node > 0 {
		f = s.Node
	}
	if perNode > 2 && s.Core > 0 {
		f *= s.Core
	}
	return f
}

// Beside is SL_cos of the job when it shares a node with a job that has the
// slowdowns by: a draw from [CoschedulingLaw] by a hash of both keys, in this
// order, so that no pair needs to be stored.
func (s Slowdowns) Beside(by Slowdowns) float64 {
	if s.Key == 0 || by.Key == 0 {
		return 1
	}
	return CoschedulingLaw.At(unit(sim.Mixed(sim.Mixed(s.Key) + by.Key)))
}

// Law is a distribution that is uniform within each of some ranges.
type Law []Share

// Share is a range [From, From+.1) and the probability of it.
type Share struct{ From, Probability float64 }

// The distributions of table 4 of the paper.
var (
	CoschedulingLaw = Law{{1, .68}, {1.1, .17}, {1.2, .07}, {1.3, .03}, {1.4, .02}, {1.5, .01}, {1.6, .01}, {1.7, .01}}
	NodeLaw         = Law{{.9, .25}, {1, .45}, {1.1, .12}, {1.2, .05}, {1.3, .13}}
	CoreLaw         = Law{{1, .25}, {1.1, .17}, {1.2, .17}, {1.3, .13}, {1.4, .17}, {1.5, .08}, {1.6, .03}}
)

// At is the quantile of u, which lies in [0, 1).
func (l Law) At(u float64) float64 {
	for _, s := range l {
		if u < s.Probability {
			return s.From + .1*(u/s.Probability)
		}
		u -= s.Probability
	}
	return l[len(l)-1].From + .1 // u lost its last bits in the differences
}

// unit maps 64 random bits to [0, 1).
func unit(x uint64) float64 { return float64(x>>11) / (1 << 53) }

// Contention is implemented by a progress model under which jobs slow down when
// processes share nodes and which can tell beforehand by how much. All factors
// are of the run time.
type Contention interface {
	// Own is j's factor with this number of its processes on a node and no others.
	Own(j *sim.Job, perNode int) float64
	// Beside is j's factor when it shares nodes with by. With several neighbours
	// the largest counts.
	Beside(j *sim.Job, perNode int, by *sim.Job) float64
}

// Under returns the progress model's view of shared nodes; under a model that says nothing all
// factors are 1.
func Under(s *sim.State) Contention {
	if c, ok := s.Progress().(Contention); ok {
		return c
	}
	return indifferent{}
}

type indifferent struct{}

func (indifferent) Own(*sim.Job, int) float64              { return 1 }
func (indifferent) Beside(*sim.Job, int, *sim.Job) float64 { return 1 }

package workload

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"schedsweep/sim"
)

// Slowdowns are the transform that makes a workload of one process per node one
// for nodes of several cores, after X. Zeng and A. Sodan, JSSPP 2009, sections
// 4.8 and 4.9: each job draws how it bears sharing nodes, and those that bear it
// well grow.
type Slowdowns struct {
	Law string `sweep:"law" enum:"none: not at all|zeng2009: drawn from table 4 of Zeng and Sodan 2009" doc:"how jobs bear sharing nodes"`
	// Sizes says whether jobs grow, as in section 4.8.
	Sizes    bool    `sweep:"sizes" doc:"jobs that bear two or four of their processes on a node get about twice or four times as many"`
	Rounding string  `sweep:"size_rounding" enum:"power-of-two: powers of two stay powers of two|integer: all become the nearest integer" doc:"new sizes"`
	Two      float64 `sweep:"self_sl_2" above:"0" doc:"SELF_SL_2: jobs whose slowdown by two processes on a node is at most this double"`
	Four     float64 `sweep:"max_sl" above:"0" doc:"MAX_SL: jobs whose slowdown by four processes on a node is at most this quadruple"`
	Nodes    int     `sweep:"nodes" min:"0" doc:"nodes of the machine, which bound the new sizes; 0: the size of the machine that the workload is for"`
}

func defaultSlowdowns() Slowdowns {
	return Slowdowns{Law: "none", Sizes: true, Rounding: "power-of-two", Two: 1.12, Four: 1.25}
}

// slowing gives the jobs of one pass their slowdowns, by a stream of its own and
// always three draws for a job.
type slowing struct {
	law   *Slowdowns
	nodes int // 0: no bound
	draws *rand.Rand
}

// newSlowing returns nil where there is nothing to give.
func newSlowing(law *Slowdowns, procs int, streams sim.Streams) *slowing {
	if law.Law == "none" {
		return nil
	}
	n := law.Nodes
	if n == 0 {
		n = procs
	}
	return &slowing{law: law, nodes: n, draws: streams.New("slowdowns")}
}

// give draws the job's slowdowns and makes it grow. A nil receiver does nothing.
func (s *slowing) give(j *sim.JobSpec) error {
	if s == nil {
		return nil
	}
	j.Slowdowns = sim.Slowdowns{
		Node: sim.NodeLaw.At(s.draws.Float64()),
		Core: sim.CoreLaw.At(s.draws.Float64()),
		Key:  max(1, s.draws.Uint64()),
	}
	if !s.law.Sizes || j.Procs == 1 {
		return nil
	}
	by, perNode := 1.0, 1
	switch two, four := j.Slowdowns.Own(2), j.Slowdowns.Own(4); {
	case four <= s.law.Four:
		by, perNode = 4/four, 4
	case two <= s.law.Two:
		by, perNode = 2/two, 2
	}
	size := float64(j.Procs) * by
	if s.law.Rounding == "power-of-two" && bits.OnesCount32(uint32(j.Procs)) == 1 {
		size = math.Exp2(math.Round(math.Log2(size)))
	}
	size = max(1, math.Round(size))
	if s.nodes > 0 {
		size = min(size, float64(s.nodes*perNode))
	}
	if size > math.MaxInt32 {
		return fmt.Errorf("slowdowns make its size %g; it must be at most %d", size, math.MaxInt32)
	}
	j.Procs = int32(size)
	return nil
}

package slowdowns

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

func init() {
	workload.AddTransform(workload.StudyTransform{Name: "slowdowns",
		Doc: "slowdown of jobs that share nodes, and larger sizes of jobs that slow down little", Study: "zeng2009", Params: Defaults()})
}

// Params are those of the transform that makes a workload of one process per node one for nodes of several cores, after
// X. Zeng and A. Sodan, JSSPP 2009, sections 4.8 and 4.9: each job draws how it bears sharing nodes, and jobs that bear
// it well grow.
type Params struct {
	Law string `sweep:"law" enum:"none: no slowdowns|zeng2009: drawn from table 4 of Zeng and Sodan 2009" doc:"slowdown of jobs that share nodes"`
	// Sizes reports whether jobs grow, as in section 4.8.
	Sizes    bool    `sweep:"sizes" doc:"jobs that bear two or four of their processes on a node get about twice or four times as many"`
	Rounding string  `sweep:"size_rounding" enum:"power-of-two: powers of two stay powers of two|integer: all become the nearest integer" doc:"new sizes"`
	Two      float64 `sweep:"self_sl_2" above:"0" doc:"SELF_SL_2: jobs whose slowdown by two processes on a node is at most this double"`
	Four     float64 `sweep:"max_sl" above:"0" doc:"MAX_SL: jobs whose slowdown by four processes on a node is at most this quadruple"`
	Nodes    int     `sweep:"nodes" min:"0" doc:"nodes of the machine, which bound the new sizes; 0: the size of the machine that the workload is for"`
}

// Defaults are the published numbers, without a law.
func Defaults() Params {
	return Params{Law: "none", Sizes: true, Rounding: "power-of-two", Two: 1.12, Four: 1.25}
}

// Needs refuses what describes slowdowns where jobs have none.
func (p *Params) Needs(report func(missing, field, message string)) {
	if p.Law == "none" && *p != Defaults() {
		report("law", "law", "is none, and the other fields of slowdowns are for jobs with some; add law: zeng2009, or drop them")
	}
}

// Shapes reports that jobs grow.
func (p *Params) Shapes() bool { return true }

// Pass gives the jobs of one pass their slowdowns, by a stream of its own and always
// three draws for a job, and makes them grow.
func (p *Params) Pass(procs int, streams sim.Streams) func(*sim.JobSpec) error {
	if p.Law == "none" {
		return nil
	}
	nodes := cmp.Or(p.Nodes, procs) // 0: no bound
	draws := streams.New("slowdowns")
	return func(j *sim.JobSpec) error {
		s := Slowdowns{NodeLaw.At(draws.Float64()), CoreLaw.At(draws.Float64()), max(1, draws.Uint64())}
		j.Traits = s.Traits()
		if !p.Sizes || j.Procs == 1 {
			return nil
		}
		return p.grow(j, s, nodes)
	}
}

// grow makes a job larger that bears several of its processes on a node.
func (p *Params) grow(j *sim.JobSpec, s Slowdowns, nodes int) error {
	by, perNode := 1.0, 1
	switch two, four := s.Own(2), s.Own(4); {
	case four <= p.Four:
		by, perNode = 4/four, 4
	case two <= p.Two:
		by, perNode = 2/two, 2
	}
	size := float64(j.Procs) * by
	if p.Rounding == "power-of-two" && bits.OnesCount32(uint32(j.Procs)) == 1 {
		size = math.Exp2(math.Round(math.Log2(size)))
	}
	size = max(1, math.Round(size))
	if nodes > 0 {
		size = min(size, float64(nodes*perNode))
	}
	if size > math.MaxInt32 {
		return fmt.Errorf("slowdowns make its size %g; it must be at most %d", size, math.MaxInt32)
	}
	j.Procs = int32(size)
	return nil
}

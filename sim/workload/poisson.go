package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"schedsweep/sim"
)

// PoissonParams are the parameters of the kind poisson. The defaults are those
// of W. M. Jones, L. W. Pang, D. Stanzione, W. B. Ligon, "Job communication
// characterization and its impact on meta-scheduling co-allocated jobs in a
// mini-grid", IPDPS workshops 2004.
type PoissonParams struct {
	Clusters         int              `sweep:"clusters" doc:"number of clusters, each with its own stream" min:"1" max:"65536"`
	Jobs             int              `sweep:"jobs" doc:"number of jobs of each cluster" min:"1"`
	MeanInterarrival float64          `sweep:"mean_interarrival" doc:"mean time between submissions at a cluster" unit:"s" above:"0" finite:"yes"`
	MeanRunTime      float64          `sweep:"mean_run_time" doc:"mean run time" unit:"s" above:"0" finite:"yes"`
	Processors       [2]float64       `sweep:"processors" doc:"range of sizes, uniform, both ends included"`
	PerCluster       []PoissonCluster `sweep:"per_cluster" doc:"other values for each cluster; empty: all alike"`
	Transforms
}

// PoissonCluster holds the values of one cluster that differ; 0 means the common value.
type PoissonCluster struct {
	MeanInterarrival float64    `sweep:"mean_interarrival" doc:"mean time between submissions; 0: the common one" unit:"s" min:"0" finite:"yes"`
	MeanRunTime      float64    `sweep:"mean_run_time" doc:"mean run time; 0: the common one" unit:"s" min:"0" finite:"yes"`
	Processors       [2]float64 `sweep:"processors" doc:"range of sizes; [0, 0]: the common one"`
}

// Needs is that of the transforms of models.
func (p *PoissonParams) Needs(report func(missing, field, message string)) {
	p.Transforms.needs(modelTransforms(), report)
}

func (p *PoissonParams) Validate(report func(field, message string)) {
	if p.Jobs > math.MaxInt/p.Clusters {
		report("jobs", fmt.Sprintf("is %d; of all clusters they are more than can be counted", p.Jobs))
	}
	if n := len(p.PerCluster); n != 0 && n != p.Clusters {
		report("per_cluster", fmt.Sprintf("has %s, and the number of clusters is %d", sim.Counted(n, "number"), p.Clusters))
		return
	}
	WholeRange(report, "processors", p.Processors, 1)
	for i := range p.PerCluster {
		WholeRange(report, fmt.Sprintf("per_cluster[%d].processors", i), p.cluster(i).Processors, 1)
	}
	p.Transforms.Validate(report)
}

// cluster returns a cluster's values, those in common for -1.
func (p *PoissonParams) cluster(i int) PoissonCluster {
	c := PoissonCluster{p.MeanInterarrival, p.MeanRunTime, p.Processors}
	if i < 0 || i >= len(p.PerCluster) {
		return c
	}
	own := p.PerCluster[i]
	if own.MeanInterarrival != 0 {
		c.MeanInterarrival = own.MeanInterarrival
	}
	if own.MeanRunTime != 0 {
		c.MeanRunTime = own.MeanRunTime
	}
	if own.Processors != [2]float64{} {
		c.Processors = own.Processors
	}
	return c
}

func init() {
	Add("poisson", "Independent Poisson streams of jobs at several clusters, exponential run times, uniform sizes.",
		PoissonParams{Clusters: 1, Jobs: 10000, MeanInterarrival: 150, MeanRunTime: 225, Processors: [2]float64{10, 90},
			Transforms: modelTransforms()},
		func(p *PoissonParams, in Input) (Workload, error) {
			return build(&poissonOrigin{*p, in}, p.Transforms, in)
		})
}

// poissonOrigin merges the clusters' streams by time, equal times by cluster.
type poissonOrigin struct {
	p  PoissonParams
	in Input
}

func (o *poissonOrigin) info() Info {
	i := Info{Name: "poisson", Jobs: o.p.Jobs * o.p.Clusters}
	if !keepsLoad(&o.p.Transforms, o.in.Studies) {
		return i
	}
	for home := range o.p.Clusters {
		c := o.p.cluster(home)
		// Sizes are uniform on whole numbers, run times exponential.
		lo, hi := c.Processors[0], c.Processors[1]
		size, variance := (lo+hi)/2, ((hi-lo+1)*(hi-lo+1)-1)/12
		i.Poisson = append(i.Poisson, sim.PoissonStream{Jobs: o.p.Jobs, Rate: 1 / c.MeanInterarrival,
			Work: c.MeanRunTime * size, Square: 2 * c.MeanRunTime * c.MeanRunTime * (variance + size*size)})
	}
	return i
}

func (o *poissonOrigin) pass() sim.Source {
	s := &poissonSource{heap: make([]*poissonLane, o.p.Clusters)}
	for i := range s.heap {
		n := strconv.Itoa(i)
		l := &poissonLane{PoissonCluster: o.p.cluster(i), home: int32(i), left: o.p.Jobs,
			arrivals: o.in.Streams.New("arrivals", n), sizes: o.in.Streams.New("sizes", n), runTimes: o.in.Streams.New("runtimes", n)}
		l.time = l.arrivals.ExpFloat64() * l.MeanInterarrival
		s.heap[i] = l
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
	return s
}

type poissonLane struct {
	PoissonCluster
	home                      int32
	left                      int
	time                      float64
	arrivals, sizes, runTimes *rand.Rand
}

// poissonSource is one pass; a job costs time logarithmic in the clusters.
type poissonSource struct {
	heap []*poissonLane // not a heapOf, whose comparisons are calls: jobs by the million come from here
	id   int64
}

func (s *poissonSource) Next(j *sim.JobSpec) (bool, error) {
	if len(s.heap) == 0 {
		return false, nil
	}
	l := s.heap[0]
	s.id++
	lo, hi := int32(l.Processors[0]), int32(l.Processors[1])
	size := lo + l.sizes.Int32N(hi-lo+1)
	run := l.runTimes.ExpFloat64() * l.MeanRunTime
	for run == 0 {
		// The generator yields 0 once in 2^32 draws; a walltime must be above it.
		run = l.runTimes.ExpFloat64() * l.MeanRunTime
	}
	*j = sim.JobSpec{ID: s.id, Submit: l.time, RunTime: run, Walltime: run, Procs: size, Home: l.home, User: -1}
	if l.left--; l.left == 0 {
		last := len(s.heap) - 1
		s.heap[0] = s.heap[last]
		s.heap = s.heap[:last]
	} else {
		l.time += l.arrivals.ExpFloat64() * l.MeanInterarrival
	}
	s.down(0)
	return true, nil
}

func (s *poissonSource) down(i int) {
	h := s.heap
	less := func(a, b *poissonLane) bool { return a.time < b.time || a.time == b.time && a.home < b.home }
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && less(h[c+1], h[c]) {
			c++
		}
		if !less(h[c], h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

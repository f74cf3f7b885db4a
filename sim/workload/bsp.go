package workload

import (
	"errors"
	"fmt"

	"schedsweep/sim"
)

// BSPParams are the parameters of the kind bsp: the workloads of H. Blanco et al.,
// "MIP model scheduling for multi-clusters", Euro-Par 2012 workshops, section 4,
// which says how many jobs and tasks there are and how long jobs run in the mean.
// All are submitted at 0.
type BSPParams struct {
	Jobs         int        `sweep:"jobs" min:"1" doc:"how many jobs"`
	Tasks        [2]float64 `sweep:"tasks" doc:"bounds of the tasks of a job, uniform among whole numbers"`
	MeanBaseTime float64    `sweep:"mean_base_time" unit:"s" above:"0" doc:"mean time of the jobs on processors of full speed, exactly that in each workload" finite:"yes"`
	Spread       [2]float64 `sweep:"spread" doc:"bounds of the base times, uniform, over their mean; then all are scaled to the mean" above:"0" finite:"yes"`
	Favours      string     `sweep:"favours" enum:"none: draw once|fpfs: WL-1|sjf: WL-2" doc:"draw until this heuristic of multicluster-list ends no later than the other five"`
	Transforms
}

// Orders are the heuristics among which Favours chooses.
var orders = []string{"fcfs", "sjf", "bjf", "fpfs", "spt", "lpt"}

func (p *BSPParams) Validate(report func(field, message string)) {
	wholeRange(report, "tasks", p.Tasks, 1)
	p.Transforms.Validate(report)
}

func init() {
	t := DefaultTransforms()
	t.Messages.Law = "link-share"
	add("bsp", "Bulk-synchronous jobs of several tasks that communicate, all submitted at 0; on demand drawn until a heuristic does well (Blanco 2012).",
		BSPParams{Jobs: 8, Tasks: [2]float64{1, 12}, MeanBaseTime: 67e4, Spread: [2]float64{.2, 1.8}, Favours: "none", Transforms: t}, newBSP)
}

// draws is how many workloads are tried until one favours a heuristic: with 8 jobs
// about one in six does.
const draws = 10_000

func newBSP(p *BSPParams, in Input) (Workload, error) {
	if p.Favours == "none" {
		return build(&bspOrigin{p, in.Streams, "0"}, p.Transforms, in)
	}
	if in.Play == nil {
		return nil, errors.New("workload bsp: there is nobody to play workloads, so none can be drawn that favours a heuristic")
	}
	machine, err := p.machine()
	if err != nil {
		return nil, err
	}
	for n := range draws {
		w, err := build(&bspOrigin{p, in.Streams, fmt.Sprint(n)}, p.Transforms, in)
		if err != nil {
			return nil, err
		}
		if good, err := p.favoured(w, machine, in.Play); err != nil || good {
			return w, err
		}
	}
	return nil, fmt.Errorf("workload bsp: none of %d workloads favours %s; try fewer jobs", draws, p.Favours)
}

// machine is the platform on which heuristics are compared.
func (p *BSPParams) machine() (*sim.Platform, error) {
	var clusters []sim.Cluster
	for i, c := range p.Messages.Clusters {
		if c.Speed == 0 {
			c.Speed = 1
		}
		clusters = append(clusters, sim.Cluster{Name: fmt.Sprint("c", i+1), Nodes: c.Processors, Cores: 1, Speed: c.Speed, Uplink: sim.Link{Bandwidth: p.Messages.Link}})
	}
	return sim.NewPlatform("messages.clusters", clusters, sim.Link{})
}

// favoured reports whether no heuristic ends earlier than the favourite.
func (p *BSPParams) favoured(w Workload, machine *sim.Platform, play Play) (bool, error) {
	best, err := play(machine, w.Source(), p.Favours)
	for _, order := range orders {
		if err != nil {
			return false, err
		}
		if order == p.Favours {
			continue
		}
		var end float64
		if end, err = play(machine, w.Source(), order); end < best {
			return false, err
		}
	}
	return true, err
}

type bspOrigin struct {
	p       *BSPParams
	streams sim.Streams
	draw    string
}

func (o *bspOrigin) info() Info { return Info{Name: "bsp", Jobs: o.p.Jobs} }

func (o *bspOrigin) pass() sim.Source {
	sizes, times := o.streams.New("sizes", o.draw), o.streams.New("runtimes", o.draw)
	jobs := make(sim.JobList, o.p.Jobs)
	sum := 0.0
	lo, hi := int32(o.p.Tasks[0]), int32(o.p.Tasks[1])
	for i := range jobs {
		run := o.p.Spread[0] + (o.p.Spread[1]-o.p.Spread[0])*times.Float64()
		sum += run
		jobs[i] = sim.JobSpec{ID: int64(i + 1), RunTime: run, Procs: lo + sizes.Int32N(hi-lo+1), User: -1}
	}
	for i := range jobs {
		j := &jobs[i]
		j.RunTime *= o.p.MeanBaseTime * float64(len(jobs)) / sum
		j.Walltime = j.RunTime
	}
	return &jobs
}

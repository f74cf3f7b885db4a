// Package bsp draws the workloads of H. Blanco et al. (Euro-Par 2012 workshops).
package bsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/messages"
	"schedsweep/sim/studies/blanco2012/oas"
	"schedsweep/sim/studies/blanco2012/saturation"
	"schedsweep/sim/workload"
)

// Params are the parameters of the kind bsp: the workloads of H. Blanco et al.,
// "MIP model scheduling for multi-clusters", Euro-Par 2012 workshops, section 4,
// which gives the numbers of jobs and tasks and the mean run time.
// All are submitted at 0.
type Params struct {
	Jobs         int             `sweep:"jobs" min:"1" max:"1000000" doc:"number of jobs"`
	Tasks        [2]float64      `sweep:"tasks" doc:"bounds of the tasks of a job, uniform among whole numbers"`
	MeanBaseTime float64         `sweep:"mean_base_time" unit:"s" above:"0" doc:"mean time of the jobs on processors of full speed, exactly that in each workload" finite:"yes"`
	Spread       [2]float64      `sweep:"spread" doc:"bounds of the base times, uniform, over their mean; then all are scaled to the mean" above:"0" finite:"yes"`
	Favours      string          `sweep:"favours" enum:"none: draw once|fpfs: WL-1|sjf: WL-2" doc:"draw until this heuristic of multicluster-list ends no later than the other five"`
	Messages     messages.Params `sweep:"messages" doc:"bandwidth that jobs request of the links between clusters"`
	workload.Transforms
}

// Orders are the heuristics among which Favours chooses.
var orders = []string{"fcfs", "sjf", "bjf", "fpfs", "spt", "lpt"}

func (p *Params) Validate(report func(field, message string)) {
	workload.WholeRange(report, "tasks", p.Tasks, 1)
	p.Transforms.Validate(report)
	p.Messages.Validate(func(field, message string) { report("messages."+field, message) })
}

func init() {
	m := messages.Defaults()
	m.Law = "link-share"
	workload.Add("bsp", "Bulk-synchronous jobs of several tasks that communicate, all submitted at 0; on demand drawn until a heuristic "+
		"does well (Blanco 2012).",
		Params{Jobs: 8, Tasks: [2]float64{1, 12}, MeanBaseTime: 67e4, Spread: [2]float64{.2, 1.8}, Favours: "none", Messages: m,
			Transforms: workload.DefaultTransforms()},
		func(p *Params, in workload.Input) (workload.Workload, error) { return p.draw(in, play) })
}

// draws is the number of workloads that are tried until one favours a heuristic: with 8 jobs about
// one in six does.
const draws = 10_000

// player plays jobs on a machine with the order of a heuristic and returns when the
// last ends, in s.
type player func(machine *sim.Platform, jobs sim.Source, order string) (float64, error)

// play is the player for manifests.
func play(machine *sim.Platform, jobs sim.Source, order string) (float64, error) {
	var e sim.Engine
	res, err := e.Run(context.Background(),
		sim.Config{Platform: machine, Source: jobs, Policy: oas.NewList(oas.ListParams{Order: order}), Progress: &saturation.Model{}})
	if err != nil {
		return 0, fmt.Errorf("playing a draw under %s: %w", order, err)
	}
	return res.End, nil
}

// draw draws workloads until one favours the heuristic.
func (p *Params) draw(in workload.Input, play player) (workload.Workload, error) {
	in.Studies = slices.Insert(slices.Clone(in.Studies), 0, workload.Transform(&p.Messages))
	if p.Favours == "none" {
		return p.nth(0, in)
	}
	machine, err := p.machine()
	if err != nil {
		return nil, err
	}
	for n := range draws {
		w, err := p.nth(n, in)
		if err != nil {
			return nil, err
		}
		if good, err := p.favoured(w, machine, play); err != nil || good {
			return w, err
		}
	}
	return nil, fmt.Errorf("bsp: none of %d workloads favours %s; try fewer jobs", draws, p.Favours)
}

// nth is the n-th workload that is drawn.
func (p *Params) nth(n int, in workload.Input) (workload.Workload, error) {
	return workload.FromSource(workload.Info{Name: "bsp", Jobs: p.Jobs}, func() sim.Source { return p.pass(in.Streams, fmt.Sprint(n)) },
		p.Transforms, in)
}

// machine is the platform on which heuristics are compared.
func (p *Params) machine() (*sim.Platform, error) {
	var clusters []sim.Cluster
	for i, c := range p.Messages.Clusters {
		c.Speed = cmp.Or(c.Speed, 1)
		clusters = append(clusters, sim.Cluster{Name: fmt.Sprint("c", i+1), Nodes: c.Processors, Cores: 1, Speed: c.Speed,
			Uplink: sim.Link{Bandwidth: p.Messages.Link}})
	}
	return sim.NewPlatform("messages.clusters", clusters, sim.Link{})
}

// favoured reports whether no heuristic ends earlier than the favourite.
func (p *Params) favoured(w workload.Workload, machine *sim.Platform, play player) (bool, error) {
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

func (p *Params) pass(streams sim.Streams, draw string) sim.Source {
	sizes, times := streams.New("sizes", draw), streams.New("runtimes", draw)
	jobs := make(sim.JobList, p.Jobs)
	sum := 0.0
	lo, hi := int32(p.Tasks[0]), int32(p.Tasks[1])
	for i := range jobs {
		run := p.Spread[0] + (p.Spread[1]-p.Spread[0])*times.Float64()
		sum += run
		jobs[i] = sim.JobSpec{ID: int64(i + 1), RunTime: run, Procs: lo + sizes.Int32N(hi-lo+1), User: -1}
	}
	for i := range jobs {
		j := &jobs[i]
		j.RunTime *= p.MeanBaseTime * float64(len(jobs)) / sum
		j.Walltime = j.RunTime
	}
	return &jobs
}

package ptask

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name: "ptask",
		Doc: "computation and all-to-all communication advance together on processors and links that all jobs share, as in SimGrid's " +
			"parallel tasks (L07)",
		Params: Params{Sharing: "simgrid", Diagonal: true, Cores: "own"},
		New: func(params any, _ sim.Env) (sim.Progress, error) {
			return New(*params.(*Params)), nil
		},
	})
}

// Params are the parameters of the model ptask.
type Params struct {
	// Sharing is "simgrid", which subtracts what a frozen task took last in every
	// later round again, as SimGrid 3.32 does, or "clean", which subtracts it once.
	Sharing  string `sweep:"sharing" enum:"simgrid: with the loss of capacity in SimGrid's solver|clean: without it" doc:"sharing of processors and links by jobs"`
	Diagonal bool   `sweep:"diagonal" doc:"does each processor send to itself too, over its node's link and the backbone"`
	// Cores is "own" when each processor computes at its cluster's speed, or
	// "share" when that speed is the whole node's, as for a host of L07, which
	// knows no cores. The two differ only on nodes of several processors.
	Cores string `sweep:"cores" enum:"own: each has a speed of its own|share: they share the node's" doc:"speed of the processors of a node"`
}

// doneBelow is the share of its work below which a task is done: SimGrid's
// precision of time (1e-9) times that of its solver (1e-5).
const doneBelow = 1e-14

// Model is SimGrid's model of parallel tasks L07. A job is one task of work 1
// whose computation (Flops on each processor) and communication (Bytes for each
// ordered pair of processors) advance at one rate. It first waits out the
// longest latency of its routes and then takes its part of every processor and
// link that it uses, see [Model.solve].
//
// An event costs time in the number of running jobs times their clusters, for any number of nodes: nodes that a job has
// for itself are identical and one represents all. Only nodes that several jobs share at the moment are resources of
// their own.
type Model struct {
	clean, diagonal, share bool

	platform *sim.Platform
	tasks    []task  // by sim.Job.Slot
	running  []int32 // slots in order of start
	wake     float64 // the latest end of a latency with a requested update

	res   []resource // backbones, the central link, then shared nodes
	nodes nodeTable
	enabl []*task // scratch of solve: enabled tasks
	alive []*task // scratch of solve: those not frozen yet
}

// New returns the model. Unknown names in params count as their defaults.
func New(params Params) *Model {
	return &Model{clean: params.Sharing == "clean", diagonal: params.Diagonal, share: params.Cores == "share"}
}

func (p *Model) Reset(s *sim.Rates) error {
	if err := checkPtask(s.Platform()); err != nil {
		return err
	}
	p.platform = s.Platform()
	p.running, p.enabl = p.running[:0], p.enabl[:0]
	p.wake = -1
	p.res = p.res[:0]
	for i := range p.platform.Clusters {
		p.res = append(p.res, linkResource(p.platform.Clusters[i].Backbone))
	}
	p.res = append(p.res, linkResource(p.platform.Central))
	if p.nodes.reset(p.platform) {
		s.TrackProcs()
	}
	return nil
}

// Started computes what j loads. Its latency begins now.
func (p *Model) Started(s *sim.Rates, j *sim.Job) {
	if !(j.Flops() >= 0) || !(j.Bytes() >= 0) || math.IsInf(j.Flops(), 1) || math.IsInf(j.Bytes(), 1) {
		s.Fail(fmt.Errorf("progress model ptask: job %d has %g flop a processor and %g B a pair; both must be at least 0 and finite", j.ID(),
			j.Flops(), j.Bytes()))
		return
	}
	t := sim.Entry(&p.tasks, j.Slot())
	t.job = j
	p.running = append(p.running, j.Slot())
	p.nodes.enter(t)
	latency := p.load(t)
	t.ready = s.Now() + latency
	work := 1.0
	if t.idle() {
		work = 0
	}
	s.SetWork(j, work)
	if t.ready > s.Now() && t.ready != p.wake {
		p.wake = t.ready
		s.UpdateAt(t.ready)
	}
}

func (p *Model) Stopped(_ *sim.Rates, j *sim.Job) {
	i := slices.Index(p.running, j.Slot())
	p.running = append(p.running[:i], p.running[i+1:]...)
	p.nodes.leave(&p.tasks[j.Slot()])
}

func (p *Model) Update(s *sim.Rates) {
	if p.nodes.dirty {
		p.reload()
	}
	p.enabl = p.enabl[:0]
	for _, slot := range p.running {
		t := &p.tasks[slot]
		switch {
		case t.ready > s.Now():
		case t.idle():
			s.EndNow(t.job)
		default:
			p.enabl = append(p.enabl, t)
		}
	}
	if !p.solve() {
		s.Fail(fmt.Errorf("progress model ptask: the shares of %d jobs do not settle within %d rounds: a fat-pipe link of platform %q is used "+
			"beside others that are exhausted; make it shared", len(p.enabl), maxRounds, p.platform.Name))
		return
	}
	for _, t := range p.enabl {
		s.SetRate(t.job, t.rate)
	}
}

// Advanced ends together what differs by rounding alone.
func (p *Model) Advanced(s *sim.Rates) {
	now := s.Now()
	for _, slot := range p.running {
		if j := p.tasks[slot].job; j.Rate() > 0 && j.WorkLeft(now) < doneBelow {
			s.EndNow(j)
		}
	}
}

func (p *Model) Links() []string {
	names := make([]string, len(p.platform.Clusters), len(p.platform.Clusters)+1)
	for i := range names {
		names[i] = fmt.Sprintf("backbone %d", i)
	}
	return append(names, "central")
}

// LinkLoads appends the load of each link: traffic over capacity. Every flow has all of a fat pipe, so the load of
// the pipe is that of its largest flow.
func (p *Model) LinkLoads(dst []float64) []float64 {
	from := len(dst)
	links := len(p.platform.Clusters) + 1
	dst = append(dst, make([]float64, links)...)
	for _, t := range p.enabl {
		for _, u := range t.uses {
			if int(u.res) >= links {
				continue // of a node
			}
			load := &dst[from+int(u.res)]
			if traffic := t.rate * u.weight / p.res[u.res].capacity; p.res[u.res].fat {
				*load = max(*load, traffic)
			} else {
				*load += traffic
			}
		}
	}
	return dst
}

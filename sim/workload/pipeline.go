package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// pipeline is an origin with its transforms. It does not change once made.
type pipeline struct {
	origin  origin
	t       Transforms
	studies []Transform
	streams sim.Streams
	info    Info
	choice  choice
	parts   parts
	before  int // jobs before the selection that are drawn for and not given
	first   int // the first place among the jobs of within that select may take
	of      int // the most that it may take, -1 where that is not known
	bounds  swf.Bounds
	within  []int32 // of an indexed origin
	shift   bool
	divisor float64   // of submit times
	model   []float64 // walltimes of the Tsafrir model, by position; else nil
	asked   int       // streams for the model
}

// build settles everything about a workload that the jobs depend on.
func build(o origin, t Transforms, in Input) (Workload, error) {
	p := &pipeline{origin: o, t: t, studies: in.Studies, streams: in.Streams, info: o.info(), bounds: t.Select.bounds(), divisor: t.LoadFactor}
	p.shift = t.shifts()
	if err := p.selectJobs(); err != nil {
		return nil, err
	}
	if err := p.begin(); err != nil {
		return nil, err
	}
	if l, ok := o.(linked); ok {
		var err error
		if p.info.Dependencies, err = l.link(p.selected(), &p.info); err != nil {
			return nil, err
		}
	}
	if t.Estimates.Model == "tsafrir" {
		if err := p.modelEstimates(); err != nil {
			return nil, err
		}
	}
	if t.OfferedLoad > 0 {
		load, err := p.offeredLoad(cmp.Or(in.Procs, p.info.Procs))
		if err != nil {
			return nil, err
		}
		p.divisor *= t.OfferedLoad / load
	}
	p.info.Divisor = p.divisor
	return p, p.divide()
}

// begin settles when the first job is submitted in the log.
func (p *pipeline) begin() error {
	if !p.shift || p.info.Start.IsZero() {
		return nil
	}
	var first sim.JobSpec
	_, err := p.selected().Next(&first)
	p.info.Begin = first.Submit
	return err
}

func (p *pipeline) selectJobs() error {
	s := &p.t.Select
	candidates := -1
	end := -1 // of the candidates, also the ones that a window by time leaves out
	if x, ok := p.origin.(indexed); ok {
		lo, hi, err := p.candidates(x)
		if err != nil {
			return err
		}
		p.first, candidates = lo, hi-lo
		if end = x.size(); p.within != nil {
			end = len(p.within)
		}
	} else if none(p.bounds) && p.info.Jobs > 0 {
		candidates = p.info.Jobs
	} else if s.Jobs > 0 && s.Sample != "first" {
		n, err := countWithin(p.origin.pass(), p.bounds)
		if err != nil {
			return err
		}
		candidates = n
	}
	p.of = candidates
	c, err := choose(p.info.Name, s, candidates, p.streams)
	if err != nil {
		return err
	}
	if candidates >= 0 && c.picks == nil && (c.n >= 0 || p.bounds.Submit != everything()) {
		c.n = c.count(candidates)
	}
	c.from += p.first
	for i := range c.picks {
		c.picks[i] += p.first
	}
	p.choice = c
	p.around(max(end, candidates))
	p.info.Jobs = 0
	if c = p.played(); candidates >= 0 || s.Jobs > 0 {
		p.info.Jobs = c.count(max(end, candidates))
	}
	return nil
}

func (p *pipeline) Info() Info { return p.info }

// selected starts a pass over the jobs that are played, before any factor.
func (p *pipeline) selected() sim.Source { return p.choose(p.played()) }

// Source starts a fresh pass.
func (p *pipeline) Source() sim.Source { return p.pass(p.streams) }

func (p *pipeline) pass(streams sim.Streams) sim.Source {
	c := p.played()
	c.from -= p.before
	if c.n >= 0 {
		c.n += p.before
	}
	s := &stage{p: p, parts: p.parts, of: p.choose(c), shaping: p.passes(true, streams), others: p.passes(false, streams)}
	if p.t.Estimates.Model == "uniform" {
		s.estimates = streams.New("estimates")
	}
	if p.t.Jitter > 0 {
		r := streams.New("jitter")
		for range p.before {
			r.Float64()
		}
		return &jittered{of: s, most: p.t.Jitter, r: r}
	}
	return s
}

// stage applies to each job what needs no look at the others.
type stage struct {
	p         *pipeline
	parts     parts
	of        sim.Source
	i         int
	first     float64
	estimates *rand.Rand
	shaping   []func(*sim.JobSpec) error
	others    []func(*sim.JobSpec) error
}

func (s *stage) Next(j *sim.JobSpec) (bool, error) {
	for s.i < s.p.before {
		if ok, err := s.next(j); !ok || err != nil {
			return ok, err
		}
	}
	return s.next(j)
}

func (s *stage) next(j *sim.JobSpec) (bool, error) {
	ok, err := s.of.Next(j)
	if !ok || err != nil {
		return ok, err
	}
	t := &s.p.t
	err = s.p.shape(j, s.shaping)
	if err == nil {
		err = apply(s.others, j)
	}
	if err != nil {
		return false, s.p.failed(j, err)
	}
	s.walltime(j)
	if t.ComputationFactor > 0 {
		j.Flops = j.RunTime * t.ComputationFactor
	}
	if t.CommunicationFactor > 0 {
		j.Bytes = j.RunTime * t.CommunicationFactor
	}
	if s.i == s.p.before {
		s.first = j.Submit
	}
	if s.p.shift {
		j.Submit -= s.first
	}
	j.Submit /= s.p.divisor
	if j.ReservedStart > 0 {
		if s.p.shift {
			j.ReservedStart -= s.first
		}
		j.ReservedStart /= s.p.divisor
	}
	if t.Submit == "zero" {
		j.Submit = 0
	}
	if t.RoundRobinHomes > 0 {
		j.Home = int32(s.i % t.RoundRobinHomes)
	}
	j.Part = s.parts.part(s.i-s.p.before, j.Submit)
	s.i++
	return true, nil
}

func (p *pipeline) shape(j *sim.JobSpec, passes []func(*sim.JobSpec) error) error {
	j.RunTime *= p.t.RunTimeFactor
	j.Walltime *= p.t.RunTimeFactor
	if p.t.SizeFactor != 1 {
		size := sized(j.Procs, p.t.SizeFactor)
		if size > math.MaxInt32 {
			return fmt.Errorf("size_factor %g makes its size %g; it must be at most %d", p.t.SizeFactor, size, math.MaxInt32)
		}
		if j.Request != nil && j.Request.Nodes > 0 {
			return fmt.Errorf("size_factor %g changes processors, and the job requests a number of nodes, which would stay; drop one of the two",
				p.t.SizeFactor)
		}
		j.Procs = int32(size)
	}
	return apply(passes, j)
}

// sized is a size after size_factor.
func sized(procs int32, factor float64) float64 { return max(1, math.Round(float64(procs)*factor)) }

func (p *pipeline) failed(j *sim.JobSpec, err error) error {
	return fmt.Errorf("%s: job %d: %w", p.info.Name, j.ID, err)
}

// offeredLoad is the load that the jobs of offered_load_of offer before their submit times
// are scaled. It sums in order of submission, but for offered_load_of: model.
func (p *pipeline) offeredLoad(procs int) (float64, error) {
	if procs <= 0 {
		return 0, fmt.Errorf("%s: workload.offered_load needs the number of processors, and neither the platform nor the workload states it; "+
			"add platform: {processors: N}, or use load_factor", p.info.Name)
	}
	if p.t.OfferedLoadOf == ofModel {
		return p.expectedLoad(procs)
	}
	shaping := p.passes(true, p.streams)
	var work, first, last float64
	if _, err := Each(p.loadJobs(), func(i int, j *sim.JobSpec) error {
		if err := p.shape(j, shaping); err != nil {
			return p.failed(j, err)
		}
		if i == 0 {
			first = j.Submit
		}
		last = j.Submit
		work += float64(j.Procs) * j.RunTime
		return nil
	}); err != nil {
		return 0, err
	}
	if !(last > first) || !(work > 0) {
		return 0, fmt.Errorf("%s: workload.offered_load cannot be met: the jobs' work is %g processor-seconds and their submissions span %g "+
			"s; both must be above 0", p.info.Name, work, last-first)
	}
	// The load is that of the jobs as they are; load_factor multiplies it.
	return work / (float64(procs) * (last - first)), nil
}

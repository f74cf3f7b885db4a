package oas

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/oas/solver"
)

// machine holds the platform as the solver sees it, and the running jobs.
type machine struct {
	solver.Problem
	running []held
}

// held is a job that runs.
type held struct {
	job  *sim.Job
	mode solver.Mode
	end  float64 // when it was expected to end at its start, in s
}

// mostSpreads is the number of spreads of a job over the clusters that are enumerated.
const mostSpreads = 50_000

// reset takes the platform, or refuses one on which a job can be spread in too many
// ways.
func (m *machine) reset(p *sim.Platform) error {
	*m = machine{running: m.running[:0]}
	for i := range p.Clusters {
		c := &p.Clusters[i]
		link := cmp.Or(c.Uplink.Bandwidth, math.Inf(1))
		m.Clusters = append(m.Clusters, solver.Cluster{Name: c.Name, Nodes: c.Procs(), Power: c.Speed, Link: link})
	}
	m.Slot = 1
	if n := m.Spreads(); n > mostSpreads {
		return fmt.Errorf("all ways to spread a job over the clusters are looked at, and platform %q has up to %.3g for one job, more than %d: "+
			"take fewer clusters, or smaller ones", p.Name, n, mostSpreads)
	}
	return nil
}

func task(j *sim.Job) solver.Job {
	return solver.Job{ID: j.ID(), Tasks: int(j.Procs()), Base: j.Walltime(), Sigma: 1 - j.Communication(), Bandwidth: j.Bandwidth()}
}

func (m *machine) start(s *sim.State, j *sim.Job, mode solver.Mode) {
	m.running = append(m.running, held{j, mode, s.Now() + mode.Time})
	s.StartCounts(j, mode.Counts)
}

// ended forgets j and returns its record.
func (m *machine) ended(j *sim.Job) held {
	i := slices.IndexFunc(m.running, func(h held) bool { return h.job == j })
	h := m.running[i]
	m.running = slices.Delete(m.running, i, i+1)
	return h
}

// has reports whether the mode's processors are free now.
func (m *machine) has(s *sim.State, mode *solver.Mode) bool {
	for c, n := range mode.Counts {
		if int(n) > s.FreeOn(c) {
			return false
		}
	}
	return true
}

// carries reports whether the links have room for the mode now.
func (m *machine) carries(mode *solver.Mode) bool {
	for c := range m.Clusters {
		load := mode.Load[c]
		for i := range m.running {
			load += m.running[i].mode.Load[c]
		}
		if mode.Load[c] > 0 && !solver.Fits(load, m.Clusters[c].Link) {
			return false
		}
	}
	return true
}

package simtest

import (
	"context"
	"fmt"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Failer is a test of either kind.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Machine is clusters of these numbers of nodes of one core.
func Machine(t Failer, nodes ...int) *sim.Platform {
	t.Helper()
	var cs []sim.Cluster
	for _, n := range nodes {
		cs = append(cs, sim.Cluster{Name: "c", Nodes: n, Cores: 1, Speed: 1})
	}
	p, err := sim.NewPlatform("test", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Machines are small machines of the kinds that policies distinguish.
func Machines() []*sim.Platform {
	var all []*sim.Platform
	for _, shape := range []struct {
		name  string
		nodes []int
		cores int
	}{
		{"one processor", []int{1}, 1},
		{"one cluster", []int{13}, 1},
		{"equal clusters", []int{4, 4, 4}, 1},
		{"unequal clusters", []int{2, 7, 4}, 1},
		{"nodes of two cores", []int{6}, 2},
		{"clusters of nodes of four cores", []int{2, 2}, 4},
	} {
		var cs []sim.Cluster
		for i, n := range shape.nodes {
			watts := float64(i + 1)
			cs = append(cs, sim.Cluster{Name: fmt.Sprint("c", i), Nodes: n, Cores: shape.cores, Speed: 1,
				Power: power.Node{Off: watts, Idle: 10 * watts, Busy: 17 * watts},
				Link:  sim.Link{Bandwidth: 1e9}, Backbone: sim.Link{Bandwidth: 1e10}})
		}
		p, err := sim.NewPlatform(shape.name, cs, sim.Link{Bandwidth: 1e10})
		if err != nil {
			panic(err)
		}
		all = append(all, p)
	}
	return all
}

// Uplinked is a platform of clusters of equal size with these uplinks in B/s.
func Uplinked(t testing.TB, nodes int, uplinks ...float64) *sim.Platform {
	t.Helper()
	var cs []sim.Cluster
	for i, b := range uplinks {
		cs = append(cs, sim.Cluster{Name: fmt.Sprint("c", i), Nodes: nodes, Cores: 1, Speed: 1, Uplink: sim.Link{Bandwidth: b}})
	}
	p, err := sim.NewPlatform("uplinked", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// PlayPlaced plays jobs under [Placed] and returns when they finish, by number.
func PlayPlaced(t testing.TB, p *sim.Platform, m sim.Progress, list []sim.JobSpec, counts map[int64][]int32) map[int64]float64 {
	t.Helper()
	var e sim.Engine
	got := Ends{}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: Source(list), Policy: &Placed{Counts: counts}, Progress: m,
			Observers: []sim.Observer{Watch(got)}}); err != nil {
		t.Fatal(err)
	}
	return got
}

// Placed is a policy that starts jobs in order of submission, each on the counts
// that its number names.
type Placed struct {
	Counts map[int64][]int32
	queue  []*sim.Job
}

func (p *Placed) Reset(*sim.State) error { p.queue = nil; return nil }

func (p *Placed) Submitted(_ *sim.State, j *sim.Job) { p.queue = append(p.queue, j) }

func (p *Placed) Ended(*sim.State, *sim.Job) {}

func (p *Placed) Pass(s *sim.State) {
	for len(p.queue) > 0 {
		j := p.queue[0]
		for c, n := range p.Counts[j.ID()] {
			if int(n) > s.FreeOn(c) {
				return
			}
		}
		s.StartCounts(j, p.Counts[j.ID()])
		p.queue = p.queue[1:]
	}
}

// Ends is an observer that notes when jobs finish, by job number.
type Ends map[int64]float64

func (Ends) Submitted(*sim.View, *sim.Job) {}

func (Ends) Started(*sim.View, *sim.Job) {}

func (e Ends) Ended(_ *sim.View, j *sim.Job) { e[j.ID()] = j.Finish() }

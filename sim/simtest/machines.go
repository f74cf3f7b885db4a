package simtest

import (
	"fmt"

	"schedsweep/sim"
)

// Failer is a test of either kind.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Machine is clusters of so many nodes of one core.
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
			cs = append(cs, sim.Cluster{Name: fmt.Sprint("c", i), Nodes: n, Cores: shape.cores, Speed: 1,
				Link: sim.Link{Bandwidth: 1e9}, Backbone: sim.Link{Bandwidth: 1e10}})
		}
		p, err := sim.NewPlatform(shape.name, cs, sim.Link{Bandwidth: 1e10})
		if err != nil {
			panic(err)
		}
		all = append(all, p)
	}
	return all
}

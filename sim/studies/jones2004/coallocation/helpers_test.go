package coallocation_test

import (
	"context"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/jones2004/coallocation"
)

// mbps is 1 Mbps in B/s.
const mbps = 1e6 / 8

// policy makes one of the package's policies; "" means a default.
func policy(t testing.TB, name, queue, backfilling string) sim.Policy {
	t.Helper()
	k, ok := sim.Policies.Get(name)
	if !ok {
		t.Fatalf("no policy %q", name)
	}
	params := k.Params.(coallocation.Params)
	if queue != "" {
		params.Queue = queue
	}
	if backfilling != "" {
		params.Backfilling = backfilling
	}
	p, err := k.New(&params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// grid returns a platform of clusters with 100 nodes and uplinks of 1000 Mbps each.
func grid(t testing.TB, clusters int) *sim.Platform {
	t.Helper()
	sizes := make([]int, clusters)
	for i := range sizes {
		sizes[i] = 100
	}
	return machine(t, sizes...)
}

// machine is clusters of these sizes with uplinks of 1000 Mbps.
func machine(t testing.TB, sizes ...int) *sim.Platform {
	t.Helper()
	var cs []sim.Cluster
	for _, n := range sizes {
		cs = append(cs, sim.Cluster{Name: "c", Nodes: n, Cores: 1, Speed: 1, Uplink: sim.Link{Bandwidth: 1000 * mbps}})
	}
	p, err := sim.NewPlatform("grid", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t testing.TB, cfg sim.Config) sim.Result {
	t.Helper()
	var e sim.Engine
	res, err := e.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

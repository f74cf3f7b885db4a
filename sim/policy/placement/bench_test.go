package placement_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/dutot2015/ptask"
)

// griffon is the platform of Dutot, Poquet and Trystram (2015): 8 clusters of
// 16 nodes.
func griffon(t testing.TB) *sim.Platform {
	t.Helper()
	cs := make([]sim.Cluster, 8)
	for i := range cs {
		cs[i] = sim.Cluster{Name: fmt.Sprint("c", i), Nodes: 16, Cores: 1, Speed: 286.097e3,
			Link: sim.Link{Bandwidth: 125e6, Latency: 24e-6, Sharing: sim.SplitDuplex}, Backbone: sim.Link{Bandwidth: 1.25e9}}
	}
	p, err := sim.NewPlatform("griffon-8x16", cs, sim.Link{Bandwidth: 1.25e9, Latency: 24e-6})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// curieLike draws 300 jobs as the experiment draws them from Curie's log. A third has size 1, nearly half size 16. They take one
// to four hours, come all at 0, and have walltimes a thousand times too long.
func curieLike(seed uint64, comm float64) []sim.JobSpec {
	r := rand.New(rand.NewPCG(2015, seed))
	specs := make([]sim.JobSpec, 300)
	for i := range specs {
		procs := int32(2 + r.IntN(14))
		switch u := r.Float64(); {
		case u < .32:
			procs = 1
		case u < .76:
			procs = 16
		}
		ret := float64(3600 + r.IntN(3*3600+1))
		specs[i] = sim.JobSpec{ID: int64(i + 1), RunTime: ret, Walltime: ret * 1e3, Procs: procs, Flops: ret * 1e6, Bytes: ret * comm}
	}
	return specs
}

// BenchmarkPtaskCBF runs instances of the homogeneous experiment one after
// another on one core, as a worker does: one engine, one policy and one model
// for all. Target: 4,000 instances under 10 s on 2 cores, so 200 instances/s
// and core at the least; 500 and more leaves room for everything else.
func BenchmarkPtaskCBF(b *testing.B) {
	var workloads [][]sim.JobSpec
	for seed := range uint64(20) {
		workloads = append(workloads, curieLike(seed, float64(seed%10)*4e7))
	}
	for _, order := range []string{"cbf2015", "default"} {
		for _, name := range placement.Names {
			b.Run(order+"/"+name, func(b *testing.B) { benchmarkRuns(b, order, name, workloads) })
		}
	}
}

func benchmarkRuns(b *testing.B, order, name string, workloads [][]sim.JobSpec) {
	var engine sim.Engine
	platform, policy := griffon(b), policy(b, name)
	model := ptask.New(ptask.Params{Sharing: "simgrid", Diagonal: true})
	events, err := sim.EventOrderByName(order)
	if err != nil {
		b.Fatal(err)
	}
	var source simtest.List
	once := func(i int) {
		source = workloads[i%len(workloads)]
		if _, err := engine.Run(context.Background(),
			sim.Config{Platform: platform, Source: &source, Policy: policy, Progress: model, Order: events, KillAtWalltime: true}); err != nil {
			b.Fatal(err)
		}
	}
	for i := range workloads {
		once(i) // grow all memory
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		once(i)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "instances/s")
}

package backfill_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// BenchmarkCurieVectors is EASY on 10,000 jobs of Curie on one machine, and on 5,040 nodes with memory on every job, in turn. Target: at
// most 4 times the CPU time. It is missed: a search for a place looks at each node.
func BenchmarkCurieVectors(b *testing.B) {
	jobs := curie(b)[100_000:110_000]
	vectors := slices.Clone(jobs)
	for i := range vectors {
		vectors[i].Partition, vectors[i].Request = 1, &sim.Request{Memory: int64(1+i%4) << 30}
	}
	var engines [2]sim.Engine
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range b.N {
		for k, on := range []*sim.Platform{simtest.Machine(b, curieProcs), thinNodes(b)} {
			p, of, began := policy(b, "easy", easyParams("fcfs")), [2][]sim.JobSpec{jobs, vectors}[k], cpuSeconds(b)
			if _, err := engines[k].Run(context.Background(), sim.Config{Platform: on, Policy: p, Progress: progress.Isolated{},
				Source: simtest.Source(of), KillAtWalltime: true, Requests: k == 1}); err != nil {
				b.Fatal(err)
			}
			least[k] = min(least[k], cpuSeconds(b)-began)
		}
	}
	b.ReportMetric(least[0], "cpu-s/plain")
	b.ReportMetric(least[1]/least[0], "ratio(target:4)")
}

// thinNodes are Curie's thin nodes, with 64 GiB each.
func thinNodes(b *testing.B) *sim.Platform {
	on, err := sim.NewPlatform("thin", []sim.Cluster{{Name: "thin", Nodes: 5040, Cores: 16, Memory: 64 << 30, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}})
	}
	if err != nil {
		b.Fatal(err)
	}
	return on
}

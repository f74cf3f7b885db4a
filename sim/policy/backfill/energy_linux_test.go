package backfill_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// BenchmarkCurieEnergy is EASY and conservative backfilling on 2,000 jobs of Curie's thin nodes: with a node class alone, and with
// power, a cap, nodes that are switched off after 10 min, and both, in turn. Target: at most 2 times the run with the node class alone.
// The cap alone meets it: 1.2 times. It is missed with nodes that are switched off: 13 times under EASY, and 10 under conservative
// backfilling; 16 and 60 with the cap. Under a cap, conservative backfilling looks at all waiting jobs again at each change of a node's
// state: five times each in this log, and 9 of 10 stay where they were, for 9 microseconds. If no node is ever idle for long enough,
// plans of sets cost 7.0 and 2.8 times. Boots and shutdowns cost the rest, about 9 and 23 microseconds each: for two changes of the plan,
// for searches around some 16 nodes on the way, and for the groups into which they divide the sets. The node class alone is planned by
// counts.
func BenchmarkCurieEnergy(b *testing.B) {
	jobs := curie(b)[100_000:102_000]
	for i := range jobs {
		jobs[i].Partition = 1
	}
	node := power.Node{Off: 10, Idle: 100, Busy: 300, Boot: power.Transition{Time: 120, Power: 200},
		Shutdown: power.Transition{Time: 30, Power: 150}}
	cap := &power.Cap{Watts: power.NewSteps([]float64{0}, []float64{5040 * 250}, math.Inf(1)), Ahead: true}
	off := power.SwitchOff{On: true, After: 600}
	machines := []struct {
		name string
		node power.Node
		cap  *power.Cap
		off  power.SwitchOff
	}{{"class", power.Node{}, nil, power.SwitchOff{}}, {"power", node, nil, power.SwitchOff{}}, {"cap", node, cap, power.SwitchOff{}},
		{"off", node, nil, off}, {"both", node, cap, off}}
	for name, params := range map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")} {
		b.Run(name, func(b *testing.B) {
			var engines [5]sim.Engine
			var least [5]float64
			for i := range b.N {
				for k, m := range machines {
					on, err := sim.NewPlatform("thin", []sim.Cluster{{Name: "thin", Nodes: 5040, Cores: 16, Speed: 1, Power: m.node}}, sim.Link{})
					if err == nil {
						err = on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}})
					}
					if err != nil {
						b.Fatal(err)
					}
					on.Cap, on.Off = m.cap, m.off
					began := cpuSeconds(b)
					if _, err := engines[k].Run(context.Background(), sim.Config{Platform: on, Policy: policy(b, name, params),
						Progress: progress.Isolated{}, Source: simtest.Source(jobs), KillAtWalltime: true}); err != nil {
						b.Fatal(err)
					}
					if took := cpuSeconds(b) - began; i == 0 || took < least[k] {
						least[k] = took
					}
				}
			}
			b.ReportMetric(least[0], "cpu-s/class")
			for k, m := range machines[1:] {
				b.ReportMetric(least[k+1]/least[0], "ratio/"+m.name)
			}
		})
	}
}

// BenchmarkOffGrowth is EASY and conservative backfilling where idle nodes are switched off: on more and more nodes with the same number of
// jobs, which grow with them, and with longer and longer queues. The plans do not depend on the number of nodes. The engine takes a tenth
// of a microsecond for each node of a job. Conservative backfilling looks at each waiting job after each early end.
func BenchmarkOffGrowth(b *testing.B) {
	for _, policies := range []string{"easy", "conservative"} {
		params := map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")}[policies]
		play := func(name string, nodes int, jobs []sim.JobSpec) {
			b.Run(policies+"/"+name, func(b *testing.B) {
				node := power.Node{Off: 10, Idle: 100, Busy: 300, Boot: power.Transition{Time: 120, Power: 200},
					Shutdown: power.Transition{Time: 30, Power: 150}}
				on, err := sim.NewPlatform("growing", []sim.Cluster{{Name: "n", Nodes: nodes, Cores: 1, Speed: 1, Power: node}}, sim.Link{})
				if err != nil {
					b.Fatal(err)
				}
				on.Off = power.SwitchOff{On: true, After: 600}
				var engine sim.Engine
				began := cpuSeconds(b)
				for range b.N {
					if _, err := engine.Run(context.Background(), sim.Config{Platform: on, Policy: policy(b, policies, params),
						Progress: progress.Isolated{}, Source: simtest.Source(jobs), KillAtWalltime: true}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((cpuSeconds(b)-began)*1e6/float64(b.N*len(jobs)), "cpu-us/job")
			})
		}
		for _, times := range []int{1, 10, 100} {
			jobs := bursts(10, false)[:2000]
			for i := range jobs {
				jobs[i].Procs *= int32(times)
			}
			play(fmt.Sprint(256*times, "-nodes"), 256*times, jobs)
		}
		for _, length := range []int{10, 100, 1000} {
			play(fmt.Sprint("queue-", length), 256, bursts(length, false)[:2000])
		}
	}
}

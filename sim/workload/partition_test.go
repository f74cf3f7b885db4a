package workload_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// divided is a machine of 8 processors in class a and 4 in b, with partitions of one class each.
func divided(t *testing.T, byDefault bool) *sim.Platform {
	p, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 4, Cores: 2, Speed: 1},
		{Name: "b", Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Divide([]sim.Partition{{Name: "big", Classes: []int{0}, Default: byDefault}, {Name: "small", Classes: []int{1}}}); err != nil {
		t.Fatal(err)
	}
	return p
}

// partitioned is a log of jobs of these processors and partitions.
func partitioned(jobs ...[2]int) string {
	var b strings.Builder
	for i, j := range jobs {
		fmt.Fprintf(&b, "%d %d -1 5 %d -1 -1 %d 10 -1 1 1 1 -1 1 %d -1 -1\n", i+1, i, j[0], j[0], j[1])
	}
	return b.String()
}

// TestPartitionsOfALog: jobs go where their partition leads, others to the default one, and jobs that are too large are counted there.
func TestPartitionsOfALog(t *testing.T) {
	in := withLog(1, parsed(t, partitioned([2]int{3, 1}, [2]int{5, 2}, [2]int{4, 2}, [2]int{8, 9}, [2]int{1, 7}, [2]int{1, 7})))
	in.Platform = divided(t, true)
	for rule, want := range map[string][2]string{
		"drop": {"1: 3 in 1, 3: 4 in 2, 4: 8 in 1, 5: 1 in 1, 6: 1 in 1",
			"1 dropped   size larger than the classes of partition small (the largest has 4 processors; too_large: drop): line 2"},
		"cap": {"1: 3 in 1, 2: 4 in 2, 3: 4 in 2, 4: 8 in 1, 5: 1 in 1, 6: 1 in 1",
			"1 repaired  size larger than the classes of partition small (the job gets all 4 processors): line 2"},
	} {
		w := make1(t, "swf", in, func(p *workload.LogParams) {
			p.Path, p.TooLarge = "l.swf", rule
			p.Partition = []workload.LogPartition{{Log: "1", To: "big"}, {Log: "2", To: "small"}}
		})
		var got []string
		var j sim.JobSpec
		for src := w.Source(); ; {
			more, err := src.Next(&j)
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
			got = append(got, fmt.Sprintf("%d: %d in %d", j.ID, j.Procs, j.Partition))
		}
		if d := cmp.Diff(want[0], strings.Join(got, ", ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", rule, d)
		}
		var report strings.Builder
		if err := w.Info().Hygiene.WriteText(&report); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{want[1], "3 kept      no entry in workload.partition (partitions 7 (2 jobs), 9 (1 job) of the log; the " +
			"default big takes them): lines 4, 5, 6"} {
			if !strings.Contains(report.String(), line) {
				t.Errorf("%s: no %q in\n%s", rule, line, report.String())
			}
		}
	}
}

func TestPartitionsAreRefused(t *testing.T) {
	in := withLog(1, parsed(t, partitioned([2]int{3, 1}, [2]int{5, 2}, [2]int{1, 7})))
	both := []workload.LogPartition{{Log: "1", To: "big"}, {Log: "2", To: "small"}}
	for want, c := range map[string]struct {
		on        *sim.Platform
		partition []workload.LogPartition
		tooLarge  string
	}{
		"partitions 7 (1 job) have no entry in workload.partition, and the platform has no default": {divided(t, false), both, "drop"},
		`workload.partition.1: platform.partitions has no partition "bigger"; it has big, small`: {divided(t, true),
			[]workload.LogPartition{{Log: "1", To: "bigger"}}, "drop"},
		`workload.partition.x: the log has no partition of the name "x"`: {divided(t, true), []workload.LogPartition{{Log: "x", To: "big"}}, "drop"},
		"workload.partition.3: no job of the log is in partition 3; its jobs are in 1, 2, 7: correct the number (field 16), or drop": {
			divided(t, true), append(both[:2:2], workload.LogPartition{Log: "3", To: "big"}), "drop"},
		"platform.partitions.small: no job can use this partition":                  {divided(t, true), both[:1], "drop"},
		"workload.partition.1: the platform has no partitions":                      {nil, both, "drop"},
		"job 2 needs 5 processors, and partition small has no class of more than 4": {divided(t, true), both, "error"},
	} {
		in.Platform = c.on
		_, err := tryMake(t, "swf", in, func(p *workload.LogParams) { p.Path, p.Partition, p.TooLarge = "l.swf", c.partition, c.tooLarge })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestRequestsThatNoJobStates: the hygiene report counts the jobs of a log that states no request for a resource of workload.requests.
func TestRequestsThatNoJobStates(t *testing.T) {
	in := withLog(1, parsed(t, partitioned([2]int{3, 1}, [2]int{1, 1})))
	on, err := sim.NewPlatform("m", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 2, Memory: 1 << 30, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	if err := on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}}); err != nil {
		t.Fatal(err)
	}
	in.Platform = on
	w := make1(t, "swf", in, func(p *workload.LogParams) { p.Path, p.Requests = "l.swf", []string{"memory"} })
	var report strings.Builder
	if err := w.Info().Hygiene.WriteText(&report); err != nil {
		t.Fatal(err)
	}
	const want = "2 kept      no request for memory (no job of the log states one, though workload.requests names it): lines 1, 2"
	if !strings.Contains(report.String(), want) || !strings.Contains(report.String(), "2 kept\n") {
		t.Errorf("no %q in\n%s", want, report.String())
	}
}

// TestRequestsOfGPUs: GPUs are on the nodes that the log states, also where jobs request no nodes, and else on one node.
func TestRequestsOfGPUs(t *testing.T) {
	in := withLog(1, parsed(t, "1 0 0 5 12 -1 -1 12 10 1024 1 1 1 -1 1 1 -1 -1 12 -1 all:3x4\n"+
		"2 0 0 5 3 -1 -1 3 10 1024 1 1 1 -1 1 1 -1 -1 2 -1 all\n3 0 0 5 9 -1 -1 9 10 1024 1 1 1 -1 1 1 -1 -1 -1 -1 all:3x3\n"))
	on, err := sim.NewPlatform("m", []sim.Cluster{{Name: "a", Nodes: 4, Cores: 4, GPUs: 4, Memory: 1 << 30, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	if err := on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}}); err != nil {
		t.Fatal(err)
	}
	in.Platform = on
	const mib = 1 << 20
	for _, c := range []struct {
		requests []string
		want     []sim.Request
	}{
		{[]string{"gpus"}, []sim.Request{{Nodes: 3, GPUs: 4}, {Nodes: 1, GPUs: 2}, {}}},
		{[]string{"nodes", "gpus"}, []sim.Request{{Nodes: 3, GPUs: 4}, {Nodes: 1, GPUs: 2}, {Nodes: 3}}},
		{[]string{"gpus", "memory"}, []sim.Request{{Nodes: 3, GPUs: 4, Memory: 4 * mib}, {Nodes: 1, GPUs: 2, Memory: 3 * mib}, {Memory: mib}}},
	} {
		w := make1(t, "swf", in, func(p *workload.LogParams) { p.Path, p.Requests = "l.swf", c.requests })
		var got []sim.Request
		for _, j := range drain(t, w.Source()) {
			got = append(got, sim.Request{})
			if j.Request != nil {
				got[len(got)-1] = *j.Request
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.requests, d)
		}
	}
}

package backfill_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// cpuSeconds returns the processor time of this process, in the kernel too: the kernel measures the sum, and estimates the parts.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// BenchmarkCurieClasses is EASY on Curie as one machine, as one class in one partition, and as three classes, in turn. Targets, as
// ratios of the least CPU times: one class 1.02, three classes 1.3.
func BenchmarkCurieClasses(b *testing.B) {
	jobs := curieJobs(b)
	for i := range jobs {
		if jobs[i].Partition > 1 && int(jobs[i].Procs) > curieClasses[jobs[i].Partition-1] {
			jobs[i].Partition = 1
		}
	}
	alone := slices.Clone(jobs)
	for i := range alone {
		alone[i].Partition = 0
	}
	machines := []*sim.Platform{simtest.Machine(b, 93312), classMachine(b, 0, 93312), classMachine(b, 0, curieClasses...)}
	var engines [3]sim.Engine
	least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for range b.N + 1 {
		for k, on := range machines {
			of := alone
			if k == 2 {
				of = jobs
			}
			began := cpuSeconds(b)
			if _, err := engines[k].Run(context.Background(), sim.Config{Platform: on, Policy: policy(b, "easy", easyParams("fcfs")),
				Progress: progress.Isolated{}, Source: simtest.Source(of)}); err != nil {
				b.Fatal(err)
			}
			least[k] = min(least[k], cpuSeconds(b)-began)
		}
	}
	b.ReportMetric(least[0], "cpu-s/one-machine")
	b.ReportMetric(least[1]/least[0], "ratio/one-class")
	b.ReportMetric(least[2]/least[0], "ratio/three-classes")
}

// BenchmarkCurieFailures is EASY on Curie's three classes without events, and with failures of single thin nodes: 4,000 h between failures
// of a node, 6 h of repair. Target, as the ratio of the least CPU times: 15. It is 12. Without events plans count processors, and a run
// takes 0.13 s. With failures they know which are free, by groups.
func BenchmarkCurieFailures(b *testing.B) {
	jobs := slices.DeleteFunc(curieJobs(b), func(j sim.JobSpec) bool { return int(j.Procs) > curieClasses[j.Partition-1] })
	r := rand.New(rand.NewPCG(32, 1))
	var down []sim.Outage
	for node := range int32(curieClasses[0] / 16) {
		for at := 4000 * 3600 * r.ExpFloat64(); at < jobs[len(jobs)-1].Submit; at += 4000 * 3600 * r.ExpFloat64() {
			o := sim.Outage{From: at, Until: at + 6*3600*r.ExpFloat64(), Procs: []sim.Span{{Lo: 16 * node, Hi: 16*node + 15}}}
			down, at = append(down, o), o.Until
		}
	}
	slices.SortFunc(down, func(a, b sim.Outage) int { return cmp.Compare(a.From, b.From) })
	var engines [2]sim.Engine
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range b.N + 1 {
		for k, failures := range []func(*sim.Outage) bool{nil, inTurn(down)} {
			began := cpuSeconds(b)
			if _, err := engines[k].Run(context.Background(), sim.Config{Platform: classMachine(b, 0, curieClasses...),
				Policy: policy(b, "easy", easyParams("fcfs")), Progress: progress.Isolated{}, Source: simtest.Source(jobs), KillAtWalltime: true,
				Failures: failures, Requeue: sim.Requeue{After: "node_fail", AtMost: 3}}); err != nil {
				b.Fatal(err)
			}
			least[k] = min(least[k], cpuSeconds(b)-began)
		}
	}
	b.ReportMetric(least[0], "cpu-s/no-events")
	b.ReportMetric(least[1]/least[0], "ratio/failures(target:15)")
}

// inTurn yields outages.
func inTurn(left []sim.Outage) func(*sim.Outage) bool {
	return func(o *sim.Outage) bool {
		if len(left) == 0 {
			return false
		}
		*o, left = left[0], left[1:]
		return true
	}
}

// BenchmarkCurieMixed is EASY on Curie's thin nodes, which two partitions share: both with whole nodes, and one with processors, in turn.
// Every second job is in each. Target, as the ratio of the least CPU times: 2.5. It is 1.8: the first plan counts processors, the second
// knows which are free, by groups.
func BenchmarkCurieMixed(b *testing.B) {
	jobs := slices.DeleteFunc(curieJobs(b), func(j sim.JobSpec) bool { return j.Partition > 1 || int(j.Procs) > curieClasses[0] })
	for i := range jobs {
		jobs[i].Partition += int32(i % 2)
	}
	var engines [2]sim.Engine
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range b.N + 1 {
		for k, whole := range []bool{true, false} {
			on, err := sim.NewPlatform("thin", []sim.Cluster{{Name: "thin", Nodes: 5040, Cores: 16, Speed: 1}}, sim.Link{})
			if err == nil {
				err = on.Divide([]sim.Partition{{Name: "standard", Classes: []int{0}, Whole: true}, {Name: "other", Classes: []int{0}, Whole: whole}})
			}
			if err != nil {
				b.Fatal(err)
			}
			began := cpuSeconds(b)
			if _, err := engines[k].Run(context.Background(), sim.Config{Platform: on, Policy: policy(b, "easy", easyParams("fcfs")),
				Progress: progress.Isolated{}, Source: simtest.Source(jobs), KillAtWalltime: true}); err != nil {
				b.Fatal(err)
			}
			least[k] = min(least[k], cpuSeconds(b)-began)
		}
	}
	b.ReportMetric(least[0], "cpu-s/whole")
	b.ReportMetric(least[1]/least[0], "ratio/mixed(target:2.5)")
}

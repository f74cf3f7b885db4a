package backfill_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/multifactor"
)

// orders are the kinds of priorities.
func orders() (all []backfill.Order) {
	for _, k := range backfill.Priorities.Kinds() {
		all = append(all, backfill.Order(k.Name))
	}
	return all
}

// TestEveryOrderKeepsTheContract runs the suite for the policies without a plan; TestGrid does for the others.
func TestEveryOrderKeepsTheContract(t *testing.T) {
	for _, o := range orders() {
		for name, params := range map[string]any{
			"queue": &backfill.Ordered{Order: o},
			"scan":  &backfill.Ordered{Order: o},
		} {
			t.Run(name+"/"+string(o), func(t *testing.T) {
				k, ok := sim.Policies.Get(name)
				if !ok {
					t.Fatalf("no policy %q", name)
				}
				contract.Test(t, name, params, k.New)
			})
		}
	}
}

// TestOrders lets one job hold a machine of 8 processors until time 1000 while
// four others come, and looks at the order in which these start one by one: all
// of them need more than half of the machine.
func TestOrders(t *testing.T) {
	spec := func(id int64, submit, wall float64, procs int32) sim.JobSpec {
		return sim.JobSpec{ID: id, Submit: submit, RunTime: wall, Walltime: wall, Procs: procs}
	}
	jobs := []sim.JobSpec{spec(0, 0, 1000, 8), spec(1, 10, 400, 5), spec(2, 20, 100, 8), spec(3, 500, 50, 7), spec(4, 900, 200, 6)}
	want := map[string][]int64{
		"fcfs":     {1, 2, 3, 4},
		"sjf":      {3, 2, 4, 1},
		"ljf":      {1, 4, 2, 3},
		"smallest": {1, 4, 3, 2},
		"largest":  {2, 3, 4, 1},
		// At 1000, (wait/walltime)^3 * processors: 75.8, 7529, 7000, 0.75. When 2
		// has ended at 1100 job 3 has 12096 and 1 has 101; 4 has 6 at 1150, 1 116.
		"wfp3": {2, 3, 1, 4},
		// wait / (log2(processors) * walltime), at 1000: 1.07, 3.27, 3.56, 0.19;
		// after 3, at 1050: 1 has 1.12, 2 has 3.43.
		"unicep": {3, 2, 1, 4},
		// log10(walltime)*processors + 870*log10(submit): 883, 1148, 2360, 2584.
		"f1": {1, 2, 3, 4},
		"f2": {1, 2, 3, 4},
		"f3": {1, 2, 3, 4},
		"f4": {1, 2, 3, 4},
		// All jobs are of one user: the order of submission.
		"fair-share": {1, 2, 3, 4},
		// 1000 * (1/8 + processors/8)/2: 375, 562, 500, 437; ages give less than 2.
		"multifactor": {2, 3, 4, 1},
	}
	for _, o := range orders() {
		starts := run(t, policy(t, "queue", &backfill.Ordered{Order: o}), "default", true, 8, jobs)
		var got []int64
		for len(got) < 4 {
			best, at := 0, math.Inf(1)
			for i := 1; i < len(jobs); i++ {
				if starts[i] < at {
					best, at = i, starts[i]
				}
			}
			starts[best] = math.Inf(1)
			got = append(got, int64(best))
		}
		if d := cmp.Diff(want[string(o)], got); d != "" {
			t.Errorf("%s: %s", string(o), d)
		}
	}
}

// TestLearnedOrdersWeighSize has f1 to f4 decide between jobs of one submit time
// by their formulas: r*n and r*sqrt(n) disagree here, as do the roots.
func TestLearnedOrdersWeighSize(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 0, RunTime: 10, Walltime: 10, Procs: 16},
		{ID: 1, Submit: 5, RunTime: 1000, Walltime: 1000, Procs: 9},
		{ID: 2, Submit: 5, RunTime: 600, Walltime: 600, Procs: 16},
	}
	// f1: 27.0 against 44.5; f2: 284.6, 391.9; f3: 9000, 9600; f4: 3000, 2400.
	for order, first := range map[backfill.Order]int{"f1": 1, "f2": 1, "f3": 1, "f4": 2} {
		starts := run(t, policy(t, "queue", &backfill.Ordered{Order: order}), "default", true, 16, jobs)
		if starts[first] != 10 || starts[3-first] <= 10 {
			t.Errorf("%s: starts %v, want job %d first", order, starts, first)
		}
	}
}

// TestSizeCountsNodesThatRunTheJob: job 2 gets two whole nodes of class b, 16 processors, as job 3. Class a is too small for it.
// Equal points keep the order of submission.
func TestSizeCountsNodesThatRunTheJob(t *testing.T) {
	on, err := sim.NewPlatform("ab", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 1, Speed: 1}, {Name: "b", Nodes: 3, Cores: 8, Speed: 1}},
		sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0, 1}, Whole: true, Default: true},
			{Name: "q", Classes: []int{1}, Whole: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	params := easyParams("multifactor").(*backfill.EasyParams)
	params.By.MultifactorParams = backfill.MultifactorParams{Weights: multifactor.Weights{Size: 1000}, MaxAge: 20, HalfLife: math.Inf(1),
		CalculatedEvery: 3}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 24}, {ID: 2, RunTime: 10, Walltime: 10, Procs: 9},
		{ID: 3, RunTime: 10, Walltime: 10, Procs: 16, Partition: 2}}
	if d := cmp.Diff([]float64{0, 10, 20}, runOn(t, policy(t, "easy", params), "default", true, on, jobs)); d != "" {
		t.Error(d)
	}
}

// TestSizesOfWholeNodesAreNotRounded: jobs 3 and 4 get half of the machine, 50 points, and have 100 of their age. Job 3
// requests one processor at first.
func TestSizesOfWholeNodesAreNotRounded(t *testing.T) {
	on, err := sim.NewPlatform("a", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 3, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Whole: true, Default: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	params := easyParams("multifactor").(*backfill.EasyParams)
	params.By.MultifactorParams = backfill.MultifactorParams{Weights: multifactor.Weights{Size: 100, Age: 100}, MaxAge: 5,
		HalfLife: math.Inf(1), CalculatedEvery: 3}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 30, Walltime: 30, Procs: 3}, {ID: 2, RunTime: 10, Walltime: 10, Procs: 3},
		{ID: 3, RunTime: 10, Walltime: 10, Procs: 1}, {ID: 4, RunTime: 10, Walltime: 10, Procs: 3}}
	if d := cmp.Diff([]float64{0, 0, 10, 20}, runOn(t, policy(t, "easy", params), "default", true, on, jobs)); d != "" {
		t.Error(d)
	}
}

// TestEqualUsageKeepsTheOrderOfSubmission has users 1 and 2 use as much at the same times. Usage decays and is looked at at different
// times, for user 1 also at 3. Job 3 was submitted before job 5. Users 4 and 5 use as much in one job as in two.
func TestEqualUsageKeepsTheOrderOfSubmission(t *testing.T) {
	order := backfill.InOrder("fair-share")
	order.By.FairShare.HalfLife = 30
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 2, Walltime: 2, Procs: 2, User: 2},
		{ID: 2, RunTime: 2, Walltime: 2, Procs: 2, User: 1},
		{ID: 3, RunTime: 1, Walltime: 1, Procs: 3, User: 2},
		{ID: 4, RunTime: 2, Walltime: 2, Procs: 4, User: 3},
		{ID: 5, Submit: 3, RunTime: 1, Walltime: 1, Procs: 3, User: 1},
		{ID: 6, Submit: 10, RunTime: 1, Walltime: 1, Procs: 2, User: 4},
		{ID: 7, Submit: 10, RunTime: 4, Walltime: 4, Procs: 2, User: 5},
		{ID: 8, Submit: 11, RunTime: 3, Walltime: 3, Procs: 2, User: 4},
		{ID: 9, Submit: 12, RunTime: 1, Walltime: 1, Procs: 4, User: 4},
		{ID: 10, Submit: 13, RunTime: 1, Walltime: 1, Procs: 4, User: 5},
	}
	want := []float64{0, 0, 4, 2, 5, 10, 10, 11, 14, 15}
	if d := cmp.Diff(want, run(t, policy(t, "queue", &order), "default", true, 4, jobs)); d != "" {
		t.Error(d)
	}
}

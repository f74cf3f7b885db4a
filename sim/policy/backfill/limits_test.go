package backfill_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// oneJobOfUser0 is a limit.
var oneJobOfUser0 = backfill.Bounded{Limits: []backfill.Limit{{Of: backfill.Who{User: "0"}, Running: backfill.Most{Jobs: 1},
	Otherwise: "hold"}}}

// TestHeldHeadBlocksNobody has job 2 wait at the head for all four processors. Job 3 of its user starts at 2, and the limit holds job 2
// from then on. So job 4 starts at 2 as well, though it runs beyond 10, when job 2 could have started. Job 2 starts when job 4 ends.
func TestHeldHeadBlocksNobody(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 2, User: 1},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 4},
		{ID: 3, Submit: 2, RunTime: 3, Walltime: 3, Procs: 1},
		{ID: 4, Submit: 2, RunTime: 20, Walltime: 20, Procs: 1, User: 1},
	}
	shared := simtest.Machine(t, 4) // by two partitions, so that EasyHeads has it
	if err := shared.Divide([]sim.Partition{{Name: "a", Classes: []int{0}, Default: true}, {Name: "b", Classes: []int{0}}}); err != nil {
		t.Fatal(err)
	}
	inParts := make([]sim.JobSpec, len(jobs))
	for i, j := range jobs {
		j.Partition = 1
		inParts[i] = j
	}
	for _, placement := range []string{"any", "basic"} {
		params := &backfill.EasyParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: placement}, Rules: "plain",
			Bounded: oneJobOfUser0}
		want := []float64{0, 22, 2, 2}
		if d := cmp.Diff(want, run(t, policy(t, "easy", params), "default", true, 4, jobs)); d != "" {
			t.Errorf("%s: %s", placement, d)
		}
		if d := cmp.Diff(want, runOn(t, policy(t, "easy", params), "default", true, shared, inParts)); d != "" {
			t.Errorf("%s, partitions: %s", placement, d)
		}
	}
}

// TestHeldHeadBlocksNobodyElsewhere is the same where job 3 runs on other nodes, which no job of the others may use.
func TestHeldHeadBlocksNobodyElsewhere(t *testing.T) {
	classes := []sim.Cluster{{Name: "a", Nodes: 4, Cores: 1, Speed: 1}, {Name: "b", Nodes: 4, Cores: 1, Speed: 1}}
	on, err := sim.NewPlatform("two", classes, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	if err := on.Divide([]sim.Partition{{Name: "a", Classes: []int{0}, Default: true}, {Name: "b", Classes: []int{1}}}); err != nil {
		t.Fatal(err)
	}
	for _, main := range []int32{1, 2} { // partitions pass in their order
		jobs := []sim.JobSpec{
			{ID: 1, RunTime: 10, Walltime: 10, Procs: 2, User: 1, Partition: main},
			{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 4, Partition: main},
			{ID: 3, Submit: 2, RunTime: 3, Walltime: 3, Procs: 1, Partition: 3 - main},
			{ID: 4, Submit: 2, RunTime: 20, Walltime: 20, Procs: 1, User: 1, Partition: main},
		}
		params := &backfill.EasyParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: "any"}, Rules: "plain",
			Bounded: oneJobOfUser0}
		if d := cmp.Diff([]float64{0, 22, 2, 2}, runOn(t, policy(t, "easy", params), "default", true, on, jobs)); d != "" {
			t.Errorf("partition %d: %s", main, d)
		}
	}
}

// TestReleasedJobsWaitOnce has a limit hold job 2 until job 1 ends at 10. Jobs 3 and 4 have the machine by then, and run past their
// walltimes. Each pass plans anew meanwhile, and job 2 has one place in the plan: it starts when job 3 ends at 30.
func TestReleasedJobsWaitOnce(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 10, Walltime: 10, Procs: 1},
		{ID: 2, RunTime: 5, Walltime: 5, Procs: 1},
		{ID: 3, RunTime: 30, Walltime: 20, Procs: 1, User: 1},
		{ID: 4, RunTime: 40, Walltime: 10, Procs: 1, User: 1},
	}
	params := &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: "any"}, Rules: "plain",
		Bounded: oneJobOfUser0}
	got := run(t, policy(t, "conservative", params), "default", false, 2, jobs)
	if d := cmp.Diff([]float64{0, 30, 0, 10}, got); d != "" {
		t.Error(d)
	}
}

// TestLimitsCountOverruns has job 1 run past its walltime from 4 to 5. Job 2 of its user is expected to start at the next moment, and
// the limit admits it when job 1 ends. It keeps its reservation meanwhile, so that job 3 does not overtake it.
func TestLimitsCountOverruns(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 5, Walltime: 4, Procs: 1},
		{ID: 2, RunTime: 2, Walltime: 2, Procs: 2},
		{ID: 3, Submit: 1, RunTime: 6, Walltime: 6, Procs: 1, User: 1},
	}
	for _, placement := range []string{"any", "basic"} {
		params := &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: placement},
			Rules: "plain", Bounded: oneJobOfUser0}
		got := run(t, policy(t, "conservative", params), "default", false, 2, jobs)
		if d := cmp.Diff([]float64{0, 5, 7}, got); d != "" {
			t.Errorf("placement %s: %s", placement, d)
		}
	}
}

// TestLimitsCountEndsOfTheInstant submits job 5 when job 3 is due and job 2 ends. Where submissions come first, job 2 counts no more when
// the limit on its user is tested for job 3, as without job 5.
func TestLimitsCountEndsOfTheInstant(t *testing.T) {
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 2, Walltime: 2, Procs: 2, User: 2},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 1},
		{ID: 3, Submit: 1, RunTime: 3, Walltime: 3, Procs: 2},
		{ID: 4, Submit: 3, RunTime: 6, Walltime: 6, Procs: 1, User: 2},
		{ID: 5, Submit: 7, RunTime: 1, Walltime: 1, Procs: 1, User: 3},
	}
	for _, order := range []string{"default", "pyss"} {
		for _, placement := range []string{"any", "basic"} {
			params := &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: placement},
				Rules: "plain", Bounded: oneJobOfUser0}
			got := run(t, policy(t, "conservative", params), order, true, 2, jobs)
			if d := cmp.Diff([]float64{0, 2, 7, 10, 10}, got); d != "" {
				t.Errorf("%s, placement %s: %s", order, placement, d)
			}
		}
	}
}

// TestWholeNodesCountTheirGPUs bounds GPUs where no job requests any: jobs on whole nodes have those of the nodes, one job at a time.
func TestWholeNodesCountTheirGPUs(t *testing.T) {
	on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 2, GPUs: 3, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Whole: true, Default: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 9, Walltime: 9, Procs: 1, Partition: 1}, {ID: 2, RunTime: 9, Walltime: 9, Procs: 1, Partition: 1}}
	params := &backfill.EasyParams{Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: "any"}, Rules: "plain",
		Bounded: backfill.Bounded{Limits: []backfill.Limit{{Running: backfill.Most{GPUs: 5}, Otherwise: "hold"}}}}
	if d := cmp.Diff([]float64{0, 9}, runOn(t, policy(t, "easy", params), "default", true, on, jobs)); d != "" {
		t.Error(d)
	}
}

// TestLimitsCountByClass bounds processors to 2. On whole nodes a job of 2 gets 4 on class a, which its partition prefers, and 2 on class
// b. So the limit admits it on b alone, and one job at a time.
func TestLimitsCountByClass(t *testing.T) {
	on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 4, Memory: 9, Speed: 1},
		{Name: "b", Nodes: 4, Cores: 1, Memory: 9, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0, 1}, Whole: true, Default: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []*sim.Request{nil, {Memory: 1}} {
		jobs := []sim.JobSpec{{ID: 1, RunTime: 9, Walltime: 9, Procs: 2, Partition: 1, Request: ask},
			{ID: 2, Submit: 1, RunTime: 9, Walltime: 9, Procs: 2, Partition: 1, Request: ask}}
		for otherwise, want := range map[string]string{"hold": "[{1 0 1} {2 9 1}]", "reject": "[{1 0 1}]"} {
			for _, name := range []string{"easy", "conservative"} {
				bounded := backfill.Bounded{Limits: []backfill.Limit{{Running: backfill.Most{Cores: 2}, Otherwise: otherwise}}}
				params := map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")}[name]
				if easy, is := params.(*backfill.EasyParams); is {
					easy.Bounded = bounded
				} else {
					params.(*backfill.ConservativeParams).Bounded = bounded
				}
				got := &startLog{}
				if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Requests: ask != nil,
					Policy: policy(t, name, params), Progress: progress.Isolated{}, Observers: []sim.Observer{got}, KillAtWalltime: true}); err != nil {
					t.Fatal(err)
				}
				if sortStarts(got.starts); fmt.Sprint(got.starts) != want {
					t.Errorf("%s, %s, request %v: %v, want %s", name, otherwise, ask, got.starts, want)
				}
			}
		}
	}
}

// TestPlacesOutlastLimits has job 3 wait for class b from 10 s on, with all 3 processors of its user. From 2 to 7 s job 4 of that user has
// one. At 4 s job 5 ends early. Job 3 then has no other place than the one on class a at 100 s, and keeps its place.
func TestPlacesOutlastLimits(t *testing.T) {
	on, err := sim.NewPlatform("three", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 1, Speed: 1}, {Name: "b", Nodes: 1, Cores: 3, Speed: 1},
		{Name: "c", Nodes: 2, Cores: 1, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0, 1}, Whole: true, Default: true}, {Name: "q", Classes: []int{2}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 3, User: 1, Partition: 1},
		{ID: 2, RunTime: 100, Walltime: 100, Procs: 1, User: 2, Partition: 1},
		{ID: 5, RunTime: 4, Walltime: 50, Procs: 1, User: 5, Partition: 2},
		{ID: 3, Submit: 1, RunTime: 30, Walltime: 30, Procs: 1, Partition: 1},
		{ID: 4, Submit: 2, RunTime: 5, Walltime: 5, Procs: 1, Partition: 2}}
	for _, placement := range []string{"any", "contiguous", "requests"} {
		params := conservativeParams("fcfs").(*backfill.ConservativeParams)
		params.Limits = []backfill.Limit{{Each: "user", Running: backfill.Most{Cores: 3}, Otherwise: "hold"}}
		if placement != "requests" {
			params.Placement = placement
		}
		got := &startLog{}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs),
			Requests: placement == "requests", Policy: policy(t, "conservative", params), Progress: progress.Isolated{},
			Observers: []sim.Observer{got}, KillAtWalltime: true}); err != nil {
			t.Fatal(err)
		}
		if sortStarts(got.starts); fmt.Sprint(got.starts) != "[{1 0 1} {2 0 0} {5 0 2} {4 2 2} {3 10 1}]" {
			t.Errorf("%s: %v", placement, got.starts)
		}
	}
}

// TestLimitsOfOneUserRefuseNoOther has jobs 4 and 5 alike wait where a node is off. A limit keeps job 4 off the class with a free node, and
// not job 5 of another user, which starts there at once.
func TestLimitsOfOneUserRefuseNoOther(t *testing.T) {
	node := power.Node{Off: 1, Idle: 10, Busy: 30, Boot: power.Transition{Time: 20, Power: 25}, Shutdown: power.Transition{Time: 3, Power: 15}}
	on, err := sim.NewPlatform("three", []sim.Cluster{{Name: "thin", Nodes: 1, Cores: 2, Speed: 1, Power: node},
		{Name: "large", Nodes: 2, Cores: 4, Speed: 1, Power: node}, {Name: "off", Nodes: 3, Cores: 1, Speed: 1, Power: node}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0, 1}, Whole: true, Default: true},
			{Name: "q", Classes: []int{1, 2}, Whole: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	on.Off = power.SwitchOff{On: true, After: 10, Keep: 2}
	jobs := []sim.JobSpec{
		{ID: 1, RunTime: 1000, Walltime: 1000, Procs: 2, User: 1, Partition: 1},
		{ID: 2, RunTime: 1000, Walltime: 1000, Procs: 4, User: 1, Partition: 1},
		{ID: 3, Submit: 100, RunTime: 100, Walltime: 100, Procs: 8, User: 1, Partition: 1},
		{ID: 4, Submit: 100, RunTime: 50, Walltime: 50, Procs: 2, Partition: 1},
		{ID: 5, Submit: 100, RunTime: 50, Walltime: 50, Procs: 2, User: 1, Partition: 1},
	}
	params := easyParams("fcfs").(*backfill.EasyParams)
	params.Limits = []backfill.Limit{{Of: backfill.Who{User: "0"}, Running: backfill.Most{Cores: 2}, Otherwise: "hold"}}
	if d := cmp.Diff([]float64{0, 0, 1000, 1000, 100}, runOn(t, policy(t, "easy", params), "default", true, on, jobs)); d != "" {
		t.Error(d)
	}
}

// TestLimitsHaveAVersion: rows with limits have other ids since the rules of limits changed, and no others do.
func TestLimitsHaveAVersion(t *testing.T) {
	easy := backfill.EasyParams{}
	without := easy.Version()
	easy.Limits = []backfill.Limit{{Each: "user"}, {Each: "qos"}}
	if without != 0 || easy.Version() != 5 {
		t.Errorf("versions %d and %d, want 0 and 5", without, easy.Version())
	}
}

// TestHeldJobsEndWithTheRest has nodes fail for ever. A limit never admits job 2. It is given up when nothing else runs, and the run ends.
func TestHeldJobsEndWithTheRest(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 1, RunTime: 9, Walltime: 9, Procs: 1}, {ID: 2, RunTime: 9, Walltime: 9, Procs: 3},
		{ID: 3, Submit: 50, RunTime: 9, Walltime: 9, Procs: 1}}
	params := easyParams("fcfs").(*backfill.EasyParams)
	params.Limits = []backfill.Limit{{Running: backfill.Most{Cores: 2}, Otherwise: "hold"}}
	at := 0.
	res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(jobs),
		Policy: policy(t, "easy", params), Progress: progress.Isolated{}, KillAtWalltime: true, MaxEvents: 1000,
		Failures: func(next *sim.Outage) bool {
			at += 20
			*next = sim.Outage{Procs: []sim.Span{{Lo: 3, Hi: 3}}, From: at, Until: at + 5}
			return true
		}})
	if err != nil || res.Finished != 2 || res.End > 80 {
		t.Errorf("%+v, %v; want 2 jobs that end by 59 s", res, err)
	}
}

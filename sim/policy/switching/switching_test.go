package switching_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/policy/switching"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/jones2004/coallocation"
)

type outcome struct {
	Start, Finish float64
	State, Alloc  string
}

// outcomes is an observer.
type outcomes map[int64]outcome

func (outcomes) Submitted(*sim.View, *sim.Job) {}
func (outcomes) Started(*sim.View, *sim.Job)   {}
func (o outcomes) Ended(_ *sim.View, j *sim.Job) {
	if j.State() == sim.Rejected {
		o[j.ID()] = outcome{State: j.State().String()}
		return
	}
	o[j.ID()] = outcome{j.Start(), j.Finish(), j.State().String(), fmt.Sprint(j.Alloc().Counts)}
}

func policy(t testing.TB, name, queue, backfilling string) sim.Policy {
	t.Helper()
	k, ok := sim.Policies.Get(name)
	if !ok {
		t.Fatalf("no policy %q", name)
	}
	p, err := k.New(&coallocation.Params{Queue: queue, Backfilling: backfilling}, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func switched(t testing.TB, stages ...switching.Stage) sim.Policy {
	t.Helper()
	p, err := switching.New(stages)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func play(t testing.TB, p sim.Policy, m *sim.Platform, list []sim.JobSpec) outcomes {
	t.Helper()
	var e sim.Engine
	got, books := outcomes{}, audit.New(m)
	_, err := e.Run(context.Background(), sim.Config{Platform: m, Policy: p, Progress: progress.Isolated{}, Source: simtest.Source(list),
		Observers: []sim.Observer{simtest.Watch(got), books}})
	if err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatal(err)
	}
	return got
}

// Two clusters of 4. Until 10 s every job runs at home, then anywhere; jobs that
// are submitted at 10 s are the new policy's already. From 20 s on, at home.
func TestSwitchesByHand(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, RunTime: 30, Walltime: 30, Procs: 3},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 5, Procs: 3},  // waits at home, migrates at 10 s
		{ID: 3, Submit: 10, RunTime: 2, Walltime: 2, Procs: 2}, // fits on both clusters together
		{ID: 4, Submit: 16, RunTime: 9, Walltime: 9, Procs: 5}, // on both clusters
		{ID: 5, Submit: 17, RunTime: 1, Walltime: 1, Procs: 4}, // waits for 4 processors at home until 30 s
		{ID: 6, Submit: 18, RunTime: 1, Walltime: 1, Procs: 6}, // can never run at home
		{ID: 7, Submit: 19, RunTime: 1, Walltime: 1, Procs: 4, Home: 1},
	}
	got := play(t, switched(t,
		switching.Stage{Policy: policy(t, "no-sharing", "global", "scan")},
		switching.Stage{From: 10, Policy: policy(t, "co-allocation", "global", "easy")},
		switching.Stage{From: 20, Policy: policy(t, "no-sharing", "global", "easy")},
	), simtest.Machine(t, 4, 4), list)
	want := outcomes{
		1: {0, 30, "finished", "[3 0]"},
		2: {10, 15, "finished", "[0 3]"},
		3: {10, 12, "finished", "[1 1]"},
		4: {16, 25, "finished", "[1 4]"},
		5: {30, 31, "finished", "[4 0]"},
		6: {State: "rejected"},
		7: {25, 26, "finished", "[0 4]"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSwitchToTheSame: a policy that takes over from itself changes nothing, for neither
// has anything to remember but the running and the waiting jobs. A switch brings a pass, in which time alone may admit a job under
// EASY where others have outlived their walltimes. The policy alone is woken at the same times.
func TestSwitchToTheSame(t *testing.T) {
	for _, name := range []string{"no-sharing", "migration-only", "co-allocation"} {
		for _, queue := range []string{"global", "per-cluster"} {
			for _, backfilling := range []string{"scan", "easy"} {
				t.Run(fmt.Sprint(name, "/", queue, "/", backfilling), func(t *testing.T) {
					a, b := policy(t, name, queue, backfilling), policy(t, name, queue, backfilling)
					rapid.Check(t, func(rt *rapid.T) {
						m := simtest.Machine(t, rapid.SliceOfN(rapid.IntRange(1, 10), 1, 4).Draw(rt, "clusters")...)
						list := drawn(rt, m)
						first := rapid.Float64Range(.5, 50).Draw(rt, "first")
						second := first + rapid.Float64Range(.5, 50).Draw(rt, "then")
						p := switched(t, switching.Stage{Policy: a}, switching.Stage{From: first, Policy: b}, switching.Stage{From: second, Policy: a})
						if diff := cmp.Diff(play(t, awake{a, []float64{first, second}}, m, list), play(t, p, m, list)); diff != "" {
							rt.Fatalf("switching changes the schedule:\n%s", diff)
						}
					})
				})
			}
		}
	}
}

// awake is a policy that is woken at these times, so that it has passes then.
type awake struct {
	sim.Policy
	at []float64
}

func (p awake) Reset(s *sim.State) error {
	for _, at := range p.at {
		s.WakeAt(at)
	}
	return p.Policy.Reset(s)
}

func (awake) Woken(*sim.State) {}

func drawn(t *rapid.T, p *sim.Platform) []sim.JobSpec {
	var list []sim.JobSpec
	submit := 0.0
	for id := range rapid.IntRange(1, 150).Draw(t, "jobs") {
		submit += max(0, float64(rapid.IntRange(-6, 3).Draw(t, "gap")))
		run := float64(rapid.IntRange(0, 9).Draw(t, "run"))
		list = append(list, sim.JobSpec{ID: int64(id + 1), Submit: submit, RunTime: run,
			Walltime: max(1, run+float64(rapid.IntRange(-3, 9).Draw(t, "loose"))),
			Procs:    int32(rapid.IntRange(1, p.Procs()).Draw(t, "procs")), Home: int32(rapid.IntRange(0, len(p.Clusters)-1).Draw(t, "home")),
			User: -1})
	}
	return list
}

func TestContract(t *testing.T) {
	contract.Test(t, "switching", nil, func(any, sim.Env) (sim.Policy, error) {
		return switching.New([]switching.Stage{
			{Policy: policy(t, "no-sharing", "per-cluster", "easy")},
			{From: 6, Policy: policy(t, "co-allocation", "global", "easy")},
			{From: 17.5, Policy: policy(t, "migration-only", "per-cluster", "scan")},
		})
	})
}

// TestLimitsAreRefused: a policy that takes over has no counts of the jobs that run already.
func TestLimitsAreRefused(t *testing.T) {
	fcfs, limited := candidate{name: "fcfs"}, candidate{name: "conservative", params: &backfill.ConservativeParams{
		Ordered: backfill.InOrder("fcfs"), Placed: backfill.Placed{Placement: "any"}, Rules: "plain",
		Bounded: backfill.Bounded{Limits: []backfill.Limit{{Running: backfill.Most{Jobs: 1}}}}}}
	list := []sim.JobSpec{{ID: 1, RunTime: 5, Walltime: 5, Procs: 2}, {ID: 2, RunTime: 5, Walltime: 5, Procs: 2}}
	_, err := watched(t, then(t, 3, fcfs, limited), simtest.Machine(t, 4), true, sim.EventOrder{}, list)
	if want := "stages[1] (conservative) has limits or a shift"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// stubborn is a policy that cannot take over.
type stubborn struct{ sim.Policy }

func TestPhasesThatMakeNoSense(t *testing.T) {
	good := policy(t, "co-allocation", "global", "scan")
	type stages = []switching.Stage
	for want, ps := range map[string]stages{
		"stages are none": nil,
		"stages[0].from is 5 s, and the first policy decides from 0 on": {{From: 5, Policy: good}},
		"stages[2].from is 7 s, not after the stage before": {{Policy: good}, {From: 7, Policy: good},
			{From: 7, Policy: good}},
		"stages[1].from is NaN s, not after": {{Policy: good},
			{From: math.NaN(), Policy: good}},
		"stages[1].from is never": {{Policy: good},
			{From: math.Inf(1), Policy: good}},
		"stages[1].kind is stubborn, which cannot be one stage of several, because it cannot take over running jobs": {{Policy: good},
			{From: 7, Name: "stubborn", Policy: stubborn{}}},
		"stages[0].kind is stubborn, which cannot be one stage of several": {{Name: "stubborn", Policy: stubborn{}}, {From: 7, Policy: good}},
	} {
		if _, err := switching.New(ps); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Parameters are refused field by field.
func TestParamsThatMakeNoSense(t *testing.T) {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: "stubborn", Params: struct{}{}, New: func(any, sim.Env) (sim.Policy, error) {
		return stubborn{}, nil
	}})
	p := &switching.Params{Stages: []switching.StageParams{
		{From: 1, Policy: switching.Choice{Kind: "fcfs"}},
		{From: 3, Policy: switching.Choice{Kind: "stubborn"}},
		{From: 2, Policy: switching.Choice{Kind: "fcfs"}},
		{From: 9, Policy: switching.Choice{Kind: "nowhere"}},
		{From: 10, Policy: switching.Choice{Kind: "easy", Params: &backfill.EasyParams{Ordered: backfill.Ordered{Order: "lottery"}}}},
	}}
	got := map[string]string{}
	p.Validate(func(field, message string) { got[field] = message })
	want := map[string]string{
		"stages[0].from": "is 1 s, and the first policy decides from 0 on; write 0",
		"stages[1].kind": "is stubborn, which cannot be one stage of several, because it cannot take over running jobs from another policy and " +
			"leave none suspended",
		"stages[2].from": "is 2 s, not after the stage before, which begins at 3 s; write stages in order of time",
		"stages[3]":      `cannot be made: policy kind "nowhere" is not registered`,
		"stages[4]":      `cannot be made: policy easy: unknown queue order "lottery"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	(&switching.Params{}).Validate(func(field, message string) {
		if field != "stages" || !strings.Contains(message, "are none") {
			t.Errorf("%s: %s", field, message)
		}
	})
	k, ok := sim.Policies.Get("switch")
	if !ok {
		t.Fatal("no policy switch")
	}
	if _, err := k.New(p, sim.Env{}); err == nil || !strings.Contains(err.Error(), "stages[3]") {
		t.Errorf("error %v", err)
	}
}

// careless is a successor that breaks its promises: it leaves a job suspended,
// or refuses in the middle of a run what it accepted before.
type careless struct {
	queue.FCFS
	preempts bool
	running  *sim.Job
	closed   int
}

func (c *careless) Close() error { c.closed++; return nil }

func (c *careless) Submitted(s *sim.State, j *sim.Job) {
	c.FCFS.Submitted(s, j)
	c.running = j
}

func (c *careless) Ended(s *sim.State, j *sim.Job) {
	if c.preempts && c.running.State() == sim.Running {
		s.Preempt(c.running)
	}
}

func (c *careless) Reset(s *sim.State) error {
	if s.Now() > 0 && !c.preempts {
		return errors.New("not in the mood")
	}
	return c.FCFS.Reset(s)
}

func TestBrokenPromises(t *testing.T) {
	first, second := &careless{preempts: true}, &careless{}
	list := []sim.JobSpec{{ID: 1, RunTime: 2, Walltime: 2, Procs: 1}, {ID: 2, RunTime: 50, Walltime: 50, Procs: 1}}
	for want, stages := range map[string][]switching.Stage{
		"at 5 s: stages[0] (careless) left 1 job suspended": {{Name: "careless", Policy: first}, {From: 5, Name: "fcfs", Policy: &queue.FCFS{}}},
		"at 5 s: stages[1] (careless): not in the mood": {{Name: "fcfs", Policy: &queue.FCFS{}},
			{From: 5, Name: "careless", Policy: second}},
	} {
		if _, err := watched(t, switched(t, stages...), simtest.Machine(t, 4), true, sim.EventOrders[0], list); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if first.closed != 1 || second.closed != 1 {
		t.Errorf("at the ends of the runs the stages were closed %d and %d times", first.closed, second.closed)
	}
}

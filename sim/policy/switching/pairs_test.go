package switching_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/switching"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/jones2004/coallocation"
)

// candidate is a policy that can be a stage.
type candidate struct {
	name   string
	params any
	counts bool // which processors a job gets does not matter to it
}

func (c candidate) String() string { return fmt.Sprint(c.name, c.params) }

// candidates are all families of successors with every way to keep their books.
func candidates() []candidate {
	all := []candidate{
		{"fcfs", nil, true},
		{"first-fit", nil, true},
		{"queue", &backfill.Ordered{Order: "sjf"}, true},
		{"queue", &backfill.Ordered{Order: "wfp3"}, true},
		{"scan", &backfill.Ordered{Order: "largest"}, true},
		{"easy", &backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Rules: sim.RulesOfOrder,
			Placed: backfill.Placed{Placement: "any"}}, true},
		{"easy", &backfill.EasyParams{Ordered: backfill.Ordered{Order: "unicep"}, Rules: sim.RulesOfOrder,
			Placed: backfill.Placed{Placement: "any"}}, true},
		{"conservative", &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: "any"},
			Rules: sim.RulesOfOrder}, true},
		{"conservative", &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "smallest"}, Placed: backfill.Placed{Placement: "any"},
			Rules: sim.RulesOfOrder}, true},
		{"easy", &backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Rules: "plain", Placed: backfill.Placed{Placement: "any"},
			Planning: backfill.Planning{Every: 4}}, true},
		{"no-sharing", &coallocation.Params{Queue: "per-cluster", Backfilling: "easy"}, true},
		{"migration-only", &coallocation.Params{Queue: "global", Backfilling: "scan"}, true},
		{"co-allocation", &coallocation.Params{Queue: "global", Backfilling: "easy"}, true},
	}
	for _, name := range placement.Names {
		all = append(all, candidate{"conservative",
			&backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: name},
				Rules: sim.RulesOfOrder}, false}, candidate{"easy",
			&backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: name}, Rules: "plain"}, false})
	}
	return all
}

// alone makes the policy.
func (c candidate) alone(t testing.TB) sim.Policy {
	t.Helper()
	k, ok := sim.Policies.Get(c.name)
	if !ok {
		t.Fatalf("no policy %s", c.name)
	}
	p, err := k.New(c.params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// then makes the policy that is succeeded by others, by way of the kind switch.
func then(t testing.TB, from float64, stages ...candidate) sim.Policy {
	t.Helper()
	params := &switching.Params{}
	for i, c := range stages {
		params.Stages = append(params.Stages, switching.StageParams{From: float64(i) * from,
			Policy: switching.Choice{Kind: c.name, Params: c.params}})
	}
	params.Validate(func(field, message string) { t.Fatalf("%s: %s", field, message) })
	k, _ := sim.Policies.Get("switch")
	p, err := k.New(params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every policy that can be a stage hands over to every other and takes over from
// it again, which is both ways of a pair.
func TestContractOfPairs(t *testing.T) {
	defer contract.Checks(20)() // of each pair
	for i, a := range candidates() {
		for _, b := range candidates()[i:] {
			t.Run(fmt.Sprint(a, " then ", b), func(t *testing.T) {
				contract.Test(t, "switch", nil, func(any, sim.Env) (sim.Policy, error) { return then(t, 7, a, b, a), nil })
			})
		}
	}
}

// watched plays jobs on one machine with everything that can differ, and returns
// what became of each.
func watched(t testing.TB, p sim.Policy, m *sim.Platform, kill bool, order sim.EventOrder, list []sim.JobSpec) (outcomes, error) {
	t.Helper()
	var e sim.Engine
	got, books := outcomes{}, audit.New(m)
	_, err := e.Run(context.Background(), sim.Config{Platform: m, Policy: p, Progress: progress.Isolated{}, Source: simtest.Source(list),
		Order: order, KillAtWalltime: kill, Observers: []sim.Observer{simtest.Watch(got), books}})
	if err == nil {
		err = books.Verdict(true)
	}
	return got, err
}

// One machine of 4: first come first served, EASY from 10 s on, conservative
// from 31 s on.
func TestQueuesByHand(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, Submit: 0, RunTime: 20, Walltime: 20, Procs: 3},
		{ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 2},  // the blocked head until job 1 ends
		{ID: 3, Submit: 2, RunTime: 5, Walltime: 5, Procs: 1},    // fits at once, and may overtake from 10 s on
		{ID: 4, Submit: 3, RunTime: 30, Walltime: 30, Procs: 1},  // overtakes on one of the 2 extra processors when job 3 has ended
		{ID: 5, Submit: 12, RunTime: 8, Walltime: 8, Procs: 2},   // does not fit beside jobs 2 and 4
		{ID: 6, Submit: 29, RunTime: 6, Walltime: 6, Procs: 4},   // planned at 31 s for the end of job 4
		{ID: 7, Submit: 32, RunTime: 8, Walltime: 8, Procs: 2},   // 38 s would delay job 6 by a second
		{ID: 8, Submit: 33, RunTime: 7, Walltime: 7, Procs: 3},   // exactly fits between jobs 5 and 6
		{ID: 9, Submit: 34, RunTime: 14, Walltime: 14, Procs: 1}, // would fit beside the running jobs at 51 s and no earlier
	}
	p := then(t, 1, candidate{name: "fcfs"})
	want := outcomes{1: {Start: 0}, 2: {Start: 20}, 3: {Start: 20}, 4: {Start: 20}}
	got, err := watched(t, p, simtest.Machine(t, 4), true, sim.EventOrders[0], list[:4])
	if err != nil || !cmp.Equal(starts(got, math.Inf(1)), starts(want, math.Inf(1))) {
		t.Errorf("a single stage: %v, error %v", got, err)
	}
	fcfs, easy := candidate{name: "fcfs"}, candidate{name: "easy",
		params: &backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Rules: sim.RulesOfOrder,
			Placed: backfill.Placed{Placement: "any"}}}
	conservative := candidate{name: "conservative",
		params: &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: "any"},
			Rules: sim.RulesOfOrder}}
	p = switched(t, switching.Stage{Policy: fcfs.alone(t)}, switching.Stage{From: 10, Policy: easy.alone(t)},
		switching.Stage{From: 31, Policy: conservative.alone(t)})
	if got, err = watched(t, p, simtest.Machine(t, 4), true, sim.EventOrders[0], list); err != nil {
		t.Fatal(err)
	}
	hand := map[int64]float64{1: 0, 2: 20, 3: 10, 4: 15, 5: 30, 6: 45, 7: 51, 8: 38, 9: 51}
	if diff := cmp.Diff(hand, starts(got, math.Inf(1))); diff != "" {
		t.Error(diff)
	}
}

// starts returns the starts before a time.
func starts(o outcomes, before float64) map[int64]float64 {
	out := map[int64]float64{}
	for id, x := range o {
		if x.State != sim.Rejected.String() && x.Start < before {
			out[id] = x.Start
		}
	}
	return out
}

// Until the switch the schedule is that of the first policy alone.
func TestBeforeTheSwitch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.SampledFrom(candidates()).Draw(rt, "first"), rapid.SampledFrom(candidates()).Draw(rt, "second")
		m := simtest.Machine(t, 6, 6)
		list, order := drawn(rt, m), rapid.SampledFrom(sim.EventOrders).Draw(rt, "order")
		kill := order.Name == "pyss" || rapid.Bool().Draw(rt, "kill") // which some policies need there
		from := rapid.Float64Range(.5, 60).Draw(rt, "from")
		want, err := watched(t, a.alone(t), m, kill, order, list)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := watched(t, then(t, from, a, b), m, kill, order, list)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(starts(want, from), starts(got, from)); diff != "" {
			rt.Fatalf("%v until %g s, %v then: %s", a, from, b, diff)
		}
	})
}

// A policy that takes over an empty queue knows as much as one that decided from the beginning. It knows the running jobs with
// their starts and processors.
func TestTakingOverARunningMachine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := simtest.Machine(t, 12)
		a, b := rapid.SampledFrom(candidates()).Draw(rt, "first"), rapid.SampledFrom(candidates()).Draw(rt, "second")
		if !b.counts || rapid.Bool().Draw(rt, "the same") {
			a = b // where jobs run matters, and only the same policy puts them there
		}
		list, order := drawn(rt, m), rapid.SampledFrom(sim.EventOrders).Draw(rt, "order")
		kill := order.Name == "pyss" || rapid.Bool().Draw(rt, "kill") // which some policies need there
		// The first jobs all start at once; the others come after the switch.
		room, first := int32(m.Procs()), rapid.IntRange(1, len(list)).Draw(rt, "jobs at 0")
		for i := range list {
			if list[i].Procs <= room && i < first {
				list[i].Submit = 0
				room -= list[i].Procs
			} else {
				first = min(first, i)
				list[i].Submit += 3
			}
		}
		from := rapid.Float64Range(.5, 2.9).Draw(rt, "from")
		want, err := watched(t, b.alone(t), m, kill, order, list)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := watched(t, then(t, from, a, b), m, kill, order, list)
		if err != nil {
			rt.Fatalf("%v then %v: %v", a, b, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("%v until %g s, %v then: not the schedule of the latter alone: %s", a, from, b, diff)
		}
	})
}

// TestOldWakeUpsBringNoPass has the walltime of job 1 end at 4, for which conservative backfilling asks to be woken. The next policy
// decides at 3 that job 2 is first and has to wait. At 4 job 3 would be first.
func TestOldWakeUpsBringNoPass(t *testing.T) {
	order := backfill.InOrder("wfp3")
	next := candidate{"queue", &order, true}
	first := candidates()[slices.IndexFunc(candidates(), func(c candidate) bool { return c.name == "conservative" })]
	list := []sim.JobSpec{{ID: 1, RunTime: 5, Walltime: 4, Procs: 3}, {ID: 2, Submit: 3, Walltime: 3, Procs: 10},
		{ID: 3, Submit: 3, Walltime: .5, Procs: 1}}
	m := simtest.Machine(t, 12)
	want, err := watched(t, next.alone(t), m, false, sim.EventOrder{}, list)
	if err != nil {
		t.Fatal(err)
	}
	got, err := watched(t, then(t, 1, first, next), m, false, sim.EventOrder{}, list)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v: not the schedule of the latter alone: %s", err, diff)
	}
}

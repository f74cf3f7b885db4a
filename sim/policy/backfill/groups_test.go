package backfill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// planned is the policy whose plans have sets of groups, or of single processors.
type planned struct {
	*Backfill
	grouped bool
}

func (p planned) Reset(s *sim.State) error {
	errs := []error{p.Backfill.Reset(s)}
	for _, m := range p.members {
		var of *Plan
		switch m := m.(type) {
		case *Easy:
			of = &m.plan
		case darkened:
			of = m.planned()
		}
		for i := range of.parts {
			if sets, by := of.parts[i].sets.(*placement.Plan); by {
				sets.Group(p.grouped)
				errs = append(errs, sets.Reset(s, false))
			}
		}
	}
	return errors.Join(errs...)
}

// holds notes who holds which processors from when on: jobs, boots and shutdowns.
type holds struct {
	sim.Quiet
	all   []string
	boots int
}

func (h *holds) Held(s *sim.View, now, before *sim.Hold) {
	who := "power"
	if now.Job != nil {
		who = fmt.Sprint("job ", now.Job.ID())
	} else if now.Outage != nil && now.Outage.Kind == sim.Boots {
		h.boots++
	}
	h.all = append(h.all, fmt.Sprint(s.Now(), " ", who, " ", now.Change(before), " ", now.Alloc.Procs, " ", now.Until))
}

// TestGroupsEqualProcessors plays random jobs on machines whose idle nodes are switched off, on machines with events, and on machines where
// partitions with whole nodes and others share classes. It compares every start, boot and shutdown, with the processors, with those of
// plans that know each processor. Machines have up to 300 nodes, so that groups fill several words.
func TestGroupsEqualProcessors(t *testing.T) {
	runs, starts, boots, capped, mixed, endless, struck := 0, 0, 0, 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{6, 40, 300}).Draw(t, "most nodes")
		on := drawSwitching(t, most)
		var jobs []sim.JobSpec
		submit := 0
		narrowest := rapid.SampledFrom([]int{3, 9, 200}).Draw(t, "narrowest")
		for i := range rapid.IntRange(1, 150).Draw(t, "jobs") {
			if rapid.IntRange(0, 3).Draw(t, "apart") == 0 {
				submit += rapid.IntRange(1, 60).Draw(t, "gap")
			}
			j := sim.JobSpec{ID: int64(i + 1), Submit: float64(submit), Walltime: float64(rapid.IntRange(1, 90).Draw(t, "walltime")),
				Partition: int32(rapid.IntRange(min(1, len(on.Partitions)), len(on.Partitions)).Draw(t, "partition"))}
			j.RunTime, j.User = float64(rapid.IntRange(1, int(j.Walltime)+5).Draw(t, "run time")), int32(i%3)
			largest := on.Procs()
			if on.Divided() {
				largest = on.Largest(j.Partition)
			}
			j.Procs = int32(rapid.IntRange(1, max(1, largest/rapid.IntRange(1, narrowest).Draw(t, "share"))).Draw(t, "procs"))
			jobs = append(jobs, j)
		}
		placements := []string{"any", "basic", "powered-first", "contiguous", "best-effort-contiguous", "local"}
		if !on.Divided() {
			placements = placements[:5] // local takes clusters of one size
		}
		var params any = &EasyParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{
			Placement: rapid.SampledFrom(placements).Draw(t, "placement")}}
		if on.Divided() && rapid.IntRange(0, 3).Draw(t, "limits") == 0 {
			params.(*EasyParams).Limits = []Limit{{Each: "user", Otherwise: "hold",
				Running: Most{Cores: 1 + on.Procs()/rapid.IntRange(1, 4).Draw(t, "parts")}}}
		}
		name := "easy"
		if rapid.Bool().Draw(t, "conservative") {
			e := params.(*EasyParams)
			name, params = "conservative", &ConservativeParams{Ordered: e.Ordered, Bounded: e.Bounded, Rules: e.Rules, Placed: e.Placed}
		}
		kills, events := rapid.IntRange(0, 3).Draw(t, "overrun") > 0, drawEvents(t, on)
		play := func(grouped bool) *holds {
			kind, _ := sim.Policies.Get(name)
			p, err := kind.New(params, sim.Env{})
			if err != nil {
				t.Fatal(err)
			}
			h := &holds{}
			_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Outages: events,
				Policy: planned{p.(*Backfill), grouped}, Progress: progress.Isolated{}, Observers: []sim.Observer{h}, KillAtWalltime: kills,
				MaxEvents: 2e4, Requeue: sim.Requeue{After: "node_fail", AtMost: 2}})
			if err != nil {
				h.all = append(h.all, err.Error())
				endless++
			}
			return h
		}
		want := play(false)
		got := play(true)
		if !slices.Equal(want.all, got.all) {
			t.Fatalf("%s, power off %+v, cap %+v (-processors +groups):\n%s", name, on.Off, on.Cap, cmp.Diff(want.all, got.all))
		}
		runs, boots = runs+1, boots+got.boots
		for _, h := range got.all {
			if strings.Contains(h, "job") {
				starts++
			}
		}
		if on.Cap != nil {
			capped++
		}
		if len(events) > 0 {
			struck++
		}
		if of := components(on, on.Cap != nil); !on.Off.On && slices.ContainsFunc(of, func(c component) bool { return c.mixed(on) }) {
			mixed++
		}
	})
	t.Logf("compared %d runs, %d under a cap, %d with events, %d with whole nodes beside others, %d starts and ends of jobs, and %d boots",
		runs, capped, struck, mixed, starts, boots)
	if !testing.Short() && (boots < runs || mixed == 0 || struck == 0) { // few cases may lack one by chance
		t.Error("the cases are too tame")
	}
	if endless > 0 {
		t.Error("some runs do not end")
	}
}

// drawSwitching is a machine of one or two node classes, with partitions that may share them, whose idle nodes may be switched off. It
// may have no partitions.
func drawSwitching(t *rapid.T, most int) *sim.Platform {
	var classes []sim.Cluster
	for i := range rapid.IntRange(1, 2).Draw(t, "classes") {
		k := sim.Cluster{Name: fmt.Sprint("c", i), Nodes: rapid.IntRange(1, most).Draw(t, "nodes"), Cores: rapid.IntRange(1, 4).Draw(t, "cores"),
			Speed: 1, Power: power.Node{Off: 1, Idle: 10, Busy: 30}}
		k.Power.Boot = power.Transition{Time: float64(rapid.IntRange(0, 20).Draw(t, "boot")), Power: 25}
		k.Power.Shutdown = power.Transition{Time: float64(rapid.IntRange(0, 9).Draw(t, "shutdown")), Power: 15}
		classes = append(classes, k)
	}
	on, err := sim.NewPlatform("switching", classes, sim.Link{})
	var parts []sim.Partition
	switches := rapid.IntRange(0, 2).Draw(t, "switches") > 0
	if err == nil && !switches && rapid.IntRange(0, 2).Draw(t, "divided") == 0 {
		return on
	}
	for i := range rapid.IntRange(1, 2).Draw(t, "partitions") {
		all := rapid.Permutation([]int{0, 1}[:len(classes)]).Draw(t, "order")
		parts = append(parts, sim.Partition{Name: fmt.Sprint("p", i), Classes: all[:rapid.IntRange(1, len(all)).Draw(t, "joins")],
			Whole: switches && rapid.IntRange(0, 2).Draw(t, "whole") == 0 || !switches && i > 0, Default: i == 0})
	}
	if err = errors.Join(err, on.Divide(parts)); err != nil {
		t.Fatal(err)
	}
	on.Off = power.SwitchOff{On: switches, After: float64(rapid.IntRange(0, 30).Draw(t, "after")), Keep: rapid.IntRange(0, 3).Draw(t, "keep")}
	if rapid.IntRange(0, 2).Draw(t, "capped") == 0 {
		full := float64(on.Procs()) * 20
		day, night := rapid.Float64Range(.3, 1).Draw(t, "day"), rapid.Float64Range(.1, 1).Draw(t, "night")
		watts := []float64{on.IdlePower() + full*day, on.IdlePower() + full*night}
		on.Cap = &power.Cap{Watts: power.NewSteps([]float64{0, 40}, watts, 100), Ahead: rapid.Bool().Draw(t, "ahead")}
		on.Cap.Watts.Every = 100
	}
	return on
}

// drawEvents is up to 20 events of a machine whose nodes are always on, most of them of a few nodes.
func drawEvents(t *rapid.T, on *sim.Platform) (all []sim.Outage) {
	if on.Off.On || rapid.Bool().Draw(t, "no events") {
		return nil
	}
	for range rapid.IntRange(1, 20).Draw(t, "events") {
		from, lo := rapid.IntRange(0, 200).Draw(t, "from"), rapid.IntRange(0, on.Procs()-1).Draw(t, "first")
		hi := min(on.Procs()-1, lo+rapid.SampledFrom([]int{0, 3, 9, on.Procs()}).Draw(t, "more"))
		o := sim.Outage{From: float64(from), Until: float64(from + rapid.IntRange(1, 60).Draw(t, "lasts")),
			Kind: sim.OutageKind(rapid.IntRange(0, 2).Draw(t, "kind")), Procs: []sim.Span{{Lo: int32(lo), Hi: int32(hi)}},
			Ahead: rapid.Bool().Draw(t, "ahead"), Announced: float64(rapid.IntRange(0, from).Draw(t, "announced"))}
		if o.Kind == sim.Reserved {
			o.For.Partitions = []int32{1}
		}
		if !slices.ContainsFunc(all, func(p sim.Outage) bool {
			return p.From < o.Until && o.From < p.Until && sim.Overlap(p.Procs, o.Procs)
		}) {
			all = append(all, o)
		}
	}
	return all
}

// learning is a policy that counts what it allocates when it learns of events again that it knows.
type learning struct {
	*Backfill
	learned, most float64
}

func (p *learning) CapacityChanged(s *sim.State) {
	p.Backfill.CapacityChanged(s)
	p.most = max(p.most, testing.AllocsPerRun(1, func() { p.Backfill.CapacityChanged(s) }))
	p.learned++
}

// TestFailuresAllocateNothing: a plan that knows its events, or as many, learns of them without new memory.
func TestFailuresAllocateNothing(t *testing.T) {
	for _, name := range []string{"easy", "conservative"} {
		on, err := sim.NewPlatform("failing", []sim.Cluster{{Name: "n", Nodes: 500, Cores: 4, Speed: 1}}, sim.Link{})
		if err = errors.Join(err, on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}})); err != nil {
			t.Fatal(err)
		}
		var jobs []sim.JobSpec
		for i := range 300 {
			jobs = append(jobs, sim.JobSpec{ID: int64(i + 1), Submit: float64(i), RunTime: 50, Walltime: 70, Procs: int32(1 + i*7%90), Partition: 1})
		}
		var down []sim.Outage
		for i := range 300 {
			n := int32(4 * (i * 7 % 500))
			down = append(down, sim.Outage{From: float64(i), Until: float64(i + 20), Procs: []sim.Span{{Lo: n, Hi: n + 3}}})
		}
		kind, _ := sim.Policies.Get(name)
		of, err := kind.New(map[string]any{"easy": &EasyParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "any"}},
			"conservative": &ConservativeParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "any"}}}[name], sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p := &learning{Backfill: of.(*Backfill)}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
			Progress: progress.Isolated{}, KillAtWalltime: true, Outages: down}); err != nil {
			t.Fatal(err)
		}
		if p.learned < 300 || p.most > 0 {
			t.Errorf("%s learned of events %g times, with up to %g allocations", name, p.learned, p.most)
		}
	}
}

// TestUnknownEndsWakeNoPass runs jobs beyond their walltimes beside nodes that are off. A start that builds on an unknown end moves on with
// each pass. It must not ask for a pass at each moment.
func TestUnknownEndsWakeNoPass(t *testing.T) {
	for _, boot := range []float64{0, 7} {
		for _, name := range []string{"easy", "conservative"} {
			on, err := sim.NewPlatform("c", []sim.Cluster{{Name: "c", Nodes: 4, Cores: 1, Speed: 1, Power: power.Node{Off: 1, Idle: 10, Busy: 30,
				Boot: power.Transition{Time: boot, Power: 25}, Shutdown: power.Transition{Time: 3, Power: 15}}}}, sim.Link{})
			if err != nil {
				t.Fatal(err)
			}
			on.Off = power.SwitchOff{On: true, After: 1}
			var params any = &EasyParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "any"}}
			if name == "conservative" {
				params = &ConservativeParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "any"}}
			}
			kind, _ := sim.Policies.Get(name)
			p, err := kind.New(params, sim.Env{})
			if err != nil {
				t.Fatal(err)
			}
			jobs := []sim.JobSpec{{ID: 1, Procs: 2, RunTime: 20, Walltime: 9}, {ID: 2, Submit: 8, Procs: 4, RunTime: 5, Walltime: 5}}
			h := &holds{}
			if _, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
				Progress: progress.Isolated{}, Observers: []sim.Observer{h}, MaxEvents: 100}); err != nil {
				t.Errorf("%s, boots of %g s: %v\n%s", name, boot, err, strings.Join(h.all, "\n"))
			}
		}
	}
}

// TestCalledJobsStartBehindUnknownEnds has jobs wait for boots alone on a place where another job then outlasts its walltime. They start
// when that job ends: what they hold is right from then on, and their nodes stay on meanwhile.
func TestCalledJobsStartBehindUnknownEnds(t *testing.T) {
	for _, c := range []struct {
		node     sim.Cluster
		off      power.SwitchOff
		whole    bool
		shutdown float64
		jobs     [][4]int // submission, walltime, run time and processors
		id       int      // a job, which
		start    int      // starts then
	}{
		{node: sim.Cluster{Cores: 1}, off: power.SwitchOff{After: 2, Keep: 1}, whole: true, shutdown: 3,
			jobs: [][4]int{{7, 3, 1, 2}, {8, 2, 6, 1}, {10, 7, 4, 2}, {16, 12, 1, 2}}, id: 3, start: 15},
		{node: sim.Cluster{Cores: 2}, off: power.SwitchOff{After: 1}, shutdown: 1,
			jobs: [][4]int{{5, 9, 7, 1}, {9, 1, 4, 4}, {14, 1, 6, 2}}, id: 2, start: 23},
	} {
		c.node.Name, c.node.Nodes, c.node.Speed = "c", 2, 1
		c.node.Power = power.Node{Off: 1, Idle: 10, Busy: 30, Boot: power.Transition{Time: 5, Power: 25},
			Shutdown: power.Transition{Time: c.shutdown, Power: 15}}
		on, err := sim.NewPlatform("late", []sim.Cluster{c.node}, sim.Link{})
		if err = errors.Join(err, on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Whole: c.whole, Default: true}})); err != nil {
			t.Fatal(err)
		}
		on.Off, on.Off.On = c.off, true
		var jobs []sim.JobSpec
		for i, j := range c.jobs {
			jobs = append(jobs, sim.JobSpec{ID: int64(i + 1), Submit: float64(j[0]), Walltime: float64(j[1]), RunTime: float64(j[2]),
				Procs: int32(j[3]), Partition: 1})
		}
		kind, _ := sim.Policies.Get("easy")
		p, err := kind.New(&EasyParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: Placed{Placement: "basic"}}, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		h := &holds{}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
			Progress: progress.Isolated{}, Observers: []sim.Observer{h}, MaxEvents: 1000})
		want := fmt.Sprint(c.start, " job ", c.id, " start")
		if err != nil || !slices.ContainsFunc(h.all, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no %q: %v\n%s", want, err, strings.Join(h.all, "\n"))
		}
	}
}

// TestSessionsWhereNodesAreOff runs sessions on a machine without partitions whose idle nodes are switched off. Jobs wait for boots, and
// start within sessions that are long enough.
func TestSessionsWhereNodesAreOff(t *testing.T) {
	for _, placement := range []string{"any", "basic", "powered-first", "best-effort-contiguous"} {
		for _, name := range []string{"easy", "conservative"} {
			on, err := sim.NewPlatform("c", []sim.Cluster{{Name: "c", Nodes: 4, Cores: 2, Speed: 1, Power: power.Node{Off: 1, Idle: 10, Busy: 30,
				Boot: power.Transition{Time: 60, Power: 25}, Shutdown: power.Transition{Time: 3, Power: 15}}}}, sim.Link{})
			if err != nil {
				t.Fatal(err)
			}
			on.Off = power.SwitchOff{On: true, After: 10}
			placed := Placed{Placement: placement, Sessions: []Session{{Days: "all"}, {Days: "all", Begin: day / 2}}}
			var params any = &EasyParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: placed}
			if name == "conservative" {
				params = &ConservativeParams{Ordered: InOrder("fcfs"), Rules: "plain", Placed: placed}
			}
			kind, _ := sim.Policies.Get(name)
			p, err := kind.New(params, sim.Env{})
			if err != nil {
				t.Fatal(err)
			}
			jobs := []sim.JobSpec{{ID: 1, Procs: 4, RunTime: 7200, Walltime: 7200, Submit: 1000},
				{ID: 2, Submit: 40000, Procs: 8, RunTime: 5, Walltime: 7200}, {ID: 3, Submit: 40001, Procs: 1, RunTime: 5, Walltime: 60},
				{ID: 4, Submit: 41000, Procs: 8, RunTime: 5, Walltime: 7200}}
			h := &holds{}
			res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
				Progress: progress.Isolated{}, Observers: []sim.Observer{h}, KillAtWalltime: true, MaxEvents: 1000})
			if err != nil || res.Finished != 4 {
				t.Errorf("%s, %s: %v, %+v\n%s", placement, name, err, res, strings.Join(h.all, "\n"))
			}
		}
	}
}

package audit

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// sleepwalker is EASY backfilling that changes the machine when its first job comes, or takes nodes that are off for nodes that are on.
type sleepwalker struct {
	backfill.Backfill
	submitted func(on *sim.Platform)
	blind     bool
	drawn     float64 // time of boots over the mean that the audit expects, 0 where they are fixed
}

func (p *sleepwalker) Submitted(s *sim.State, j *sim.Job) {
	if p.submitted != nil && j.ID() == 1 {
		p.submitted(s.Platform())
	}
	p.Backfill.Submitted(s, j)
}

func (p *sleepwalker) PowerChanged(s *sim.State) {
	if !p.blind {
		p.Backfill.PowerChanged(s)
		return
	}
	procs := reflect.ValueOf(s).Elem().FieldByName("view").FieldByName("procs").FieldByName("spans")
	*(*[]sim.Span)(unsafe.Pointer(procs.UnsafeAddr())) = []sim.Span{{Lo: 0, Hi: int32(s.Platform().Procs()) - 1}}
}

// TestMutantsOfSwitchingAreNoticed runs mutants of policy and engine on three nodes that are switched off. Each is noticed by its
// invariant, and the policy as it is by none.
func TestMutantsOfSwitchingAreNoticed(t *testing.T) {
	for want, p := range map[string]sleepwalker{
		"": {},
		"audit A20: job 2 starts at 50 s on node 1 of class \"a\", which is not on but in the state off since 18 s": {blind: true},
		"audit A21: at 5 s node 2 of class \"a\" shuts down: it is idle since 0 s, which must be 5 s at least, and 0 idle nodes stay on, " +
			"which must be 1 at least": {submitted: func(on *sim.Platform) { on.Off.Keep = 0 }},
		"audit A21: at 12 s node 1 of class \"a\" shuts down: it is idle since 10 s, which must be 5 s at least, and 1 idle nodes stay on, " +
			"which must be 1 at least": {submitted: func(on *sim.Platform) { on.Off.After = 2 }},
		"audit A21: node 1 of class \"a\" is in the state boot from 50 to 51 s, which takes 4 s": {submitted: func(on *sim.Platform) {
			on.Clusters[0].Power.Boot.Time = 1
		}},
		"audit A21: at 15 s node 2 of class \"a\" is still in the state shutdown since 10 s": {submitted: func(on *sim.Platform) {
			on.Clusters[0].Power.Shutdown.Time = 30
		}},
		"audit A21: node 1 of class \"a\" is in the state boot from 50 to 56 s, which takes 8 s": {drawn: 2},
		"audit A21: node 1 of class \"a\" is in the state boot from 50 to 56 s, which takes 4 s": {submitted: func(on *sim.Platform) {
			on.Clusters[0].Power.Boot.Exponential = true
		}},
	} {
		on := threeNodes(t)
		on.Clusters[0].Power.Boot.Exponential = p.drawn > 0
		easy, _ := sim.Policies.Get("easy")
		params := easy.Params.(backfill.EasyParams)
		made, err := easy.New(&params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p.Backfill = *made.(*backfill.Backfill)
		books := New(on)
		books.ExpectSwitching(func() float64 { return p.drawn })
		src := simtest.List{{ID: 1, Submit: 1, RunTime: 9, Walltime: 9, Procs: 4}, {ID: 2, Submit: 50, RunTime: 5, Walltime: 5, Procs: 6},
			{ID: 3, Submit: 90, RunTime: 5, Walltime: 5, Procs: 1}}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: &p, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}, KillAtWalltime: true, Switching: func() float64 { return 1.5 }})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if got, _, _ = strings.Cut(got, " (and"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestStatesOfNodesAreNoticed enters changes of node 2 that no engine makes, in the books of the three nodes.
func TestStatesOfNodesAreNoticed(t *testing.T) {
	type change struct {
		now   float64
		state sim.OutageKind
		job   bool
		last  int32 // processor, from 4
		by    int32
	}
	off := change{9, sim.ShutsDown, false, 5, 1}
	for want, changes := range map[string][]change{
		"": {off, {12, sim.ShutsDown, false, 5, -1}, {12, sim.Off, false, 5, 1}, {30, sim.Off, false, 5, -1}, {30, sim.Boots, false, 5, 1},
			{34, sim.Boots, false, 5, -1}, {34, 0, true, 4, 1}},
		"audit A21: at 9 s 1 of 2 processors of node 2 of class \"a\" are in the state shutdown: nodes change as a whole": {
			{9, sim.ShutsDown, false, 4, 1}},
		"audit A21: at 9 s node 2 of class \"a\" leaves the state boot, and was in the state on": {{9, sim.Boots, false, 5, -1}},
		"audit A21: at 12 s node 2 of class \"a\" leaves the state off, and was in the state shutdown": {
			off, {12, sim.Off, false, 5, -1}},
		"audit A20: at 9 s node 2 of class \"a\" gets into the state shutdown, and jobs hold 1 processors of it": {
			{3, 0, true, 4, 1}, off},
		"audit A21: at 9 s node 2 of class \"a\" gets from the state on, which it has had since 0 s, into the state off": {
			{9, sim.Off, false, 5, 1}},
		"audit A21: at 12 s node 2 of class \"a\" gets from the state shutdown, which it has had since 12 s, into the state boot": {off,
			{12, sim.ShutsDown, false, 5, -1}, {12, sim.Boots, false, 5, 1}},
		"audit A21: at 13 s node 2 of class \"a\" gets from the state shutdown, which it has had since 12 s, into the state off": {off,
			{12, sim.ShutsDown, false, 5, -1}, {13, sim.Off, false, 5, 1}},
		"audit A21: at 12 s 1 nodes have left a state and are in no other": {off, {12, sim.ShutsDown, false, 5, -1}},
	} {
		books := New(threeNodes(t))
		for i, c := range changes {
			h := sim.Hold{Outage: &sim.Outage{Kind: c.state}}
			if c.job {
				h = sim.Hold{Job: &sim.Job{}}
			}
			books.switched(c.now, &h, []sim.Span{{Lo: 4, Hi: c.last}}, c.by)
			if i+1 == len(changes) {
				books.states(c.now)
			}
		}
		got := ""
		if err := books.Verdict(false); err != nil {
			got = err.Error()
		}
		if got, _, _ = strings.Cut(got, " (and"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// threeNodes is a machine of three nodes of two cores that are switched off after 5 s, all but one.
func threeNodes(t *testing.T) *sim.Platform {
	on, err := sim.NewPlatform("three", []sim.Cluster{{Name: "a", Nodes: 3, Cores: 2, Speed: 1, Power: power.Node{Off: 1, Idle: 10, Busy: 30,
		Boot: power.Transition{Time: 4, Power: 20}, Shutdown: power.Transition{Time: 3, Power: 5}}}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	on.Off = power.SwitchOff{On: true, After: 5, Keep: 1}
	return on
}

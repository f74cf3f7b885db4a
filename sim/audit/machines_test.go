package audit

import (
	"context"
	"math"
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

// mutant is EASY backfilling that does wrong what the engine should not let it do, by package unsafe and by what it is shown.
type mutant struct {
	backfill.Backfill
	submitted func(s *sim.State, j *sim.Job)
	changed   func(s *sim.State)
	twice     bool // jobs that are requeued go back twice
}

func (p *mutant) Submitted(s *sim.State, j *sim.Job) {
	if p.submitted != nil {
		p.submitted(s, j)
	}
	p.Backfill.Submitted(s, j)
}

func (p *mutant) CapacityChanged(s *sim.State) {
	if p.changed != nil {
		p.changed(s)
	}
	p.Backfill.CapacityChanged(s)
}

// stutter says twice that a job is requeued.
type stutter struct{ *Audit }

func (o stutter) Requeued(s *sim.View, j *sim.Job) {
	o.Audit.Requeued(s, j)
	o.Audit.Requeued(s, j)
}

// free are the counts of free processors of the run, to be changed.
func free(s *sim.State) []int32 {
	f := reflect.ValueOf(s).Elem().FieldByName("view").FieldByName("free")
	return *(*[]int32)(unsafe.Pointer(f.UnsafeAddr()))
}

// metered points to the number of processors of cluster 0 that are metered as busy, to be changed.
func metered(s *sim.State) *float64 {
	m := reflect.ValueOf(s).Elem().FieldByName("view").FieldByName("meters").Index(0)
	return (*float64)(unsafe.Pointer(m.FieldByName("in").FieldByName("Busy").UnsafeAddr()))
}

// charged points to the charge of cluster 0 by the price, to be changed.
func charged(s *sim.State) *power.Energy {
	m := reflect.ValueOf(s).Elem().FieldByName("view").FieldByName("meters").Index(0)
	return (*power.Energy)(unsafe.Pointer(m.FieldByName("charged").Index(int(power.Price)).UnsafeAddr()))
}

// each visits the events that planners know, as the engine has them.
func each(s *sim.State, do func(o *sim.Outage)) {
	for o := range s.Outages() {
		do(o)
	}
}

// TestMutantsAreNoticed runs mutants of policy and engine on two classes with events. Each is noticed by its invariant, and the policy
// as it is by none.
func TestMutantsAreNoticed(t *testing.T) {
	watts := power.Node{Off: 1, Idle: 10, Busy: 30}
	price := power.NewSteps([]float64{0, 3}, []float64{2, -5}, math.Inf(1))
	on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 1, Speed: 1, Power: watts},
		{Name: "b", Nodes: 2, Cores: 1, Speed: 1, Power: watts}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}}, {Name: "q", Classes: []int{1}}})
	}
	on.Tariffs[power.Price] = price
	if err != nil {
		t.Fatal(err)
	}
	a := []sim.Span{{Lo: 0, Hi: 1}}
	down := []sim.Outage{{Procs: a, From: 5, Until: 9, Ahead: true, Announced: 3}}
	reserved := []sim.Outage{{Procs: a, From: 2, Until: 30, Kind: sim.Reserved, For: sim.Members{Users: []int32{7}}}}
	node := []sim.Outage{{Procs: []sim.Span{{Lo: 0, Hi: 0}}, From: 5, Until: 9, Ahead: true, Announced: 3}}
	drained := []sim.Outage{{Procs: []sim.Span{{Lo: 1, Hi: 1}}, From: 2, Until: 30, Kind: sim.Drained}}
	become := func(o *sim.Outage) { o.For.Users = []int32{1, 7} }
	for want, c := range map[string]struct {
		events []sim.Outage
		make   mutant
	}{
		"": {down, mutant{}},
		"audit A12: at 5 s jobs hold 1 processor of cluster 0, which has 0 in service": {down, mutant{changed: func(s *sim.State) {
			each(s, func(o *sim.Outage) { o.Kind = sim.Drained }) // jobs on nodes that go down are not killed
		}}},
		`audit A13: job 2 of partition "p" runs on 1 processor of class "b", which is none of its partition`: {down,
			mutant{submitted: func(_ *sim.State, j *sim.Job) {
				if j.ID() == 2 {
					spec(j).Partition = 2
				}
			}}},
		"audit A14: job 2 starts at 4 s on processors 1, and some are in the event reserve of 0-1 from 2 to 30 s": {reserved,
			mutant{changed: func(s *sim.State) { each(s, become) }}}, // every job becomes a member
		"audit A14: job 2 starts at 4 s on processors 1, and some are in the event drain of 1 from 2 to 30 s": {drained,
			mutant{changed: func(s *sim.State) {
				each(s, func(o *sim.Outage) { o.Kind = sim.Reserved; become(o) }) // jobs start on a node that is draining
			}}},
		"audit A14: at 5 s jobs hold 1 down processor": {node, mutant{changed: func(s *sim.State) {
			each(s, func(o *sim.Outage) { o.Kind = sim.Drained }) // the job on a node that goes down is not killed
		}}},
		"audit A16: job 1 is requeued at 5 s and did not run, or holds processors": {down, mutant{twice: true}},
		"audit A17: at 4 s cluster 1 has 0 processors in use, 1 idle and 0 down, drained or reserved, which are not its 2": {down,
			mutant{submitted: func(s *sim.State, j *sim.Job) {
				if j.ID() == 2 {
					free(s)[1]-- // a processor is lost
				}
			}}},
		"audit A22: job 2 took 30 J, and the engine says 130 J": {down, mutant{submitted: func(_ *sim.State, j *sim.Job) {
			if j.ID() == 2 {
				*simtest.Field[float64](j, "energy") += 100
			}
		}}},
		"audit A22: at 4 s cluster 0 has taken 120 J busy, and the engine says 240 J": {down,
			mutant{submitted: func(s *sim.State, j *sim.Job) {
				if j.ID() == 2 {
					*metered(s)++ // a processor is metered twice since the last change
				}
			}}},
		"audit A22: job 1 was charged with -1170, and the engine says -1070 (tariff 0)": {nil, mutant{
			submitted: func(_ *sim.State, j *sim.Job) {
				if j.ID() == 1 {
					simtest.Field[[power.Tariffs]float64](j, "charged")[power.Price] += 100
				}
			}}},
		"audit A22: at 4 s jobs were charged with 30 and the rest with 30, and the engine says 30 and 100 (tariff 0)": {nil,
			mutant{submitted: func(s *sim.State, j *sim.Job) {
				if j.ID() == 2 {
					charged(s).Idle += 7 // of an unused node
				}
			}}},
	} {
		easy, _ := sim.Policies.Get("easy")
		params := easy.Params.(backfill.EasyParams)
		made, err := easy.New(&params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p := c.make
		p.Backfill = *made.(*backfill.Backfill)
		books := New(on)
		books.Expect(on, c.events, nil)
		var watching sim.Observer = books
		if p.twice {
			watching = stutter{books}
		}
		src := simtest.List{{ID: 1, RunTime: 12, Walltime: 12, Procs: 1, Partition: 1, User: 1},
			{ID: 2, Submit: 4, RunTime: 1, Walltime: 20, Procs: 1, Partition: 1, User: 1}}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: &p, Progress: progress.Isolated{},
			Observers: []sim.Observer{watching}, KillAtWalltime: true, Outages: c.events, Requeue: sim.Requeue{After: "node_fail", AtMost: 1}})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEventsOfOneMachineAreAudited makes every job a member of a reservation, on a machine that has events and nothing else to audit.
func TestEventsOfOneMachineAreAudited(t *testing.T) {
	easy, _ := sim.Policies.Get("easy")
	params := easy.Params.(backfill.EasyParams)
	made, err := easy.New(&params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	on, events := simtest.Machine(t, 2), []sim.Outage{{Procs: []sim.Span{{Lo: 0, Hi: 1}}, From: 2, Until: 30, Kind: sim.Reserved,
		For: sim.Members{Users: []int32{7}}}}
	p := mutant{Backfill: *made.(*backfill.Backfill), changed: func(s *sim.State) {
		each(s, func(o *sim.Outage) { o.For.Users = []int32{1} })
	}}
	books := New(on)
	books.Expect(on, events, nil)
	src := simtest.List{{ID: 1, Submit: 4, RunTime: 1, Walltime: 20, Procs: 1, User: 1}}
	if _, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: &p, Progress: progress.Isolated{},
		Observers: []sim.Observer{books}, Outages: events}); err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err == nil || !strings.HasPrefix(err.Error(), "audit A14: job 1 starts at 4 s on processors 0") {
		t.Errorf("got %v, want A14", err)
	}
}

// TestRequestsAreAudited changes what a run's requests are behind the policy's back. The policy then gives jobs what they did not request.
func TestRequestsAreAudited(t *testing.T) {
	type requests = struct{ has, shown sim.Request }
	well, one := sim.Request{Nodes: 2, Memory: 8, Features: 1}, sim.Request{Nodes: 1}
	auditRequests(t, sim.Partition{Whole: true}, map[string]requests{
		"": {one, one},
		"audit A12: job 1 has whole nodes with memory and GPUs for 0 processors": {sim.Request{Memory: 16}, sim.Request{Memory: 8}},
		"audit A12: job 1 has whole nodes with memory and GPUs for 0 ":           {sim.Request{GPUs: 2}, sim.Request{GPUs: 1}},
	})
	auditRequests(t, sim.Partition{Span: true}, map[string]requests{
		"": {well, well},
		"audit A12: with job 2 jobs have 16 B and 0 GPUs of node 0":   {sim.Request{Memory: 8, Nodes: 1}, sim.Request{Nodes: 1}},
		"audit A12: with job 2 jobs have 0 B and 2 GPUs of node 0":    {sim.Request{GPUs: 1, Nodes: 1}, sim.Request{Nodes: 1}},
		"audit A12: job 1 runs on node 0 of class \"a\", which lacks": {sim.Request{Nodes: 2, Features: 2}, sim.Request{Nodes: 2}},
		"audit A12: with job 2 there are 1 licences":                  {sim.Request{Licences: [sim.MaxLicences]int32{1}}, sim.Request{}},
		"audit A12: job 1 runs on 1 nodes, and requested 2":           {sim.Request{Nodes: 2}, sim.Request{Nodes: 1}},
	})
}

// auditRequests plays two jobs on two classes. Their partition is like q.
func auditRequests(t *testing.T, q sim.Partition, all map[string]struct{ has, shown sim.Request }) {
	t.Helper()
	on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 2, Memory: 8, GPUs: 1, Features: 1, Speed: 1},
		{Name: "b", Nodes: 2, Cores: 2, Speed: 1}}, sim.Link{})
	if err == nil {
		on.Licences, on.Features = []sim.Licence{{Name: "l", Count: 1}}, []string{"f"}
		q.Name, q.Classes, q.Default = "p", []int{0, 1}, true
		err = on.Divide([]sim.Partition{q})
	}
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range all {
		easy, _ := sim.Policies.Get("easy")
		params := easy.Params.(backfill.EasyParams)
		made, err := easy.New(&params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		var shown sim.Request
		src := simtest.List{{ID: 1, RunTime: 12, Walltime: 12, Procs: 1, Request: &shown}, {ID: 2, Submit: 4, RunTime: 1, Walltime: 20, Procs: 1,
			Request: &shown}}
		books := New(on)
		p := &mutant{Backfill: *made.(*backfill.Backfill), submitted: func(*sim.State, *sim.Job) { shown = c.shown }}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{swap{books, &shown, c.has}}, Requests: true})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		got := ""
		if err := books.Verdict(true); err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// swap shows the audit what jobs really request, and the policy something else.
type swap struct {
	*Audit
	shown *sim.Request
	has   sim.Request
}

func (o swap) Submitted(s *sim.View, j *sim.Job) {
	was := *o.shown
	*o.shown = o.has
	o.Audit.Submitted(s, j)
	*o.shown = was
}

func (o swap) Ended(s *sim.View, j *sim.Job) {
	was := *o.shown
	*o.shown = o.has
	o.Audit.Ended(s, j)
	*o.shown = was
}

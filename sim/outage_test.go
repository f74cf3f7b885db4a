package sim_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/metrics"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// elastic is first come first served. It looks only at free processors.
type elastic struct {
	queue.FCFS
	seen   []int
	passes []float64
}

func (p *elastic) CapacityChanged(s *sim.State) { p.seen = append(p.seen, s.Capacity()) }

func (p *elastic) Pass(s *sim.State) {
	p.passes = append(p.passes, s.Now())
	p.FCFS.Pass(s)
}

// TestEventsKnownAtTheBegin has a planner pass when it learns of an event at time 0, before the jobs of 3 s come.
func TestEventsKnownAtTheBegin(t *testing.T) {
	p := &elastic{}
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4), Policy: p,
		Source: simtest.Source([]sim.JobSpec{job(1, 3, 1, 2)}), Progress: progress.Isolated{},
		Outages: []sim.Outage{{Procs: []sim.Span{{Lo: 2, Hi: 3}}, From: 8, Until: 9, Ahead: true}}}); err != nil {
		t.Fatal(err)
	}
	if len(p.seen) == 0 || len(p.passes) < 2 || p.passes[0] != 0 || p.passes[1] != 3 {
		t.Errorf("passes at %v, capacities %v", p.passes, p.seen)
	}
}

// owners notes holds that belong to a job and to an outage.
type owners struct {
	sim.Quiet
	both int
}

func (o *owners) Held(_ *sim.View, now, before *sim.Hold) {
	if now.Job != nil && now.Outage != nil || before.Job != nil && before.Outage != nil {
		o.both++
	}
}

// An outage of processors 2 and 3 from 4 to 10 s kills job 2. Job 1 runs on. Job 3 needs four processors and waits until 10 s.
func TestOutageTakesProcessors(t *testing.T) {
	m := simtest.Machine(t, 4)
	l, books, p, holds := &trace{}, audit.New(m), &elastic{}, &owners{}
	var values metrics.Collector
	values.Reset(metrics.Setting{Platform: m, Threshold: 10})
	jobs := []sim.JobSpec{job(1, 0, 8, 2), job(2, 0, 8, 2), job(3, 5, 1, 4)}
	outages := []sim.Outage{{Procs: []sim.Span{{Lo: 2, Hi: 3}}, From: 4, Until: 10}}
	books.Expect(m, outages, nil)
	res, err := new(sim.Engine).Run(context.Background(),
		sim.Config{Platform: m, Source: simtest.Source(jobs), Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{simtest.Watch(l), books, &values, holds},
			Outages:   outages})
	if err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Error(err)
	}
	if holds.both > 0 {
		t.Errorf("%d holds belong to a job and to an outage", holds.both)
	}
	want := "submit 1,start 1 on 0-1,submit 2,start 2 on 2-3,killed 2,submit 3,finished 1,start 3 on 0-3,finished 3"
	if got := strings.Join(l.log, ","); strings.ReplaceAll(got, "submit 1,submit 2,start 1 on 0-1,start 2 on 2-3",
		"submit 1,start 1 on 0-1,submit 2,start 2 on 2-3") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(p.seen) != 2 || p.seen[0] != 2 || p.seen[1] != 4 || res.Killed != 1 || res.End != 11 {
		t.Errorf("capacities %v, result %+v", p.seen, res)
	}
	// Jobs 1, 2 and 3 held 16, 8 and 4 processor-seconds of 4 * 11.
	for i, v := range values.Values(nil) {
		if name := metrics.Catalog()[i].Name; (name == "utilisation" || name == "core_utilisation") && !(math.Abs(v-28./44) <= 1e-12) {
			t.Errorf("%s is %g, want %g", name, v, 28./44)
		}
	}
}

// TestOutagesAreRefused: outages that contradict one another, and policies that plan
// with a machine that never changes.
func TestOutagesAreRefused(t *testing.T) {
	span := []sim.Span{{Lo: 1, Hi: 2}}
	for want, outages := range map[string][]sim.Outage{
		"outage 2 (from 5 to 9 s): it takes processors that outage 1 (from 2 to 6 s) has at the same time": {{Procs: span, From: 2, Until: 6},
			{Procs: []sim.Span{{Lo: 2, Hi: 2}}, From: 5, Until: 9}},
		"outage 1 (from 5 to 5 s): it must begin at 0 s or later and end after that": {{Procs: span, From: 5, Until: 5}},
		"processors 3-4 are not ascending, disjoint numbers from 0 to 3":             {{Procs: []sim.Span{{Lo: 3, Hi: 4}}, From: 1, Until: 5}},
		"it has no processors": {{From: 1, Until: 5}},
	} {
		_, err := new(sim.Engine).Run(context.Background(),
			sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(nil), Policy: &elastic{}, Progress: progress.Isolated{},
				Outages: outages})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	_, err := new(sim.Engine).Run(context.Background(),
		sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(nil), Policy: &script{}, Progress: progress.Isolated{},
			Outages: []sim.Outage{{Procs: span, From: 2, Until: 6}}})
	if err == nil || !strings.Contains(err.Error(), "plans with a machine that never changes") {
		t.Errorf("got %v", err)
	}
}

// TestRandomOutages plays random outages under each policy that copes with them. No job runs on processors out of service, and
// all jobs end.
func TestRandomOutages(t *testing.T) {
	tested := 0
	for _, kind := range sim.Policies.Kinds() {
		params := reflect.New(reflect.TypeOf(kind.Params))
		params.Elem().Set(reflect.ValueOf(kind.Params))
		policy, err := kind.New(params.Interface(), sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := policy.(sim.Elastic); !ok {
			continue
		}
		tested++
		rapid.Check(t, func(t *rapid.T) { randomOutages(t, policy) })
	}
	if tested < 3 {
		t.Errorf("%d policies cope with outages", tested)
	}
}

func randomOutages(t *rapid.T, policy sim.Policy) {
	m := rapid.SampledFrom(simtest.Machines()).Draw(t, "machine")
	var outages []sim.Outage
	now := 0.0
	for range rapid.IntRange(1, 6).Draw(t, "outages") {
		now += float64(rapid.IntRange(0, 40).Draw(t, "gap"))
		lo := int32(rapid.IntRange(0, m.Procs()-1).Draw(t, "first"))
		hi := int32(rapid.IntRange(int(lo), m.Procs()-1).Draw(t, "last"))
		until := now + float64(rapid.IntRange(1, 30).Draw(t, "length"))
		outages = append(outages, sim.Outage{Procs: []sim.Span{{Lo: lo, Hi: hi}}, From: now, Until: until,
			Kind: rapid.SampledFrom([]sim.OutageKind{sim.Down, sim.Drained}).Draw(t, "kind")})
		now = until
	}
	jobs := simtest.DrawJobs(t, m)
	books := audit.New(m)
	books.Expect(m, outages, nil)
	res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: m, Source: simtest.Source(jobs), Policy: policy,
		Progress: progress.Isolated{}, KillAtWalltime: rapid.Bool().Draw(t, "kill"),
		Observers: []sim.Observer{books, newNodes(t, m)}, Outages: outages, Requeue: sim.Requeue{After: "node_fail", AtMost: 2,
			Last: rapid.Bool().Draw(t, "last")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatal(err)
	}
	if res.Finished+res.Killed != int64(len(jobs)) {
		t.Fatalf("%+v of %d jobs", res, len(jobs))
	}
}

// vandal is a policy that changes the machine that it is shown.
type vandal struct{ queue.FCFS }

func (p *vandal) Reset(s *sim.State) error {
	s.Platform().Clusters[0].Speed *= 2
	return p.FCFS.Reset(s)
}

// A policy that changes the platform changes nothing for the next run, and the audit says so.
func TestPlatformIsNobodysToChange(t *testing.T) {
	m := simtest.Machine(t, 4)
	books := audit.New(m)
	var e sim.Engine
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: m, Source: simtest.Source([]sim.JobSpec{job(1, 0, 8, 2)}), Policy: &vandal{}, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}}); err != nil {
		t.Fatal(err)
	}
	if m.Clusters[0].Speed != 1 {
		t.Errorf("the speed is %g", m.Clusters[0].Speed)
	}
	if err := books.Verdict(true); err == nil || !strings.Contains(err.Error(), "audit A9: platform") {
		t.Errorf("verdict %v", err)
	}
}

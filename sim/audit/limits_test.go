package audit

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// boundless reports that it keeps limits, and keeps others or none.
type boundless struct {
	backfill.Backfill
	says []sim.Limit
}

func (p *boundless) Limits() []sim.Limit { return p.says }

// TestLimitsOfGPUs lets two jobs at a time have what a limit allows to one: GPUs of whole nodes, on each node and beside each processor.
func TestLimitsOfGPUs(t *testing.T) {
	for _, c := range []struct {
		whole bool
		ask   *sim.Request
		has   int64 // of both jobs
	}{{true, nil, 6}, {false, &sim.Request{Nodes: 1, GPUs: 2}, 4}, {false, &sim.Request{GPUs: 1}, 4}, {false, nil, 0}} {
		on, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 2, Cores: 2, GPUs: 3, Speed: 1}}, sim.Link{})
		if err == nil {
			err = on.Divide([]sim.Partition{{Name: "p", Classes: []int{0}, Whole: c.whole, Default: true}})
		}
		if err != nil {
			t.Fatal(err)
		}
		easy, _ := sim.Policies.Get("easy")
		params := easy.Params.(backfill.EasyParams)
		made, err := easy.New(&params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p := &boundless{*made.(*backfill.Backfill), []sim.Limit{{Running: sim.Uses{GPUs: max(1, c.has-1)}}}}
		books := New(on)
		books.Watch(p)
		src := simtest.List{{ID: 1, RunTime: 9, Walltime: 9, Procs: 2, Request: c.ask},
			{ID: 2, RunTime: 9, Walltime: 9, Procs: 2, Request: c.ask}}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}, Requests: true})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("with job 2 at 0 s 2 jobs run on 4 processors and %d GPUs", c.has)
		if err := books.Verdict(true); (err != nil) != (c.has > 0) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestLimitsAreHeld lets EASY keep a limit of one job for each user, which the audit finds kept. A policy that does not keep what it says
// is noticed for jobs, processors and submissions.
func TestLimitsAreHeld(t *testing.T) {
	on, err := sim.NewPlatform("four", []sim.Cluster{{Name: "a", Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	kept := []backfill.Limit{{Each: "user", Running: backfill.Most{Jobs: 1}}}
	for want, c := range map[string]struct {
		keeps []backfill.Limit
		says  []sim.Limit
	}{
		"": {kept, []sim.Limit{{Each: sim.OfUser, Running: sim.Uses{Jobs: 1}}}},
		"audit A15: with job 2 at 4 s 2 jobs run on 2 processors and 0 GPUs, and a limit allows 1 jobs, 0 processors and 0 GPUs": {nil,
			[]sim.Limit{{Each: sim.OfUser, Running: sim.Uses{Jobs: 1}}}},
		"audit A15: with job 3 at 5 s 3 jobs run on 4 processors and 0 GPUs, and a limit allows 0 jobs, 3 processors and 0 GPUs": {nil,
			[]sim.Limit{{Running: sim.Uses{Procs: 3}}}},
		"audit A15: with job 3 at 5 s 2 jobs run on 3 processors and 0 GPUs, and a limit allows 0 jobs, 2 processors and 0 GPUs": {kept,
			[]sim.Limit{{Running: sim.Uses{Procs: 2}}}},
		"audit A15: at 4 s 2 jobs are in the system, and a limit allows 1": {kept,
			[]sim.Limit{{Of: []sim.LimitOf{{Field: sim.OfUser, Number: 1}}, Submitted: 1}}},
	} {
		easy, _ := sim.Policies.Get("easy")
		params := easy.Params.(backfill.EasyParams)
		params.Limits = c.keeps
		made, err := easy.New(&params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		p, books := &boundless{*made.(*backfill.Backfill), c.says}, New(on)
		books.Watch(p)
		src := simtest.List{{ID: 1, RunTime: 12, Walltime: 12, Procs: 1, User: 1},
			{ID: 2, Submit: 4, RunTime: 1, Walltime: 20, Procs: 1, User: 1},
			{ID: 3, Submit: 5, RunTime: 1, Walltime: 20, Procs: 2, User: 2}}
		if c.keeps == nil { // all run at one time
			src[1].RunTime = 9
		}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}, KillAtWalltime: true})
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

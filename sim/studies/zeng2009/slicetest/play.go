// Package slicetest is what the tests of policies that share the machine by
// slices of time have in common: the machine and the workload of X. Zeng and A.
// Sodan (JSSPP 2009), and a run under coscheduling. No program imports it.
package slicetest

import (
	"context"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/workload"
)

// Machine is a cluster of this number of nodes and cores.
func Machine(t simtest.Failer, nodes, cores int) *sim.Platform {
	t.Helper()
	p, err := sim.NewPlatform("cluster", []sim.Cluster{{Name: "c", Nodes: nodes, Cores: cores, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Published draws the study's workload: W1 has alpha 10.33, W2 9.83.
func Published(t simtest.Failer, alpha float64, jobs int, seed uint64) []sim.JobSpec {
	t.Helper()
	return PublishedWith(t, alpha, jobs, seed, func(*slowdowns.Params) {})
}

// PublishedWith draws it with other slowdowns.
func PublishedWith(t simtest.Failer, alpha float64, jobs int, seed uint64, change func(*slowdowns.Params)) []sim.JobSpec {
	t.Helper()
	kind, _ := workload.Kinds.Get("lublin")
	p := kind.Params.(workload.LublinParams)
	p.Jobs, p.Mode, p.Alpha = jobs, "typeless", alpha
	bear := slowdowns.Defaults()
	bear.Law = "zeng2009"
	change(&bear)
	w, err := kind.New(&p, workload.Input{Streams: sim.Streams{Root: seed}, Procs: 512, Studies: []workload.Transform{&bear}})
	if err != nil {
		t.Fatal(err)
	}
	var out []sim.JobSpec
	src := w.Source()
	for {
		var j sim.JobSpec
		ok, err := src.Next(&j)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return out
		}
		out = append(out, j)
	}
}

// Play runs the jobs under the policy, with the audit if requested.
func Play(t simtest.Failer, e *sim.Engine, p *sim.Platform, policy sim.Policy, jobs []sim.JobSpec, audited bool,
	more ...sim.Observer) sim.Result {
	t.Helper()
	cfg := sim.Config{Platform: p, Source: simtest.Source(jobs), Policy: policy, Progress: coscheduling.New(coscheduling.Params{}),
		Observers: more}
	a := audit.New(p)
	if audited {
		cfg.Observers = append(cfg.Observers, a)
	}
	res, err := e.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Verdict(audited); audited && err != nil {
		t.Fatal(err)
	}
	return res
}

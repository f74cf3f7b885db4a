package protocol_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

// TestScriptedTrace plays small scripts and compares all that is reported: one site,
// three sites, two jobs that want the same sites, a site that is silent, one that
// confirms too late, one that sends garbage. Site 0 is busy until 100 s, with 60 %.
func TestScriptedTrace(t *testing.T) {
	var b strings.Builder
	for _, script := range []struct {
		title string
		sites int
		set   func(*protocol.Params)
		jobs  []protocol.Request
	}{
		{"one site: nothing is sent, slots are held and confirmed all the same", 1, nil, requests(job{home: 0, parts: 1, share: .5})},
		{"three sites, a job on all of them", 3, nil, requests(job{home: 1, parts: 3, share: .5})},
		{"three sites, a job on the two that are free first", 3, nil, requests(job{home: 1, parts: 2, share: .5})},
		{"two jobs of different sites want the same sites at once: the second waits at site 0, and site 2 offers it less", 3, nil,
			requests(job{home: 1, parts: 3, share: .5}, job{home: 2, parts: 3, share: .6})},
		{"a silent site: others do in its place", 3, func(p *protocol.Params) { p.Faults = []protocol.Fault{{Site: 2, Silent: 1}} },
			requests(job{home: 1, parts: 2, share: .5})},
		{"a silent site that cannot be spared: the job is given up, and all that it held is released", 2, func(p *protocol.Params) {
			p.Rough, p.Faults = false, []protocol.Fault{{Site: 1, Silent: 1}}
		}, requests(job{home: 0, parts: 2, share: .4})},
		{"a late confirmation: the hold has expired, and what the others have confirmed is released", 3, func(p *protocol.Params) {
			p.HoldTimeout, p.Faults = 20, []protocol.Fault{{Site: 1, Late: 25}}
		}, requests(job{home: 1, parts: 3, share: .5})},
		{"a late answer to the confirmation: the start passes, and what was confirmed is released", 2, func(p *protocol.Params) {
			p.Faults = []protocol.Fault{{Site: 0, Late: 1}}
		}, requests(job{home: 1, parts: 2, share: .4})},
		{"a site that sends garbage: others do in its place", 3, func(p *protocol.Params) { p.Faults = []protocol.Fault{{Site: 2, Garbage: 1}} },
			requests(job{home: 1, parts: 2, share: .4})},
		{"a site whose requests are garbage: nobody does anything", 2, func(p *protocol.Params) {
			p.Faults = []protocol.Fault{{Site: 1, Garbage: 1}}
		}, requests(job{home: 1, parts: 2, share: .4})},
	} {
		p := protocol.Defaults
		p.Tries = 2
		if script.set != nil {
			script.set(&p)
		}
		fmt.Fprintf(&b, "# %s\n", script.title)
		play(t, &b, script.sites, p, script.jobs)
		b.WriteByte('\n')
	}
	golden.Check(t, "testdata/trace.txt", b.String())
}

type job struct {
	home, parts int
	share       float64
}

func requests(jobs ...job) (all []protocol.Request) {
	for i, j := range jobs {
		all = append(all, protocol.Request{Parts: j.parts,
			Application: protocol.Application{Job: int64(i + 1), Home: j.home, Share: plan.ShareOf(j.share), Estimate: 60}})
	}
	return all
}

// play plays requests at time 0 to their end and checks that nothing is left.
func play(t *testing.T, b *strings.Builder, sites int, p protocol.Params, jobs []protocol.Request) {
	var g protocol.Grid
	now := 0.0
	line := func(job int64, name string, from, to int, fields []sim.Field) {
		between := ""
		switch {
		case to >= 0:
			between = fmt.Sprintf("%d -> %d", from, to)
		case from >= 0:
			between = fmt.Sprintf("at %d", from)
		}
		fmt.Fprintf(b, "%7.2f  job %d  %-6s  %-21s", now, job, between, name)
		for _, f := range fields {
			if x, ok := f.Value.(float64); ok {
				f.Value = fmt.Sprintf("%.6g", x)
			}
			fmt.Fprintf(b, "  %s=%v", f.Name, f.Value)
		}
		b.WriteByte('\n')
	}
	g.Reset(sites, p, protocol.Hooks{Report: func(job int64, m sim.Message) { line(job, m.Name, m.From, m.To, m.Fields) }},
		rand.New(rand.NewPCG(4, 0)), func(_ int, p *plan.Plan) { p.Reset(plan.Whole, 3, 0) })
	busy, _ := g.Plan(0).Reserve(0, 0, 100, plan.ShareOf(.6), plan.Fixed)
	for _, r := range jobs {
		g.Request(0, r)
	}
	for !math.IsInf(g.Next(), 1) {
		now = g.Next()
		for o := range g.Advance(now) {
			switch o.Kind {
			case protocol.Launch:
				for _, part := range o.Parts {
					line(o.Job, "start", part.Site, -1, nil)
				}
				g.Ended(o.Job, o.Parts)
			case protocol.Failed:
				line(o.Job, "given up", -1, -1, []sim.Field{{Name: "why", Value: o.Why}})
			}
		}
	}
	g.Plan(0).Release(busy)
	for site := range sites {
		if n := g.Plan(site).Reservations(); n != 0 {
			t.Errorf("%d reservations are left at site %d", n, site)
		}
	}
}

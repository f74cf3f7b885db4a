package protocol_test

import (
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

// TestMessagesOfAllAttempts: the home confirms too late, and site 0 answers when the first attempt has failed. Site 0 is busy by
// the second one, whose start leaves time for the answer. The launch counts all messages that were reported until then.
func TestMessagesOfAllAttempts(t *testing.T) {
	p := protocol.Defaults
	p.Faults = []protocol.Fault{{Site: 1, Late: 1}}
	sent, failed := int64(0), 0
	report := func(_ int64, m sim.Message) {
		if m.To >= 0 {
			sent++
		}
		if m.Name == "AttemptFailed" {
			failed++
		}
	}
	var g protocol.Grid
	g.Reset(2, p, protocol.Hooks{Report: report}, nil, func(_ int, p *plan.Plan) { p.Reset(plan.Whole, 1, 0) })
	g.Request(0, protocol.Request{Application: protocol.Application{Job: 1, Home: 1, Share: plan.Whole, Estimate: 10}, Parts: 2})
	got, want := int64(0), int64(0)
	for busy := false; !math.IsInf(g.Next(), 1); {
		now := g.Next()
		for o := range g.Advance(now) {
			if o.Kind == protocol.Launch {
				got, want = o.Messages, sent
			}
		}
		if failed == 1 && !busy && !g.Holding(0) {
			g.Plan(0).Reserve(-1, now, now+30, plan.Whole, plan.Fixed)
			busy = true
		}
	}
	if failed != 1 || got != want {
		t.Errorf("%d attempts failed, and %d messages are counted of %d; want 1 attempt and all messages", failed, got, want)
	}
}

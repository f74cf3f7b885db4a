package protocol

import (
	"math"
	"testing"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// TestSiteThatDoesNotStandByItsWord: site 1 drops a confirmed reservation without a
// message. The job starts nowhere at the agreed time, and everywhere at the next attempt's.
func TestSiteThatDoesNotStandByItsWord(t *testing.T) {
	var g Grid
	g.Reset(2, Defaults, Hooks{}, nil, func(_ int, p *plan.Plan) { p.Reset(plan.Whole, 1, 0) })
	g.Request(0, Request{Application: Application{Job: 1, Share: plan.Whole, Estimate: 10}, Parts: 2, NotBefore: 5})
	var launched []float64
	for lied := false; !math.IsInf(g.Next(), 1); {
		for o := range g.Advance(g.Next()) {
			if o.Kind == Launch {
				launched = append(launched, o.Start)
			}
		}
		if s := &g.sites[1]; !lied && len(s.contracts) == 1 {
			lied = true
			s.release(0, "gone")
		}
	}
	if len(launched) != 1 || launched[0] < 5+Defaults.Retry || g.counts.Attempts != 2 {
		t.Errorf("launched at %v after %d attempts, want once, after the second attempt at %g s", launched, g.counts.Attempts, 5+Defaults.Retry)
	}
}

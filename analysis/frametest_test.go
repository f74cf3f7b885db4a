package analysis

import (
	"testing"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/frame/frametest"
	"schedsweep/sweep/study"
)

// What tests of package claim and of package analysis share.
var (
	grid, zero, noise = frametest.Grid, frametest.Zero, frametest.Noise
	where, of, policy = frametest.Where, frametest.Of, frametest.Policy
	frameOf, ints     = frametest.FrameOf, frametest.Ints
	sample, sampleOf  = frametest.Sample, frametest.SampleOf
	design, warned    = frametest.Design, frametest.Warned
)

func evaluate(t testing.TB, run *frame.Run, c study.Claim, others ...*frame.Run) claim.Result {
	t.Helper()
	more := map[string]*frame.Run{}
	for _, r := range others {
		more[r.Name] = r
	}
	return claim.Evaluate([]study.Claim{c}, run, more)[0]
}

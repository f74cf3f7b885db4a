package claim

import "schedsweep/analysis/frame/frametest"

// What tests of package claim and of package analysis share.
var (
	grid, zero, noise = frametest.Grid, frametest.Zero, frametest.Noise
	where, of, policy = frametest.Where, frametest.Of, frametest.Policy
	frameOf, ints     = frametest.FrameOf, frametest.Ints
	columnsOf         = frametest.ColumnsOf
)

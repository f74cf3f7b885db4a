package compare

import "schedsweep/analysis/frame/frametest"

// What tests of packages share.
var (
	sample         = frametest.Sample
	design, warned = frametest.Design, frametest.Warned
	frameOf, ints  = frametest.FrameOf, frametest.Ints
)

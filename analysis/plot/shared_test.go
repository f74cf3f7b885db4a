package plot

import (
	"schedsweep/analysis/frame/frametest"
	"schedsweep/sweep/study"
)

// What tests of packages share.
var (
	sample, sampleOf = frametest.Sample, frametest.SampleOf
	design, warned   = frametest.Design, frametest.Warned
	frameOf          = frametest.FrameOf
	columnsOf, where = frametest.ColumnsOf, frametest.Where
	grid, zero       = frametest.Grid, frametest.Zero
	placements       = frametest.Placements
)

// wholeFigures are of the kinds that a study has.
func wholeFigures() []study.Figure {
	return []study.Figure{
		{ID: "fig1", Title: "Makespan against the communication factor", X: "workload.communication_factor", Y: "makespan",
			Panels: "policy.placement", Params: &MeansParams{Points: true, Line: "none", Trend: true, Band: true}},
		{ID: "fig2", X: "policy.placement", Y: "mean_wait", Params: &MeansParams{Points: true, Band: true}},
		{ID: "fig3", X: "workload.communication_factor", Y: "makespan", Series: "policy.placement", Params: &MeansParams{Band: true}},
		{ID: "fig4", X: "mean_wait", Y: "makespan", Series: "policy.placement", XScale: "log", Params: &MeansParams{Line: "median"}},
	}
}

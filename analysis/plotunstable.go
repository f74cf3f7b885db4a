package analysis

import (
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// isUnstable tells whether one of the rows is of a run without a steady state.
func (p *plotter) isUnstable(rows []int32) bool {
	if p.design.Unstable == "" {
		return false
	}
	flag := p.frame.Column(p.design.Unstable).Numbers
	for _, r := range rows {
		if (p.ok == nil || p.ok[r]) && flag[r] == 1 {
			return true
		}
	}
	return false
}

// ownX tells whether the sweep varies x over another range in each panel, so that one scale for all would squeeze some.
func (p *plotter) ownX() bool {
	if p.category != nil || len(p.panels.Values)*len(p.rows.Values) < 2 {
		return false
	}
	first := true
	var low, high float64
	for _, g := range p.ofPanels() {
		s := stats.TakeSample(frame.Gather(nil, g.Rows, nil, p.x.Numbers))
		if s.N() == 0 {
			continue
		}
		if !first && (s.Min() != low || s.Max() != high) {
			return true
		}
		first, low, high = false, s.Min(), s.Max()
	}
	return false
}
